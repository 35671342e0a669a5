import { ApiError, invalidRequest, type KeyProblem } from '../api/error.ts'
import { lastDateAt, rejectionLimits, retryAfter, retryTime } from '../api/gaps/limits.ts'
import type { GapValues } from '../api/gaps.ts'
import { type ApiRequest, copyPart } from '../api/message.ts'
import { type Limits, plans } from '../api/plans.ts'
import type { AppliedFault } from '../faults/apply-faults.ts'
import { formatInstant } from '../input/values.ts'
import type { ApiKey } from '../state/keys.ts'
import type { BanCause, Usage, Window } from '../state/quotas.ts'
import type { State } from '../state/state.ts'
import { findRoute, type Route, rejectionByRoute } from './router.ts'

/** Client of a request: the holder of a valid key, or an unauthenticated client with its error. */
type Client =
  | { readonly kind: 'key'; readonly token: string; readonly key: ApiKey }
  | { readonly kind: 'unauthenticated'; readonly token: string; readonly rejection: ApiError }

const bearerPattern = /^(bearer) +([A-Za-z0-9\-._~+/]+=*) *$/i

/** Maximum length of a key, in characters. */
const maxKeyLength = 200

/** Identifies the client of a request by its `Authorization` header (spec 5). */
export function authenticate(
  authorization: string | undefined,
  { keys, gaps }: State,
  now: number,
): Client {
  const [, scheme, token] = bearerPattern.exec(authorization ?? '') ?? []
  if (token === undefined) {
    const found =
      authorization === undefined
        ? 'the Authorization header is missing'
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
  // The log keeps the token, and its text is already in memory.
  if (key !== undefined && keyProblem === undefined) return { kind: 'key', token: key.key, key }
  return unauthenticated(
    token,
    `the API key ${keyProblem === 'expired' ? 'has' : 'is'} ${keyProblem}`,
    'Bearer realm="petstore", error="invalid_token"',
    { keyProblem },
  )
}

/** Returns why a key is invalid now; `undefined` if it is valid. */
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
  const rejection = new ApiError('unauthorized', message, {
    headers: { 'www-authenticate': challenge },
    ...why,
  })
  return { kind: 'unauthenticated', token: copyPart(token, 0, maxKeyLength), rejection }
}

/**
 * Returns the error with which a state would reject a request regardless of quotas; changes nothing.
 *
 * @param now Unix milliseconds.
 */
export function rejectionUnder(
  request: ApiRequest,
  state: State,
  now: number,
): ApiError | undefined {
  const client = authenticate(request.headers.authorization, state, now)
  if (client.kind === 'unauthenticated') return client.rejection
  return rejectionByRoute(request, findRoute(request, state.gaps, now), state)
}

/** Decision whether a request reaches its operation, with its effect on the client's quota. */
interface Admission {
  /** Error that ends the request; the order of precedence is over a limit, unreadable, no valid key, a fault. */
  readonly rejection: ApiError | undefined
  readonly appliedFaults: readonly AppliedFault[]
  readonly usage: Usage
  readonly limits: Limits
  /** Quota in the headers, if the request is over a limit. */
  readonly report: Report | undefined
  readonly isSpent: boolean
}

/**
 * Decides whether to admit a request, counts it in its client's quota, and counts the rejections that lead to a ban
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
  let over =
    key !== undefined && state.rateLimits === 'enforce'
      ? overLimit(request, route, limits, usage, state, now)
      : undefined

  const isAdmitted = key !== undefined && over === undefined && unreadable === undefined
  const operation = 'operation' in route ? route.operation.name : undefined
  const appliedFaults = state.faults.match(
    { operation, method: request.method, key: key?.key },
    isAdmitted ? 'admitted' : 'rejected',
    now,
  )
  for (const { action } of appliedFaults) {
    if (action.step !== 'use-up') continue
    if (over?.isSpent === true) usage.refund()
    usage.setRemaining({ [action.window]: 0 }, limits)
    over = overLimit(request, route, limits, usage, state, now)
  }
  const isSpent = over?.isSpent ?? (key !== undefined || gaps.unauthenticatedQuota === 'counted')
  if (over === undefined && isSpent) usage.spend()
  const rejection =
    over?.error ??
    unreadable ??
    keyRejection(client, route, gaps) ??
    injectedRejection(appliedFaults, now, gaps)
  return { rejection, appliedFaults, usage, limits, report: over?.report, isSpent }
}

/**
 * Refunds the quota of a request if the status of its response doesn't count; returns the quota for the response.
 */
export function settle(
  { isSpent, usage, limits, report }: Admission,
  status: number,
  gaps: GapValues,
): { readonly isSpent: boolean; readonly quota: Report } {
  const isAdmitted = isSpent && report === undefined
  const isRefunded = isAdmitted && status >= 300 && gaps.countedRequests === 'successful'
  if (isRefunded) usage.refund()
  return { isSpent: isSpent && !isRefunded, quota: report ?? reportOf(usage, limits, gaps) }
}

