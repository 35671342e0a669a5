import type { AppliedFault } from '../faults/apply-faults.ts'
import { formatInstant } from '../input/values.ts'
import { ApiError, invalidRequest, type KeyProblem } from '../spec/error.ts'
import { lastDateAt, rejectionLimits, retryAfter, retryTime } from '../spec/gaps/limits.ts'
import type { GapChoices, GapName } from '../spec/gaps.ts'
import type { ApiRequest } from '../spec/message.ts'
import { type Limits, plans } from '../spec/plans.ts'
import type { ApiKey } from '../state/keys.ts'
import type { BanCause, Usage, Window } from '../state/quotas.ts'
import type { State } from '../state/state.ts'
import { findRoute, type Route, refusalByRoute } from './router.ts'

/** Who sends a request: the holder of a valid key, or an unauthenticated client with the refusal that is due. */
type Client =
  | { readonly kind: 'key'; readonly token: string; readonly key: ApiKey }
  | { readonly kind: 'unauthenticated'; readonly token: string; readonly refusal: ApiError }

const bearerPattern = /^(bearer) +([A-Za-z0-9\-._~+/]+=*) *$/i

/** The longest text that a key can have. */
const maxKeyLength = 200

/** Finds out who sends a request, by its `Authorization` (spec 5). */
export function authenticate(
  authorization: string | undefined,
  { keys, gaps }: State,
  now: number,
): Client {
  const [, scheme, token] = bearerPattern.exec(authorization ?? '') ?? []
  if (token === undefined) {
    const found =
      authorization === undefined
        ? 'there is no Authorization header'
        : 'the Authorization header is not a single bearer token'
    return unauthenticated('', found, 'Bearer realm="petstore"', { keyProblem: 'missing' })
  }
  if (scheme !== 'Bearer' && gaps.bearerScheme === 'case-sensitive') {
    return unauthenticated(token, 'the scheme is not written Bearer', 'Bearer realm="petstore"', {
      gap: 'bearerScheme',
    })
  }
  const key = keys.find(token)
  const keyProblem = key === undefined ? 'unknown' : problemOf(key, now)
  if (key !== undefined && keyProblem === undefined) return { kind: 'key', token, key }
  return unauthenticated(
    token,
    `the API key ${keyProblem === 'expired' ? 'has' : 'is'} ${keyProblem}`,
    'Bearer realm="petstore", error="invalid_token"',
    { keyProblem },
  )
}

/** What makes a key invalid now; `undefined` for nothing. */
function problemOf(key: ApiKey, now: number): KeyProblem | undefined {
  if (key.isRevoked) return 'revoked'
  return key.expiresAt !== undefined && now >= key.expiresAt ? 'expired' : undefined
}

function unauthenticated(
  token: string,
  found: string,
  challenge: string,
  why: Partial<Pick<ApiError, 'gap' | 'keyProblem'>>,
): Client {
  const message = `Cannot authenticate: ${found}; send Authorization: Bearer <API_KEY>`
  const refusal = new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': challenge },
    ...why,
  })
  return { kind: 'unauthenticated', token: token.slice(0, maxKeyLength), refusal }
}

/**
 * Finds how a state would refuse a request for what it is, whatever the quota; changes nothing.
 *
 * @param now Unix milliseconds.
 */
export function refusalUnder(request: ApiRequest, state: State, now: number): ApiError | undefined {
  const client = authenticate(request.headers.authorization, state, now)
  if (client.kind === 'unauthenticated') return client.refusal
  return refusalByRoute(request, findRoute(request, state.gaps, now), state)
}

/** Whether a request gets as far as its operation, and what it does to the quota of its client. */
interface Admission {
  /** Why it gets no further, in the order of refusals: over a limit, no valid key, unreadable, a fault. */
  readonly refusal: ApiError | undefined
  readonly strikes: readonly AppliedFault[]
  readonly usage: Usage
  readonly limits: Limits
  /** What the headers say, where it is over a limit. */
  readonly report: Report | undefined
  readonly isSpent: boolean
}

