import { refined, type Schema } from '../input/schema.ts'
import { text } from '../input/values.ts'
import type { Headers, ReadBody } from './message.ts'

/** The response headers by lower-case name, with the spelling on the wire and whether CORS exposes them. */
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

/** The header fields by which a server allows pages of other origins to read its responses. */
export const corsHeaderSpellings = {
  'access-control-allow-origin': 'Access-Control-Allow-Origin',
  'access-control-expose-headers': 'Access-Control-Expose-Headers',
} as const

const spellings: ReadonlyMap<string, string> = new Map([
  ...Object.entries(responseHeaders).map(([name, { spelling }]) => [name, spelling] as const),
  ...Object.entries(corsHeaderSpellings),
])

/** Returns a response header's name in its spelling on the wire. */
export function spellHeader(name: string): string {
  return spellings.get(name) ?? name
}

/** The name of a method from outside, in any letter case; read as upper case. */
export const methodName: Schema<string> = refined(
  text({ use: 'a method such as GET', pattern: /^[A-Za-z]+$/, most: 100 }),
  (name) => name.toUpperCase(),
  (name) => name,
)

/** The maximum size of a request body in bytes; a larger one is rejected with 413. */
export const maxBodyBytes = 1_048_576

/** Creates {@link Headers} from alternating names and values, such as Node's `rawHeaders`. */
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

/** Placeholder for invalid UTF-8: a string that no JSON parser accepts. */
const undecodable = '\udfff'

/** Decodes a request body as UTF-8; invalid bytes become a lone surrogate, which the engine rejects. */
export function decodeBody(bytes: Uint8Array): ReadBody {
  try {
    return { body: strictDecoder.decode(bytes) }
  } catch {
    return { body: undecodable, bodyBytes: bytes.length }
  }
}

/**
 * Returns the placeholder for a request body that is too large to keep; the engine rejects it.
 *
 * @param read Number of bytes received so far.
 * @param declared The `Content-Length`.
 */
export function unkeptBody(read: number, declared: string | null = null): ReadBody {
  const said = /^\d+$/.test(declared ?? '') ? Number(declared) : 0
  return { body: '', bodyBytes: Math.min(Math.max(read, said), Number.MAX_SAFE_INTEGER) }
}

const bodilessStatuses: readonly number[] = [204, 205, 304]

/** Returns whether a response with a status may have a body (RFC 9110, 15). */
export function mayHaveBody(status: number): boolean {
  return !bodilessStatuses.includes(status)
}

/** Returns a response's headers, without `content-length` if the status forbids a body (RFC 9110, 8.6). */
export function headersOnWire(status: number, headers: Headers): Headers {
  if (mayHaveBody(status) || headers['content-length'] === undefined) return headers
  const { 'content-length': _, ...others } = headers
  return others
}
