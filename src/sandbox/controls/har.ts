import { spellHeader } from '../../mock/api/http.ts'
import type { Headers } from '../../mock/api/message.ts'
import { packageVersion } from '../../mock/api/package-version.ts'
import { definedOf, namesOf } from '../../mock/input/record.ts'
import { factProperties, type RequestView } from '../../mock/log/request-view.ts'

/** HAR file (version 1.2), which browsers' developer tools can import. */
export interface HarDocument {
  /** The log, the only property of a HAR file. */
  readonly log: {
    /** Version of the format. */
    readonly version: '1.2'
    /** The program that wrote the file. */
    readonly creator: {
      /** Name of the program. */
      readonly name: string
      /** Version of the program. */
      readonly version: string
    }
    /** The requests with their responses, oldest first; the reason is in `comment`. */
    readonly entries: readonly Readonly<Record<string, unknown>>[]
  }
}

/** Creator of HAR files; its version is that of the package. */
export const creator = Object.freeze({ name: 'petstore-sandbox', version: packageVersion })

/** Returns the base URL to which a request was sent: the part before `/v1`. */
type AddressOf = (request: RequestView['request']) => string

/** Returns base URLs with the `Host` that a client sent, which may differ from the server's name for the origin. */
export function servedAt(origin: string): AddressOf {
  return ({ headers: { host } }) => {
    const named = origin.replace(/^(https?:\/\/)[^/]*/, (_, scheme: string) => `${scheme}${host}`)
    return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(named) ? named : origin
  }
}

/** Converts requests to HAR 1.2. */
export function toHar(entries: readonly RequestView[], addressOf: AddressOf): HarDocument {
  return {
    log: {
      version: '1.2',
      creator: { ...creator },
      entries: entries.map((entry) => harEntry(entry, addressOf(entry.request))),
    },
  }
}

/** Converts a request to an entry of a HAR file. */
function harEntry(entry: RequestView, address: string) {
  const { at, durationMs, outcome, connection, why } = entry
  const { bodyMs = 0 } = outcome.kind === 'broken-response' ? outcome : {}
  return {
    startedDateTime: new Date(at).toISOString(),
    time: durationMs + bodyMs,
    request: harRequest(entry, address),
    response: harResponse(entry, address),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: bodyMs },
    ...(connection === undefined ? {} : { connection: String(connection) }),
    comment: why,
    // Custom fields start with an underscore, as HAR requires.
    ...Object.fromEntries(
      customNames
        .filter((name) => entry[name] !== undefined)
        .map((name) => [`_${name}`, entry[name]]),
    ),
    _outcome: outcomeFacts(outcome),
  }
}

/** Properties of a request that HAR has no field for. */
const customNames = [
  'id',
  'operation',
  'key',
  'quota',
  'faults',
  ...namesOf(factProperties),
] as const

/** Returns the properties of an outcome besides those of the response. */
function outcomeFacts(outcome: RequestView['outcome']) {
  if (outcome.kind !== 'broken-response') return { kind: outcome.kind }
  const { kind, end, sentBytes, bodyMs } = outcome
  return { kind, ...definedOf({ end, sentBytes, bodyMs }) }
}

function harRequest({ request }: RequestView, address: string) {
  const { method, url, headers, body, bodyBytes } = request
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : []
  const mimeType = headers['content-type'] ?? ''
  return {
    method,
    url: absolute(url, address),
    httpVersion: 'HTTP/1.1',
    cookies: cookiesOf(headers.cookie),
    headers: harHeaders(headers),
    queryString: [...query].map(([name, value]) => ({ name, value })),
    headersSize: -1,
    bodySize: bodyBytes ?? bytesOf(body).length,
    ...(body === '' ? {} : { postData: { mimeType, text: body, ...remark(bodyBytes) } }),
  }
}

/** Converts a target to a URL: one sent to a proxy is a URL already, and one such as `*` has no path. */
function absolute(target: string, address: string): string {
  if (/^https?:\/\//i.test(target)) return target
  return target.startsWith('/') ? `${address}${target}` : `${address}/`
}

function cookiesOf(header = '') {
  const pairs = header.split(/; */).filter((pair) => pair !== '')
  return pairs.map((pair) => {
    const [name = '', value = ''] = pair.split(/=(.*)/s)
    return { name, value }
  })
}

function harResponse({ outcome, delivery = 'delivered' }: RequestView, address: string) {
  const seen = 'status' in outcome ? outcome : noResponse
  const { status, headers, body, bodyBytes } = seen
  const { sentBytes, end } = 'sentBytes' in seen ? seen : {}
  const text = sentBytes === undefined ? body : beginningOf(body, sentBytes)
  const size = sentBytes ?? bodyBytes ?? bytesOf(body).length
  const error = delivery === 'aborted' ? errors.left : errors[end ?? outcome.kind]
  return {
    status,
    statusText: statusTexts[status] ?? '',
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: harHeaders(withPrefix(headers, address.replace(/^https?:\/\/[^/]*/, ''))),
    content: { size, mimeType: headers['content-type'] ?? 'x-unknown', text, ...remark(bodyBytes) },
    redirectURL: '',
    headersSize: -1,
    bodySize: size,
    ...(error === undefined ? {} : { _error: error }),
  }
}

const noHeaders: Headers = {}

/** Placeholder for a missing response; Playwright replays the status -1 as a request without a response. */
const noResponse = { status: -1, headers: noHeaders, body: '', bodyBytes: undefined }

/** Chromium's names for failed connections. */
const errors: Readonly<Record<string, string>> = {
  disconnect: 'net::ERR_CONNECTION_RESET',
  reset: 'net::ERR_CONNECTION_RESET',
  close: 'net::ERR_CONTENT_LENGTH_MISMATCH',
  timeout: 'net::ERR_TIMED_OUT',
  left: 'net::ERR_ABORTED',
}

/** Reason phrases of the statuses that the sandbox returns without a fault. */
const statusTexts: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  410: 'Gone',
  413: 'Payload Too Large',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  503: 'Service Unavailable',
}

function beginningOf(text: string, bytes: number): string {
  return new TextDecoder().decode(bytesOf(text).subarray(0, bytes))
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}

/** Adds a comment to a text that differs from what was sent. */
function remark(bodyBytes: number | undefined) {
  if (bodyBytes === undefined) return {}
  return { comment: `Cut, or with keys hidden: ${bodyBytes} bytes were sent` }
}

/** Adds the prefix of a named sandbox, such as `/sandboxes/alice`, to the target of the `Link` header. */
export function withPrefix(headers: Headers, prefix: string): Headers {
  if (prefix === '' || headers.link === undefined) return headers
  return { ...headers, link: headers.link.replace(/^<\//, `<${prefix}/`) }
}

function harHeaders(headers: Headers) {
  return Object.entries(headers).map(([name, value]) => ({ name: spellHeader(name), value }))
}