/**
 * Decides whether a request is let in, spends its client's quota, and counts the refusals that lead to a ban
 * (spec 5, 8).
 *
 * @param now Unix milliseconds.
 */
export function admit(
  request: ApiRequest,
  route: Route,
  client: Client,
  state: State,
  now: number,
): Admission {
  const { gaps, quotas } = state
  const key = client.kind === 'key' ? client.key : undefined
  const limits = key?.limits ?? plans.free
  const unreadable =
    request.unreadable === undefined ? undefined : invalidRequest(request.unreadable)
  const usage =
    key === undefined
      ? quotas.ofUnknown(client.token, now, gaps.quotaWindow)
      : quotas.ofKey(key, now, gaps.quotaWindow)
  const isLimited =
    state.rateLimits === 'enforce' && (key !== undefined || gaps.unauthenticatedLimit === 'limited')
  let over = isLimited ? overLimit(request, route, key, usage, state, now) : undefined

  const isAdmitted = key !== undefined && over === undefined && unreadable === undefined
  const operation = 'operation' in route ? route.operation.name : undefined
  const strikes = state.faults.strike(
    { operation, method: request.method, key: key?.key },
    isAdmitted ? 'admitted' : 'refused',
  )
  for (const { action } of strikes) {
    if (action.step !== 'use-up') continue
    if (over?.isSpent === true) usage.refund()
    usage.setRemaining({ [action.window]: 0 }, limits)
    over = overLimit(request, route, key, usage, state, now)
  }
  const isSpent = over?.isSpent ?? (key !== undefined || gaps.unauthenticatedQuota === 'counted')
  if (over === undefined && isSpent) usage.spend()
  const refusal =
    over?.error ??
    unreadable ??
    keyRefusal(client, route, gaps) ??
    injectedRefusal(strikes, now, gaps)
  return { refusal, strikes, usage, limits, report: over?.report, isSpent }
}

/**
 * Settles the quota of a request by the status of its response; returns what the response says of it.
 *
 * @param status The status of the response.
 */
export function settle(
  { isSpent, usage, limits, report }: Admission,
  status: number,
  gaps: GapChoices,
): { readonly isSpent: boolean; readonly quota: Report } {
  const isAdmitted = isSpent && report === undefined
  const isRefunded = isAdmitted && status >= 300 && gaps.countedRequests === 'successful'
  if (isRefunded) usage.refund()
  return { isSpent: isSpent && !isRefunded, quota: report ?? reportOf(usage, limits, gaps) }
}

/** Refuses a request that is over a limit, and counts that: too many refusals in one window are a ban. */
function overLimit(
  request: ApiRequest,
  route: Route,
  key: ApiKey | undefined,
  usage: Usage,
  state: State,
  now: number,
): OverLimit | undefined {
  const { gaps } = state
  const limits = key?.limits ?? plans.free
  const rejection = rejectionLimits(limits, gaps)
  if (!isFull(usage.minute, rejection) && !isFull(usage.day, rejection) && !usage.isBanned(now)) {
    return undefined
  }
  const isCounted = gaps.rejectedRequests === 'counted'
  if (key === undefined) {
    const isSpent = isCounted && gaps.unauthenticatedQuota === 'counted'
    if (isSpent) usage.spend()
    return { ...refuseOverLimit(usage, limits, gaps, now, 'unauthenticatedLimit'), isSpent }
  }
  const unreadable =
    request.unreadable === undefined ? undefined : invalidRequest(request.unreadable)
  const error =
    gaps.errorPrecedence === 'request'
      ? (unreadable ?? refusalByRoute(request, route, state))
      : undefined
  if (error === undefined) {
    const full = usage.windows.filter((window) => isFull(window, rejection))
    usage.countRefusal(full, gaps, now)
  }
  const isSpent = isCounted && error === undefined
  // Before the rejection says when there is room again.
  if (isSpent) usage.spend()
  const over = refuseOverLimit(usage, limits, gaps, now)
  return { ...over, error: error ?? over.error, isSpent }
}

