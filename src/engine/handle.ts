import { type ApiRequest, type Outcome, serverStops } from '../contract/message.ts'
import { applyFaults } from '../faults/apply-faults.ts'
import { lastInstantAt } from '../input/instant.ts'
import type { Exchange, SentBody, SettledVisit } from '../state/exchange.ts'
import type { State } from '../state/state.ts'
import { admit } from './admit.ts'
import { authenticate } from './authenticate.ts'
import { decide, runRoute } from './decide.ts'
import { replyOf } from './reply.ts'
import { findRoute } from './router.ts'
import { watchBody } from './watch-body.ts'

/**
 * Turns a request into its outcome: read it from top to bottom for the whole path of a request.
 *
 * @param visit The way of the request through its door.
 * @param owner Aborts when the client leaves; then nothing waits any more.
 */
export async function handle(
  sent: ApiRequest,
  state: State,
  visit: SettledVisit,
  owner?: AbortSignal,
): Promise<Outcome> {
  const { clock, gaps } = state
  const now = clock.now()
  const asked = state.journal.begin(sent, now, visit.facts)
  const { request } = asked
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
  const reply = replyOf(request, route, decision, quota, gaps, dateOf(state, now))
  const sentBody: SentBody | undefined = strikes.length === 0 ? undefined : { end: undefined }
  // Awaited in any case, so that requests that are sent together all begin before the first of them is answered.
  const outcome = await (sentBody === undefined
    ? reply
    : applyFaults(reply, strikes, clock, owner).then((one) => watchBody(one, sentBody, clock)))
  // Nothing but a fault takes time, so the clock needs no second look.
  const endedAt = visit.settle(outcome, owner, sentBody === undefined ? now : clock.now())
  const operation = 'operation' in route ? route.operation : undefined
  const exchange: Exchange = {
    request,
    outcome,
    operation: operation?.name,
    spec: operation?.spec,
    token: caller.token,
    caller: state.journal.callerOf(caller.token),
    visit: visit.facts,
    at: now,
    endedAt,
    quota,
    isSpent,
    refusal: decision.refusal,
    petId: decision.petId,
    total: decision.total,
    gaps,
    strikes,
    sent: sentBody,
    cutShort: cutShortBy(owner),
  }
  state.journal.add(exchange, asked)
  return outcome
}

/** The `Date` of a reply, ahead of the clock where the gap says so (spec 9). */
function dateOf({ clock, gaps: { dateSkew } }: State, now: number): string {
  if (dateSkew === 'none') return clock.httpDate(now)
  return new Date(Math.min(now + dateSkew, lastInstantAt)).toUTCString()
}

/** What ended the waits of a request before their time; `undefined` for nothing. */
function cutShortBy(owner: AbortSignal | undefined): string | undefined {
  if (owner?.aborted !== true) return undefined
  return owner.reason === serverStops ? serverStops : 'the client left'
}
