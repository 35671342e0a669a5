import { list, object } from '../input/object.ts'
import { isRecord, namesOf } from '../input/record.ts'
import { type Input, named } from '../input/schema.ts'
import { custom, oneOf, string } from '../input/values.ts'
import { factProperties, type RequestView } from '../log/request-view.ts'
import { spellHeader } from '../spec/http.ts'
import type { Headers } from '../spec/message.ts'
import { packageVersion } from '../spec/package-version.ts'

const anyEntry = custom('an entry of a HAR file', isRecord, { type: 'object' })

/** An HTTP archive 1.2, which browsers' developer tools import. */
export const harDocument = named(
  'Har',
  object({
    log: object({
      version: oneOf(['1.2']),
      creator: object({ name: string, version: string }),
      entries: list(anyEntry),
    }),
  }),
)

/** An HTTP archive 1.2, which browsers' developer tools import. */
export type HarDocument = Input<typeof harDocument>

/** What wrote an archive; the version is that of the package. */
const creator = Object.freeze({ name: 'petstore-sandbox', version: packageVersion })

/** Returns the address that a request was sent to: what comes before `/v1`. */
type AddressOf = (request: RequestView['request']) => string

/** Returns addresses by the `Host` that a client sent, which may have another name for the origin than the process. */
export function servedAt(origin: string): AddressOf {
  return ({ headers: { host } }) => {
    const named = origin.replace(/^(https?:\/\/)[^/]*/, (_, scheme: string) => `${scheme}${host}`)
    return host !== undefined && /^[\w.:[\]-]+$/.test(host) && URL.canParse(named) ? named : origin
  }
}

/**
 * Writes exchanges as HAR 1.2.
 *
 * @param hide Abbreviates the keys in a text.
 */
export function toHar(
  entries: readonly RequestView[],
  addressOf: AddressOf,
  hide: (text: string) => string,
): HarDocument {
  return {
    log: {
      version: '1.2',
      creator: { ...creator },
      entries: entries.map((entry) => harEntry(entry, addressOf(entry.request), hide)),
    },
  }
}

/** Writes an exchange as an archive has it. */
function harEntry(entry: RequestView, address: string, hide: (text: string) => string) {
  const { at, durationMs, outcome, connection, why } = entry
  const { bodyMs = 0 } = outcome.kind === 'broken-response' ? outcome : {}
  return {
    startedDateTime: new Date(at).toISOString(),
    time: durationMs + bodyMs,
    request: harRequest(entry, address, hide),
    response: harResponse(entry, address),
    cache: {},
    timings: { send: 0, wait: durationMs, receive: bodyMs },
    ...(connection === undefined ? {} : { connection: String(connection) }),
    comment: why,
    // Names of ours begin with an underscore, as HAR asks.
    ...Object.fromEntries(
      namesOf(factProperties)
        .filter((name) => entry[name] !== undefined)
        .map((name) => [`_${name}`, entry[name]]),
    ),
  }
}

function harRequest(
  { request, key = '' }: RequestView,
  address: string,
  hide: (text: string) => string,
) {
  const { method, url, headers, body, bodyBytes } = request
  const hidden = (text: string): string => withoutToken(hide(text), key)
  const query = url.includes('?') ? new URLSearchParams(url.slice(url.indexOf('?') + 1)) : []
  const mimeType = headers['content-type'] ?? ''
  return {
    method,
    url: absolute(url, address),
    httpVersion: 'HTTP/1.1',
    cookies: cookiesOf(headers.cookie),
    headers: harHeaders(headers),
    // A key that was encoded twice is spelt as one only here.
    queryString: [...query].map(([name, value]) => ({ name: hidden(name), value: hidden(value) })),
    headersSize: -1,
    bodySize: bodyBytes ?? bytesOf(body).length,
    ...(body === '' ? {} : { postData: { mimeType, text: body, ...remark(bodyBytes) } }),
  }
}

/**
 * Hides what may be a token that no key of the sandbox is. The sandbox keeps only its beginning, so that a text that is
 * still encoded, and has that beginning, is hidden as a whole.
 */
function withoutToken(text: string, shown: string): string {
  const beginning = shown.replace(/…$/, '')
  return beginning !== '' && text.includes('%') && decoded(text).includes(beginning) ? shown : text
}

/** Decodes the ASCII characters of a text, however often it was encoded. */
function decoded(text: string): string {
  const once = text.replace(/%([0-7][\da-f])/gi, (_, digits: string) => {
    return String.fromCharCode(Number.parseInt(digits, 16))
  })
  return once === text ? text : decoded(once)
}

/** Makes a URL of a target: one sent to a proxy is a URL already, and one such as `*` has no path. */
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
  const seen = 'status' in outcome ? outcome : noReply
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

/** What stands for a reply that never came; Playwright replays the status -1 as a request that gets no answer. */
const noReply = { status: -1, headers: noHeaders, body: '', bodyBytes: undefined }

/** What the developer tools of Chromium call what became of a connection. */
const errors: Readonly<Record<string, string>> = {
  disconnect: 'net::ERR_CONNECTION_RESET',
  reset: 'net::ERR_CONNECTION_RESET',
  close: 'net::ERR_CONTENT_LENGTH_MISMATCH',
  timeout: 'net::ERR_TIMED_OUT',
  left: 'net::ERR_ABORTED',
}

/** The reason phrases of what the sandbox answers by itself. */
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

/** Says that a text is not what was sent. */
function remark(bodyBytes: number | undefined) {
  if (bodyBytes === undefined) return {}
  return { comment: `Cut, or with keys hidden: ${bodyBytes} bytes were sent` }
}

/** Puts what a named sandbox points to under its prefix, such as `/sandboxes/alice`. */
export function withPrefix(headers: Headers, prefix: string): Headers {
  if (prefix === '' || headers.link === undefined) return headers
  return { ...headers, link: headers.link.replace(/^<\//, `<${prefix}/`) }
}

function harHeaders(headers: Headers) {
  return Object.entries(headers).map(([name, value]) => ({ name: spellHeader(name), value }))
}
