import { ApiError } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { Headers } from '../contract/message.ts'
import type { Limits } from '../contract/plans.ts'
import { formatInstant } from '../input/instant.ts'
import type { Usage, Window } from '../state/quotas.ts'

/** What the `X-RateLimit-*` headers of one reply say. */
export interface Report {
  readonly window: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds, on a whole second. */
  readonly resetAt: number
}

/** A refusal for quota: the error, and the report that agrees with it. */
export interface OverLimit {
  readonly error: ApiError
  readonly report: Report
}

/** The windows that have no room for another request. */
export function fullWindows(usage: Usage, limits: Limits): readonly Window[] {
  return usage.windows.filter((window) => window.used >= limits[window.name])
}

/**
 * Makes the refusal of a request whose key is banned, or has full windows (spec 8).
 *
 * `Retry-After` and `X-RateLimit-Reset` both come from the instant at which the key is served again.
 *
 * @param now Unix milliseconds.
 */
export function refuseOverLimit(
  usage: Usage,
  full: readonly Window[],
  limits: Limits,
  gaps: GapChoices,
  now: number,
): OverLimit {
  const isBanned = usage.isBanned(now)
  const window = latest(full) ?? tightest(usage, limits)
  // A window that outlasts the ban would refuse the retry.
  const untilAt = Math.max(isBanned ? usage.bannedUntilAt : 0, ...full.map(({ endAt }) => endAt))
  const retryAt = Math.min(untilAt, lastDateAt)
  return {
    error: isBanned
      ? bannedError(retryAt, gaps, now)
      : fullError(window, limits, retryAt, gaps, now),
    report: { window: window.name, limit: limits[window.name], remaining: 0, resetAt: retryAt },
  }
}

/** The window that ends last; the first one of two that end together. */
function latest(windows: readonly Window[]): Window | undefined {
  return windows.toSorted((one, other) => other.endAt - one.endAt)[0]
}

function fullError(
  window: Window,
  limits: Limits,
  retryAt: number,
  gaps: GapChoices,
  now: number,
): ApiError {
  const limit = limits[window.name]
  return new ApiError(
    'rate_limit_exceeded',
    `Cannot serve the request: the limit of ${limit} requests per ${window.name} is reached; retry at ${formatInstant(retryAt)}`,
    { headers: retryAfter(retryAt, gaps, now) },
  )
}

function bannedError(retryAt: number, gaps: GapChoices, now: number): ApiError {
  return new ApiError(
    'key_banned',
    `Cannot serve the request: the API key is banned, since requests went on after a 429; retry at ${formatInstant(retryAt)}`,
    { headers: retryAfter(retryAt, gaps, now), status: gaps.banStatus },
  )
}

/** The last second that an HTTP date can express. */
const lastDateAt = Date.UTC(9999, 11, 31, 23, 59, 59)

function retryAfter(at: number, gaps: GapChoices, now: number): Headers {
  const isDate = gaps.retryAfterFormat === 'http-date'
  return {
    'retry-after': isDate ? new Date(at).toUTCString() : String(Math.ceil((at - now) / 1000)),
  }
}

/** Describes the window chosen by the gap `reportedWindow`. */
export function reportOf(usage: Usage, limits: Limits, gaps: GapChoices): Report {
  const window =
    gaps.reportedWindow === 'tightest' ? tightest(usage, limits) : usage[gaps.reportedWindow]
  return {
    window: window.name,
    limit: limits[window.name],
    remaining: remainingOf(window, limits),
    resetAt: window.endAt,
  }
}

/** The window with the fewest requests left; on a tie, the one that ends later. */
function tightest({ minute, day }: Usage, limits: Limits): Window {
  const difference = remainingOf(minute, limits) - remainingOf(day, limits)
  return difference < 0 || (difference === 0 && minute.endAt > day.endAt) ? minute : day
}

function remainingOf(window: Window, limits: Limits): number {
  return Math.max(0, limits[window.name] - window.used)
}