/** Returns the error for a request over a limit, and counts it; too many rejections in one window ban the key. */
function overLimit(
  request: ApiRequest,
  route: Route,
  limits: Limits,
  usage: Usage,
  state: State,
  now: number,
): OverLimit | undefined {
  const { gaps } = state
  const rejectAt = rejectionLimits(limits, gaps)
  if (!isFull(usage.minute, rejectAt) && !isFull(usage.day, rejectAt) && !usage.isBanned(now)) {
    return undefined
  }
  const unreadable =
    request.unreadable === undefined ? undefined : invalidRequest(request.unreadable)
  const error =
    gaps.errorPrecedence === 'request'
      ? (unreadable ?? rejectionByRoute(request, route, state))
      : undefined
  if (error === undefined) {
    const full = usage.windows.filter((window) => isFull(window, rejectAt))
    usage.countRejection(full, gaps, now)
  }
  const isSpent = gaps.rejectedRequests === 'counted' && error === undefined
  // Before the rejection says when there is room again.
  if (isSpent) usage.spend()
  const over = rejectOverLimit(usage, limits, gaps, now)
  return { ...over, error: error ?? over.error, isSpent }
}

/** Whether a window has no room for a request. */
function isFull(window: Window, rejectAt: Limits): boolean {
  return window.used >= rejectAt[window.name]
}

/** Returns the error for a client without a valid key, unless its path is unknown and 404 takes precedence. */
function keyRejection(client: Client, { kind }: Route, gaps: GapValues): ApiError | undefined {
  if (client.kind === 'key') return undefined
  const isUnknown = kind === 'unknown' || kind === 'other-method'
  return isUnknown && gaps.unknownRouteWithoutKey === 'not-found' ? undefined : client.rejection
}

/** Returns the error with which a fault replaces the operation. */
function injectedRejection(
  appliedFaults: readonly AppliedFault[],
  now: number,
  gaps: GapValues,
): ApiError | undefined {
  for (const { action } of appliedFaults)
    if (action.step === 'reject') return action.rejection(now, gaps)
  return undefined
}

/** Values of the `X-RateLimit-*` headers of one response. */
export interface Report {
  readonly window: keyof Limits
  readonly limit: number
  readonly remaining: number
  /** Unix milliseconds. */
  readonly resetAt: number
}

/** Error for an exceeded limit, and the header values that agree with it. */
interface OverLimit {
  readonly error: ApiError
  readonly report: Report
  /** Whether the rejected request counts towards the limits all the same. */
  readonly isSpent: boolean
}

/**
 * Creates the error for a request whose key is banned or exhausted (spec 8).
 *
 * The header `X-RateLimit-Reset` contains the instant at which requests succeed again; `Retry-After` contains the same
 * instant or, with padding, a later one.
 *
 * @param now Unix milliseconds.
 */
function rejectOverLimit(
  usage: Usage,
  limits: Limits,
  gaps: GapValues,
  now: number,
): Omit<OverLimit, 'isSpent'> {
  const isBanned = usage.isBanned(now)
  const rejectAt = rejectionLimits(limits, gaps)
  const full = usage.windows.filter((one) => isFull(one, rejectAt))
  const window = latest(full, rejectAt) ?? tightest(usage, limits)
  // A window that outlasts the ban would reject the retry.
  const untilAt = Math.max(
    isBanned ? usage.bannedUntilAt : 0,
    ...full.map((one) => resetAtOf(one, rejectAt)),
  )
  const latestAt = gaps.retryAfterFormat === 'http-date' ? lastDateAt : Number.POSITIVE_INFINITY
  const resetAt = Math.min(untilAt, latestAt)
  const retryAt = retryTime(resetAt, gaps)
  const limit = limits[window.name]
  const isEarly = !isBanned && window.used < limit
  const reached = isEarly
    ? `${rejectAt[window.name]} of ${limit} requests per ${window.name} are used`
    : `the limit of ${limit} requests per ${window.name} is reached`
  const why = isBanned ? `the API key is banned, ${banCauses[usage.bannedBy]}` : reached
  return {
    error: new ApiError(
      isBanned ? 'key_banned' : 'rate_limit_exceeded',
      `Cannot serve the request: ${why}; retry at ${formatInstant(retryAt)}`,
      {
        ...retryAfter(retryAt, gaps, now),
        ...(isBanned ? { status: gaps.banStatus } : { gap: isEarly ? 'rejectsAt' : undefined }),
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

/** Returns the window that has capacity last; the first one on a tie. */
function latest(windows: readonly Window[], limits: Limits): Window | undefined {
  return windows.toSorted((one, other) => resetAtOf(other, limits) - resetAtOf(one, limits))[0]
}

function resetAtOf(window: Window, limits: Limits): number {
  return window.resetAt(limits[window.name])
}

/** Messages for the causes of a ban. */
const banCauses: Readonly<Record<BanCause, string>> = {
  requests: 'since requests went on after a 429',
  control: 'by a control of the sandbox',
  settings: 'as this key is set up in the sandbox',
}

/** Returns the header values of the window that the gap `reportedWindow` selects. */
function reportOf(usage: Usage, limits: Limits, gaps: GapValues): Report {
  const window =
    gaps.reportedWindow === 'tightest' ? tightest(usage, limits) : usage[gaps.reportedWindow]
  return {
    window: window.name,
    limit: limits[window.name],
    remaining: remainingOf(window, limits),
    resetAt: resetAtOf(window, limits),
  }
}

/** Returns the window with the fewest remaining requests; on a tie, the one that gains capacity later. */
function tightest({ minute, day }: Usage, limits: Limits): Window {
  const difference = remainingOf(minute, limits) - remainingOf(day, limits)
  if (difference !== 0) return difference < 0 ? minute : day
  return resetAtOf(minute, limits) > resetAtOf(day, limits) ? minute : day
}

function remainingOf(window: Window, limits: Limits): number {
  return Math.max(0, limits[window.name] - window.used)
}