/** Whether a window has no room for a request. */
function isFull(window: Window, rejection: Limits): boolean {
  return window.used >= rejection[window.name]
}

/** The refusal of a client without a valid key; an unknown path may say so even to that. */
function keyRefusal(client: Client, { kind }: Route, gaps: GapChoices): ApiError | undefined {
  if (client.kind === 'key') return undefined
  const isUnknown = kind === 'unknown' || kind === 'other-method'
  return isUnknown && gaps.unknownRouteWithoutKey === 'not-found' ? undefined : client.refusal
}

/** The refusal by which a fault replaces the operation. */
function injectedRefusal(
  strikes: readonly AppliedFault[],
  now: number,
  gaps: GapChoices,
): ApiError | undefined {
  for (const { action } of strikes) if (action.step === 'refuse') return action.refusal(now, gaps)
  return undefined
}

/** What the `X-RateLimit-*` headers of one reply say. */
export interface Report {
  readonly window: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetAt: number
}

/** A refusal for quota: the error, and the report that agrees with it. */
interface OverLimit {
  readonly error: ApiError
  readonly report: Report
  /** Whether the rejected request counts towards the limits all the same. */
  readonly isSpent: boolean
}

/**
 * Makes the refusal of a request whose key is banned, or has full windows (spec 8).
 *
 * `X-RateLimit-Reset` is the instant at which the key is served again, and `Retry-After` the same or, padded, later.
 *
 * @param now Unix milliseconds.
 * @param gap The gap whose choice leads to it.
 */
function refuseOverLimit(
  usage: Usage,
  limits: Limits,
  gaps: GapChoices,
  now: number,
  gap?: GapName,
): Omit<OverLimit, 'isSpent'> {
  const isBanned = usage.isBanned(now)
  const rejection = rejectionLimits(limits, gaps)
  const full = usage.windows.filter((one) => isFull(one, rejection))
  const window = latest(full, rejection) ?? tightest(usage, limits)
  // A window that outlasts the ban would refuse the retry.
  const untilAt = Math.max(
    isBanned ? usage.bannedUntilAt : 0,
    ...full.map((one) => resetAtOf(one, rejection)),
  )
  const latestAt = gaps.retryAfterFormat === 'http-date' ? lastDateAt : Number.POSITIVE_INFINITY
  const resetAt = Math.min(untilAt, latestAt)
  const retryAt = retryTime(resetAt, gaps)
  const limit = limits[window.name]
  const isEarly = !isBanned && window.used < limit
  const reached = isEarly
    ? `${rejection[window.name]} of ${limit} requests per ${window.name} are used`
    : `the limit of ${limit} requests per ${window.name} is reached`
  const why = isBanned ? `the API key is banned, ${banCauses[usage.bannedBy]}` : reached
  return {
    error: new ApiError(
      isBanned ? 'key_banned' : 'rate_limit_exceeded',
      `Cannot serve the request: ${why}; retry at ${formatInstant(retryAt)}`,
      {
        ...retryAfter(retryAt, gaps, now),
        ...(isBanned ? { status: gaps.banStatus } : { gap: isEarly ? 'rejectsAt' : gap }),
      },
    ),
    report: {
      window: window.name,
      limit,
      remaining: isBanned ? 0 : remainingOf(window, limits),
      resetAt,
    },
  }
}

/** The window that has room last; the first one of two that have it together. */
function latest(windows: readonly Window[], limits: Limits): Window | undefined {
  return windows.toSorted((one, other) => resetAtOf(other, limits) - resetAtOf(one, limits))[0]
}

function resetAtOf(window: Window, limits: Limits): number {
  return window.resetAt(limits[window.name])
}

/** Why a key is banned, in words. */
const banCauses: Readonly<Record<BanCause, string>> = {
  requests: 'since requests went on after a 429',
  control: 'by a control of the sandbox',
  settings: 'as this key is set up in the sandbox',
}

/** Describes the window chosen by the gap `reportedWindow`. */
function reportOf(usage: Usage, limits: Limits, gaps: GapChoices): Report {
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
