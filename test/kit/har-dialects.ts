import type { ThirdRequest, ThirdResponse } from './third-service.ts'

/** The tools that record archives. */
export const dialects = [
  'chrome',
  'firefox',
  'safari',
  'playwright',
  'mitmproxy',
  'charles',
] as const

export type Dialect = (typeof dialects)[number]

/** What happened to a response on its way. */
export interface Mishaps {
  readonly isCached: boolean
  readonly isGzip: boolean
  readonly areHeadersTwice: boolean
  readonly isDateDropped: boolean
  readonly isBodyDropped: boolean
}

const capitals = (name: string): string =>
  name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase())

/** Writes a request as a tool does. */
export function harEntry(
  dialect: Dialect,
  { method, path, key, body: sent }: ThirdRequest,
  { status, headers, body }: ThirdResponse,
  startAt: number,
  { isCached, isGzip, areHeadersTwice, isDateDropped, isBodyDropped }: Mishaps,
) {
  const isHttp2 = dialect === 'chrome' || dialect === 'safari'
  const nameOf = isHttp2 ? (name: string) => name : capitals
  const listed = (all: Readonly<Record<string, string>>) =>
    Object.entries(all).map(([name, value]) => ({ name: nameOf(name), value }))
  const quota = listed(headers).filter(({ name }) => /ratelimit/i.test(name))
  const more = isGzip ? { 'content-encoding': 'gzip' } : {}
  const size = new TextEncoder().encode(body).length
  const isText = !isBodyDropped && body !== ''
  return {
    startedDateTime: new Date(startAt).toISOString(),
    time: dialect === 'charles' ? 4 : 4.25,
    request: {
      method,
      url: `https://api.example.com/v1${path}`,
      httpVersion: isHttp2 ? 'h2' : 'HTTP/1.1',
      headers: [
        ...(isHttp2 ? [{ name: ':method', value: method }] : []),
        ...listed(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...listed(sent === '' ? {} : { 'content-type': 'application/json' }),
      ],
      bodySize: sent.length,
      ...(sent === '' ? {} : { postData: { mimeType: 'application/json', text: sent } }),
    },
    response: {
      status,
      headers: [
        ...listed({ ...headers, ...more }).filter(
          ({ name }) => !(isDateDropped && /^date$/i.test(name)),
        ),
        ...(areHeadersTwice ? quota : []),
      ],
      content: {
        size: isText ? size : dialect === 'firefox' ? size : 0,
        mimeType: 'application/json',
        ...(isText && dialect === 'mitmproxy'
          ? { text: Buffer.from(body).toString('base64'), encoding: 'base64' }
          : isText
            ? { text: body }
            : {}),
      },
    },
    cache:
      isCached && (dialect === 'firefox' || dialect === 'charles')
        ? { afterRequest: { hitCount: 1 } }
        : {},
    ...(isCached && dialect === 'chrome' ? { _fromCache: 'memory' } : {}),
    ...(dialect === 'safari' ? { _fetchType: isCached ? 'Memory Cache' : 'Network Load' } : {}),
    ...(dialect === 'playwright' ? { _frameref: 'frame@1', _monotonicTime: startAt } : {}),
  }
}
