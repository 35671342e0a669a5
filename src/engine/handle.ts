import { ApiError } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import {
  type ApiRequest,
  type Headers,
  type Outcome,
  type Reply,
  utf8Length,
} from '../contract/message.ts'
import { plans } from '../contract/plans.ts'
import { applyFaults, faultRefusal } from '../faults/apply-faults.ts'
import type { Answer } from '../operations/operation.ts'
import type { State } from '../state/state.ts'
import { authenticate } from './authenticate.ts'
import { deprecationHeaders } from './deprecation.ts'
import { commonHeaders, refuse, report } from './rate-limit.ts'
import { decide, runRoute } from './refusals.ts'
import { findRoute, type Route } from './router.ts'

/** Turns a request into its outcome: the whole path of a request, from top to bottom. */
export async function handle(request: ApiRequest, state: State): Promise<Outcome> {
  const { clock, gaps, quotas } = state
  const now = clock.now()
  const route = findRoute(request, gaps, now)
  const operation = 'operation' in route ? route.operation : undefined
  const caller = authenticate(request.headers.authorization, state, now)
  const key = caller.kind === 'key' ? caller.key : undefined
  const limits = key?.limits ?? plans.free
  const usage =
    caller.kind === 'key'
      ? quotas.ofKey(caller.key, now, gaps.quotaWindow)
      : quotas.ofStranger(caller.token, now, gaps.quotaWindow)

  const isLimited = key !== undefined && state.rateLimit === 'enforced'
  const isOver = isLimited ? refuse(usage, limits, gaps, now) : undefined
  const target = { operation: operation?.name, method: request.method, key: key?.key }
  const isReadable = request.unreadable === undefined
  const isLetIn = key !== undefined && isOver === undefined && isReadable
  const strikes = state.faults.strike(target, isLetIn)
  const isUsedUp = strikes.some(({ effect }) => effect.kind === 'rate-limit')
  if (isUsedUp) usage.setRemaining({ minute: 0 }, limits)
  const over = isUsedUp ? refuse(usage, limits, gaps, now) : isOver
  const isSpent = key === undefined ? gaps.unauthorizedQuota === 'counted' : over === undefined
  if (isSpent) usage.spend()

  const decision = decide(
    () => {
      if (caller.kind === 'stranger' && isReadable && !isOpen(route, gaps)) throw caller.refusal
      if (over !== undefined) throw over.error
      if (!isReadable) throw new ApiError('invalid_request', request.unreadable)
      const fault = faultRefusal(strikes)
      if (fault !== undefined && key !== undefined) throw fault
      return runRoute(request, route, state)
    },
    state,
    caller.token,
  )
  const isRefunded = isSpent && gaps.countedRequests === 'successful' && decision.status >= 300
  if (isRefunded) usage.refund()

  const quota = over?.report ?? report(usage, limits, gaps)
  const headers = { ...commonHeaders(clock.httpDate(now), quota), ...decision.headers }
  if (operation?.deprecated !== undefined)
    Object.assign(headers, deprecationHeaders(operation, gaps))
  const reply = toReply(request, decision, headers)
  const outcome = strikes.length === 0 ? reply : await applyFaults(reply, strikes, clock)
  state.journal.add({
    request,
    outcome,
    operation: operation?.name,
    spec: operation?.spec,
    token: caller.token,
    at: now,
    endedAt: clock.now(),
    quota,
    isSpent: isSpent && !isRefunded,
    refusal: decision.refusal,
    gaps,
    strikes,
  })
  return outcome
}

/** Whether an unknown path or method says so even to a caller without a key. */
function isOpen(route: Route, gaps: GapChoices): boolean {
  const isKnown = route.kind === 'operation' || route.kind === 'removed'
  return !isKnown && gaps.unknownRouteWithoutKey === 'not-found'
}

function toReply({ method }: ApiRequest, { status, body }: Answer, headers: Headers): Reply {
  if (method !== 'HEAD') return { kind: 'reply', status, headers, body }
  // Nobody else can tell the length of a body that isn't sent.
  const length = { 'content-length': String(utf8Length(body)) }
  return { kind: 'reply', status, headers: { ...headers, ...length }, body: '' }
}
