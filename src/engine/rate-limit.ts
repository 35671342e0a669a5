import { ApiError } from '../contract/error.ts'
import type { GapChoices, GapName } from '../contract/gaps.ts'
import { lastDateAt, retryAfter } from '../contract/http/retry-after.ts'
import type { Limits } from '../contract/plans.ts'
import { formatInstant } from '../input/instant.ts'
import type { BanCause, Usage, Window } from '../state/quotas.ts'

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
 * `X-RateLimit-Reset` is the instant at which the key is served again, and `Retry-After` the same or, padded, later.
 *
 * @param now Unix milliseconds.
 * @param gap The gap whose choice leads to it.
 */
export function refuseOverLimit(
  usage: Usage,
  full: readonly Window[],
  limits: Limits,
  gaps: GapChoices,
  now: number,
  gap?: GapName,
): OverLimit {
  const isBanned = usage.isBanned(now)
  const window = latest(full, limits) ?? tightest(usage, limits)
  // A window that outlasts the ban would refuse the retry.
  const untilAt = Math.max(
    isBanned ? usage.bannedUntilAt : 0,
    ...full.map((one) => resetAtOf(one, limits)),
  )
  const latestAt = gaps.retryAfterFormat === 'http-date' ? lastDateAt : Number.POSITIVE_INFINITY
  const resetAt = Math.min(untilAt, latestAt)
  const retryAt = gaps.retryAfterPrecision === 'padded' ? resetAt + paddingMs : resetAt
  return {
    error: isBanned
      ? bannedError(usage, retryAt, gaps, now)
      : fullError(window, limits, retryAt, gaps, now, gap),
    report: { window: window.name, limit: limits[window.name], remaining: 0, resetAt },
  }
}

/** How much later a padded `Retry-After` is than necessary. */
const paddingMs = 5_000

/** The window that has room last; the first one of two that have it together. */
function latest(windows: readonly Window[], limits: Limits): Window | undefined {
  return windows.toSorted((one, other) => resetAtOf(other, limits) - resetAtOf(one, limits))[0]
}

function resetAtOf(window: Window, limits: Limits): number {
  return window.resetAt(limits[window.name])
}

function fullError(
  window: Window,
  limits: Limits,
  retryAt: number,
  gaps: GapChoices,
  now: number,
  gap: GapName | undefined,
): ApiError {
  const limit = limits[window.name]
  return new ApiError(
    'rate_limit_exceeded',
    `Cannot serve the request: the limit of ${limit} requests per ${window.name} is reached; retry at ${formatInstant(retryAt)}`,
    { ...retryAfter(retryAt, gaps, now), gap },
  )
}

/** Why a key is banned, in words. */
const banCauses: Readonly<Record<BanCause, string>> = {
  requests: 'since requests went on after a 429',
  control: 'by a control of the sandbox',
}

function bannedError(
  { bannedBy }: Usage,
  retryAt: number,
  gaps: GapChoices,
  now: number,
): ApiError {
  return new ApiError(
    'key_banned',
    `Cannot serve the request: the API key is banned, ${banCauses[bannedBy]}; retry at ${formatInstant(retryAt)}`,
    { ...retryAfter(retryAt, gaps, now), status: gaps.banStatus },
  )
}

/** Describes the window chosen by the gap `reportedWindow`. */
export function reportOf(usage: Usage, limits: Limits, gaps: GapChoices): Report {
  const window =
    gaps.reportedWindow === 'tightest' ? tightest(usage, limits) : usage[gaps.reportedWindow]
  return {
    window: window.name,
    limit: limits[window.name],
    remaining: remainingOf(window, limits),
    resetAt: resetAtOf(window, limits),
  }
}

/** The window with the fewest requests left; on a tie, the one that has more room later. */
function tightest({ minute, day }: Usage, limits: Limits): Window {
  const difference = remainingOf(minute, limits) - remainingOf(day, limits)
  if (difference !== 0) return difference < 0 ? minute : day
  return resetAtOf(minute, limits) > resetAtOf(day, limits) ? minute : day
}

function remainingOf(window: Window, limits: Limits): number {
  return Math.max(0, limits[window.name] - window.used)
}
