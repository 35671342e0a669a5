import { type ApiError, invalidRequest } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import { type Limits, plans } from '../contract/plans.ts'
import { refusalByFault, type Strike } from '../faults/apply-faults.ts'
import type { Usage } from '../state/quotas.ts'
import type { State } from '../state/state.ts'
import type { Caller } from './authenticate.ts'
import { refusalByRoute } from './decide.ts'
import {
  fullWindows,
  type OverLimit,
  type Report,
  refuseOverLimit,
  reportOf,
} from './rate-limit.ts'
import type { Route } from './router.ts'

/** Whether a request gets as far as its operation, and what it does to the quota of its caller. */
export interface Admission {
  /** Why it gets no further, in the order of refusals: over a limit, no valid key, unreadable, a fault. */
  readonly refusal: ApiError | undefined
  /** The faults that strike it. */
  readonly strikes: readonly Strike[]
  /** Takes back what a request has spent that ends in this status, where only successful ones count. */
  settle(status: number): Settlement
}

/** What became of the quota. */
interface Settlement {
  readonly isSpent: boolean
  readonly quota: Report
}

/**
 * Decides whether a request is let in, spends its caller's quota, and counts the refusals that lead to a ban
 * (spec 5, 8).
 *
 * @param now Unix milliseconds.
 */
export function admit(
  request: ApiRequest,
  route: Route,
  caller: Caller,
  state: State,
  now: number,
): Admission {
  const { gaps, quotas } = state
  const key = caller.kind === 'key' ? caller.key : undefined
  const limits = key?.limits ?? plans.free
  const usage =
    caller.kind === 'key'
      ? quotas.ofKey(caller.key, now, gaps.quotaWindow)
      : quotas.ofUnknown(caller.token, now, gaps.quotaWindow)
  const isLimited =
    state.rateLimit === 'enforced' && (key !== undefined || gaps.unauthorizedLimit === 'limited')
  const own = (): ApiError | undefined =>
    gaps.refusalOrder === 'request-first' ? ownRefusal(request, route, state) : undefined
  const overLimit = (): OverLimit | undefined =>
    key === undefined
      ? strangerOverLimit(usage, gaps, now)
      : countOverLimit(usage, limits, gaps, now, own)
  const full = isLimited ? overLimit() : undefined

  const isAdmitted = key !== undefined && full === undefined && request.unreadable === undefined
  const operation = 'operation' in route ? route.operation.name : undefined
  const strikes = state.faults.strike(
    { operation, method: request.method, key: key?.key },
    isAdmitted ? 'admitted' : 'refused',
  )
  const over = useUp(strikes, usage, limits) ? overLimit() : full
  const isSpent = over === undefined && (key !== undefined || gaps.unauthorizedQuota === 'counted')
  if (isSpent) usage.spend()
  return {
    refusal:
      over?.error ??
      keyRefusal(request, caller, route, gaps) ??
      blockedBy(request, strikes, now, gaps),
    strikes,
    settle(status) {
      const isRefunded = isSpent && status >= 300 && gaps.countedRequests === 'successful'
      if (isRefunded) usage.refund()
      return {
        isSpent: isSpent && !isRefunded,
        quota: over?.report ?? reportOf(usage, limits, gaps),
      }
    },
  }
}

/**
 * Refuses a request that is over a limit, and counts that: too many refusals in one window are a ban.
 *
 * @param own Gives what is refused about the request itself, if that goes first.
 */
function countOverLimit(
  usage: Usage,
  limits: Limits,
  gaps: GapChoices,
  now: number,
  own: () => ApiError | undefined,
): OverLimit | undefined {
  const full = fullWindows(usage, limits)
  if (full.length === 0 && !usage.isBanned(now)) return undefined
  const error = own()
  if (error === undefined) usage.countRefusal(full, gaps, now)
  const over = refuseOverLimit(usage, full, limits, gaps, now)
  return error === undefined ? over : { error, report: over.report }
}

/** Refuses a request without a valid key that is over the limit; there is no key that could be banned. */
function strangerOverLimit(usage: Usage, gaps: GapChoices, now: number): OverLimit | undefined {
  const full = fullWindows(usage, plans.free)
  if (full.length === 0) return undefined
  return refuseOverLimit(usage, full, plans.free, gaps, now, 'unauthorizedLimit')
}

/** What is refused about a request itself, whoever sends it. */
function ownRefusal(request: ApiRequest, route: Route, state: State): ApiError | undefined {
  const { unreadable } = request
  return unreadable === undefined
    ? refusalByRoute(request, route, state)
    : invalidRequest(unreadable)
}

/** Uses up the windows that faults ask for; tells whether one did. */
function useUp(strikes: readonly Strike[], usage: Usage, limits: Limits): boolean {
  let isUsedUp = false
  for (const { action } of strikes) {
    if (action.step !== 'use-up') continue
    usage.setRemaining({ [action.window]: 0 }, limits)
    isUsedUp = true
  }
  return isUsedUp
}

/** The refusal of a caller without a valid key; an unknown path may say so even to that. */
function keyRefusal(
  { unreadable }: ApiRequest,
  caller: Caller,
  { kind }: Route,
  gaps: GapChoices,
): ApiError | undefined {
  if (caller.kind === 'key' || unreadable !== undefined) return undefined
  const isUnknown = kind === 'unknown' || kind === 'other-method'
  return isUnknown && gaps.unknownRouteWithoutKey === 'not-found' ? undefined : caller.refusal
}

/** The refusal of what the host could not read, or of a fault. */
function blockedBy(
  { unreadable }: ApiRequest,
  strikes: readonly Strike[],
  now: number,
  gaps: GapChoices,
): ApiError | undefined {
  return unreadable === undefined ? refusalByFault(strikes, now, gaps) : invalidRequest(unreadable)
}
