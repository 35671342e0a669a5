import { type GapSettings, parseGaps } from '../../src/mock/spec/gaps.ts'
import type { ApiResponse } from '../../src/mock/spec/message.ts'

/** Reads `X-RateLimit-Reset` in the unit of a gap; gives Unix milliseconds. */
export function toldReset({ headers }: ApiResponse, gaps: GapSettings): number {
  const { resetUnit } = parseGaps(gaps)
  return Number(headers['x-ratelimit-reset']) * (resetUnit === 'seconds' ? 1000 : 1)
}

/** Reads `Retry-After` in the form of a gap; gives Unix milliseconds. */
export function toldRetry({ headers }: ApiResponse, gaps: GapSettings, now: number): number {
  const text = headers['retry-after'] ?? 'none'
  switch (parseGaps(gaps).retryAfterFormat) {
    case 'http-date':
      return Date.parse(text)
    case 'unix-time':
      return Number(text) * 1000
    case 'milliseconds':
      return now + Number(text)
    default:
      return now + Math.round(Number(text) * 1000)
  }
}
