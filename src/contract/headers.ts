import type { GapChoices } from './gaps.ts'
import type { Headers } from './message.ts'

/** The header fields of replies by lower-case name: the spelling on the wire, and whether CORS exposes them. */
export const replyHeaders = {
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
} as const

export type ReplyHeader = keyof typeof replyHeaders

/** The header fields of every reply, beside those of its body (spec 8). */
export const headersOfEveryReply = [
  'date',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
] as const satisfies readonly ReplyHeader[]

/** The header fields that announce a removal, which a gap can leave out (spec 4.3, 9). */
export const headersOfDeprecation = [
  'deprecation',
  'sunset',
  'link',
] as const satisfies readonly ReplyHeader[]

const spellings: ReadonlyMap<string, string> = new Map(
  Object.entries(replyHeaders).map(([name, { spelling }]) => [name, spelling]),
)

/** Spells a reply's header as it is sent. */
export function spellHeader(name: string): string {
  return spellings.get(name) ?? name
}

/** The last second that an HTTP date can express. */
export const lastDateAt = Date.UTC(9999, 11, 31, 23, 59, 59)

/** When a refused client may come back: for the refusal itself, and for its reply. */
interface RetryAfter {
  readonly retryAt: number
  readonly headers: Headers
}

/**
 * Tells a refused client when to come back, rounded up to a second, in the form that the gap says (spec 8).
 *
 * @param retryAt Unix milliseconds, as is `now`.
 */
export function retryAfter(retryAt: number, gaps: GapChoices, now: number): RetryAfter {
  const seconds = Math.ceil((retryAt - now) / 1000)
  const dateAt = Math.min(Math.ceil(retryAt / 1000) * 1000, lastDateAt)
  const text = gaps.retryAfterFormat === 'seconds' ? `${seconds}` : new Date(dateAt).toUTCString()
  return { retryAt, headers: { 'retry-after': text } }
}
