import type { GapChoices } from '../gaps.ts'
import type { Headers } from '../message.ts'

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
