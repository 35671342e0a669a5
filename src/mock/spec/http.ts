import { refined, type Schema } from '../input/schema.ts'
import { text } from '../input/values.ts'
import type { Headers, ReadBody } from './message.ts'

/** The header fields of replies by lower-case name: the spelling on the wire, and whether CORS exposes them. */
export const responseHeaders = {
  'content-type': { spelling: 'Content-Type', exposed: false },
  'content-length': { spelling: 'Content-Length', exposed: false },
  date: { spelling: 'Date', exposed: true },
  'x-ratelimit-limit': { spelling: 'X-RateLimit-Limit', exposed: true },
  'x-ratelimit-remaining': { spelling: 'X-RateLimit-Remaining', exposed: true },
  'x-ratelimit-reset': { spelling: 'X-RateLimit-Reset', exposed: true },
  'retry-after': { spelling: 'Retry-After', exposed: true },
  deprecation: { spelling: 'Deprecation', exposed: true },
  sunset: { spelling: 'Sunset', exposed: true },
  link: { spelling: 'Link', exposed: true },
  'www-authenticate': { spelling: 'WWW-Authenticate', exposed: true },
  allow: { spelling: 'Allow', exposed: false },
  location: { spelling: 'Location', exposed: false },
} as const

export type ResponseHeader = keyof typeof responseHeaders

/** The header fields of every reply, beside those of its body (spec 8). */
export const headersOfEveryResponse = [
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const satisfies readonly ResponseHeader[]

/** The header fields that announce a removal, which a gap can leave out (spec 4.3, 9). */
export const headersOfDeprecation = [
  'deprecation',
  'sunset',
  'link',
] as const satisfies readonly ResponseHeader[]

/** The header fields by which a server allows pages of other origins to read its responses. */
export const corsHeaderSpellings = {
  'access-control-allow-origin': 'Access-Control-Allow-Origin',
  'access-control-expose-headers': 'Access-Control-Expose-Headers',
} as const

const spellings: ReadonlyMap<string, string> = new Map([
  ...Object.entries(responseHeaders).map(([name, { spelling }]) => [name, spelling] as const),
  ...Object.entries(corsHeaderSpellings),
])

/** Spells a reply's header as it is sent. */
export function spellHeader(name: string): string {
  return spellings.get(name) ?? name
}

/** The name of a method from outside, read as upper case. */
export const methodName: Schema<string> = refined(
  text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/, most: 100 }),
  (name) => name.toUpperCase(),
  (name) => name,
)

/** The largest request body in bytes; a larger one is refused with 413. */
export const maxBodyBytes = 1_048_576

/** Makes {@link Headers} from alternating names and values, such as Node's `rawHeaders`. */
export function headersFrom(lines: readonly string[]): Headers {
  const headers: Record<string, string> = {}
  for (let index = 0; index + 1 < lines.length; index += 2) {
    const name = (lines[index] ?? '').toLowerCase()
    const value = lines[index + 1] ?? ''
    const earlier = headers[name]
    headers[name] = typeof earlier === 'string' ? `${earlier}, ${value}` : value
  }
  return headers
}

const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** What stands for bytes that are not UTF-8: text that no JSON parser accepts. */
const undecodable = '\udfff'

/** Decodes a request body from UTF-8; other bytes become a lone surrogate, which the engine refuses. */
export function decodeBody(bytes: Uint8Array): ReadBody {
  try {
    return { body: strictDecoder.decode(bytes) }
  } catch {
    return { body: undecodable, bodyBytes: bytes.length }
  }
}

/**
 * What stands for a request body that is too large to be kept, which the engine refuses.
 *
 * @param read How many of its bytes have arrived.
 * @param declared The `Content-Length`.
 */
export function unkeptBody(read: number, declared: string | null = null): ReadBody {
  const said = /^\d+$/.test(declared ?? '') ? Number(declared) : 0
  return { body: '', bodyBytes: Math.min(Math.max(read, said), Number.MAX_SAFE_INTEGER) }
}

const bodilessStatuses: readonly number[] = [204, 205, 304]

/** Whether a reply of a status may have a body (RFC 9110, 15). */
export function mayHaveBody(status: number): boolean {
  return !bodilessStatuses.includes(status)
}

/** The headers of a reply without the length of a body that its status forbids (RFC 9110, 8.6). */
export function headersOnWire(status: number, headers: Headers): Headers {
  if (mayHaveBody(status) || headers['content-length'] === undefined) return headers
  const { 'content-length': _, ...others } = headers
  return others
}
