import { createSandbox, type SandboxOptions } from '../../../../src/index.ts'

/** A request to send, and with which key; null sends none. */
export interface Sent {
  readonly method?: string
  readonly url: string
  readonly key?: string | null
  readonly body?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An entry of an archive, as loosely as a test needs it. */
export interface RecordedEntry {
  startedDateTime: string
  time: number
  request: Record<string, unknown>
  response: {
    status: number
    headers: { name: string; value: string }[]
    content: { size: number; text: string; mimeType: string; encoding?: string }
  }
}

/** Records what a sandbox answers, as a browser's developer tools do. */
export class Recorder {
  readonly entries: RecordedEntry[] = []
  readonly sandbox: ReturnType<typeof createSandbox>

  constructor(options: SandboxOptions) {
    this.sandbox = createSandbox({
      clock: { now: '2026-01-01T10:00:07Z', mode: 'frozen' },
      ...options,
    })
  }

  /** Sends a request, and lets time pass. */
  async send(sent: Sent, passMs = 0): Promise<void> {
    const { method = 'GET', url, body = '' } = sent
    const headers = headersOf(sent)
    const outcome = await this.sandbox.handle({ method, url: `/v1${url}`, headers, body })
    if (outcome.kind !== 'response') throw new TypeError('The recorder expects replies')
    const startAt = Date.UTC(2027, 0, 1) + this.entries.length * 20
    this.entries.push(entryOf(sent, outcome, 'https://api.test', startAt))
    if (passMs > 0) this.sandbox.clock.advance(passMs)
  }

  archive(): { log: { version: string; entries: RecordedEntry[] } } {
    return { log: { version: '1.2', entries: structuredClone(this.entries) } }
  }
}

/** The headers that a request is sent with. */
export function headersOf({ key = 'pro-key', body, headers = {} }: Sent): Record<string, string> {
  const all: Record<string, string> = {
    ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...headers,
  }
  if (all['content-type'] === '') delete all['content-type']
  return all
}

interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request as archives have it. */
export function entryOf(
  sent: Sent,
  { status, headers, body: text }: Answered,
  origin: string,
  startAt: number,
): RecordedEntry {
  const { method = 'GET', url, body } = sent
  const own = headersOf(sent)
  return {
    startedDateTime: new Date(startAt).toISOString(),
    time: 3,
    request: {
      method,
      url: `${origin}/v1${url}`,
      headers: listed(own),
      bodySize: (body ?? '').length,
      ...(body === undefined
        ? {}
        : { postData: { mimeType: own['content-type'] ?? '', text: body } }),
    },
    response: {
      status,
      headers: listed(headers),
      content: {
        size: new TextEncoder().encode(text).length,
        text,
        mimeType: headers['content-type'] ?? '',
      },
    },
  }
}

function listed(headers: Readonly<Record<string, string>>): { name: string; value: string }[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }))
}

/** A response at a time, in seconds from the start of a minute; without a reset, a host in front has sent it. */
export interface TimedResponse {
  readonly at: number
  readonly reset?: number
  readonly remaining?: number
  readonly limit?: number
  readonly status?: number
  readonly code?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** An archive of responses with these quota headers. */
export function archiveWith(responses: readonly TimedResponse[]): {
  log: { version: string; entries: RecordedEntry[] }
} {
  const startAt = Date.UTC(2027, 4, 3, 10, 17)
  const entries = responses.map((one) => {
    const { at, reset, remaining = 0, limit = 60, status = 200, code = 'not_found' } = one
    const { url = status === 404 ? '/pets/99' : '/pets' } = one
    const now = startAt + at * 1000
    const isOfApi = reset !== undefined
    const headers = {
      ...{ 'content-type': isOfApi ? 'application/json' : 'text/html' },
      date: new Date(now).toUTCString(),
      ...(isOfApi && {
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': String(remaining),
        'x-ratelimit-reset': String(startAt / 1000 + reset),
      }),
      ...one.headers,
    }
    const error = JSON.stringify({ code, message: 'It failed', status })
    const pet = '{"id":1,"name":"Rex","categoryId":1,"status":"sold"}'
    const found = url === '/pets' ? '[]' : pet
    const body = isOfApi ? (status < 300 ? found : error) : '<h1>It failed</h1>'
    return { ...entryOf({ url }, { status, headers, body }, 'https://api.test', now), time: 0 }
  })
  return { log: { version: '1.2', entries } }
}

const rex = '"name":"Rex","categoryId":1'

/** Requests that meet the gaps about requests. */
export const oddRequests: readonly Sent[] = [
  ...[
    `{${rex}}`,
    `{${rex},"status":null}`,
    '{"name":"","categoryId":1}',
    `{${rex},"color":"red"}`,
    `{"name":"Max",${rex}}`,
    '{"name":"Rex","categoryId":1.0}',
    '{"name":"Rex","categoryId":12345}',
    `{${rex},"status":"pending"}`,
    `{${rex},"status":"sold"}`,
    '{"name":"Rex"}',
    '{',
  ].map((body) => ({ method: 'POST', url: '/pets', body })),
  { method: 'POST', url: '/pets', body: `{${rex}}`, headers: { 'content-type': '' } },
  ...[
    '/pets?limit=100',
    '/pets?limit=5',
    '/pets?limit=0',
    '/pets?limit=500',
    '/pets?limit=01',
    '/pets?limit=3&limit=2',
    '/pets?limit=01&limit=x',
    '/pets?status=sold&status=available',
    '/pets?status=pending&limit=100',
    '/pets?status=gone',
    '/pets?color=red',
    '/pets/abc',
    '/pets/01',
    '/pets/1',
    '/pets/2',
    '/pets/2?color=red',
    '/pets/99999',
    '/store/orders',
    '/pets/',
    '/pets/1/',
    '/nothing',
  ].map((url) => ({ url })),
  { method: 'DELETE', url: '/pets/1' },
  { method: 'HEAD', url: '/pets' },
  { url: '/pets', headers: { origin: 'https://shop.example' } },
  { url: '/nothing', key: null },
  { url: '/pets', key: null },
  { url: '/pets/1', key: null },
  { url: '/pets', key: 'unknown-token' },
  { url: '/pets', key: 'revoked-key' },
  { url: '/pets', key: null, headers: { authorization: 'bearer pro-key' } },
]
