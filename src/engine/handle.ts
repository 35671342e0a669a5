import { type ApiRequest, type Outcome, serverStops } from '../contract/message.ts'
import { applyFaults } from '../faults/apply-faults.ts'
import type { State } from '../state/state.ts'
import { admit } from './admit.ts'
import { authenticate } from './authenticate.ts'
import { decide, runRoute } from './decide.ts'
import { replyOf } from './reply.ts'
import { findRoute } from './router.ts'

/**
 * Turns a request into its outcome: read it from top to bottom for the whole path of a request.
 *
 * @param owner Aborts when the client leaves; then nothing waits any more.
 */
export async function handle(
  request: ApiRequest,
  state: State,
  owner?: AbortSignal,
): Promise<Outcome> {
  const { clock, gaps } = state
  const now = clock.now()
  const route = findRoute(request, gaps, now)
  const caller = authenticate(request.headers.authorization, state, now)
  const { refusal, strikes, settle } = admit(request, route, caller, state, now)
  const decision = decide(
    () => {
      if (refusal !== undefined) throw refusal
      return runRoute(request, route, state)
    },
    state,
    caller.token,
  )
  const { isSpent, quota } = settle(decision.status)
  const reply = replyOf(request, route, decision, quota, gaps, clock.httpDate(now))
  const outcome = strikes.length === 0 ? reply : await applyFaults(reply, strikes, clock, owner)
  const operation = 'operation' in route ? route.operation : undefined
  state.journal.add({
    request,
    outcome,
    operation: operation?.name,
    spec: operation?.spec,
    token: caller.token,
    at: now,
    endedAt: clock.now(),
    quota,
    isSpent,
    refusal: decision.refusal,
    gaps,
    strikes,
    cutShort: cutShortBy(owner),
  })
  return outcome
}

/** What ended the waits of a request before their time; `undefined` for nothing. */
function cutShortBy(owner: AbortSignal | undefined): string | undefined {
  if (owner?.aborted !== true) return undefined
  return owner.reason === serverStops ? serverStops : 'the client left'
}
