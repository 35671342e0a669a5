import type { ApiError } from '../contract/error.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { authenticate } from '../engine/authenticate.ts'
import type { refusalByRoute } from '../engine/decide.ts'
import type { findRoute } from '../engine/router.ts'
import type { State } from '../state/state.ts'

/** The parts of the engine that refuse a request for what it is. */
export interface RefusingEngine {
  readonly authenticate: typeof authenticate
  readonly findRoute: typeof findRoute
  readonly refusalByRoute: typeof refusalByRoute
}

/**
 * Finds how a state would refuse a request for what it is, whatever the quota; changes nothing.
 *
 * @param now Unix milliseconds.
 */
export function refusalUnder(
  engine: RefusingEngine,
  request: ApiRequest,
  state: State,
  now: number,
): ApiError | undefined {
  const caller = engine.authenticate(request.headers.authorization, state, now)
  if (caller.kind === 'stranger') return caller.refusal
  return engine.refusalByRoute(request, engine.findRoute(request, state.gaps, now), state)
}
