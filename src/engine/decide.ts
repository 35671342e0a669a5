import { basePath } from '../contract/endpoints.ts'
import { ApiError, errorCodes } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { ApiRequest, Headers } from '../contract/message.ts'
import { formatInstant } from '../input/instant.ts'
import { show } from '../input/show.ts'
import type { Answer, Operation } from '../operations/operation.ts'
import type { State } from '../state/state.ts'
import { authenticate } from './authenticate.ts'
import { findRoute, type Route } from './router.ts'
import { unpromisedBody } from './unpromised.ts'

/** An answer with its own headers, and the refusal behind it, if any. */
export interface Decision {
  readonly status: number
  readonly body: string | undefined
  readonly petId: Answer['petId'] | undefined
  readonly total: number | undefined
  readonly headers: Headers
  readonly refusal: ApiError | undefined
}

const noHeaders: Headers = {}

/** Runs an answer and turns a refusal into an Error body; anything else thrown is a bug (spec 7). */
export function decide(answer: () => Answer, { gaps, keys }: State, token: string): Decision {
  try {
    const { status, body: plain, petId, total } = answer()
    const body = plain === undefined ? undefined : unpromisedBody(plain, gaps)
    return { status, body, petId, total, headers: noHeaders, refusal: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    const { status, headers } = thrown
    const shown = shownMessage(thrown, gaps, (text) => keys.hideIn(text, token))
    const body = unpromisedBody(errorBody(thrown, shown, gaps), gaps)
    return { status, headers, body, petId: undefined, total: undefined, refusal: thrown }
  }
}

function shownMessage(
  { message, status }: ApiError,
  { messages }: GapChoices,
  hide: (text: string) => string,
): string {
  if (messages === 'other') return `The service has refused the request: ${status}`
  // A message that quotes the request may quote a key that was sent in the wrong place.
  return message.includes('"') ? hide(message) : message
}

function errorBody(
  { code, status }: ApiError,
  message: string,
  { errorCodes: style }: GapChoices,
): string {
  const written =
    style === 'opaque'
      ? errorCodes[code].opaque
      : style === 'UPPER_CASE'
        ? code.toUpperCase()
        : code
  return JSON.stringify({ code: written, message, status })
}

/**
 * Runs a route's operation.
 *
 * @throws {@link ApiError} if there is no operation, or if it refuses.
 */
export function runRoute(request: ApiRequest, route: Route, state: State): Answer {
  switch (route.kind) {
    case 'operation':
      return route.operation.run({ request, params: route.params, query: route.query, state })
    case 'removed':
      throw new ApiError('gone', goneMessage(route.operation), { gap: route.gap })
    case 'other-method':
      throw new ApiError(
        'method_not_allowed',
        `Cannot use ${show(request.method)} on ${show(route.path)}: use ${route.allow}`,
        { headers: { allow: route.allow } },
      )
    case 'unknown':
      throw new ApiError(
        'not_found',
        `Cannot find ${show(route.path)}: there is no such path; the API is under ${basePath}`,
        { gap: route.gap },
      )
  }
}

/**
 * Finds how a state would refuse a request for what it is, whatever the quota; changes nothing.
 *
 * @param now Unix milliseconds.
 */
export function refusalUnder(request: ApiRequest, state: State, now: number): ApiError | undefined {
  const caller = authenticate(request.headers.authorization, state, now)
  if (caller.kind === 'stranger') return caller.refusal
  return refusalByRoute(request, findRoute(request, state.gaps, now), state)
}

/** Finds what a route refuses about a request, without effect; `undefined` for nothing. */
export function refusalByRoute(
  request: ApiRequest,
  route: Route,
  state: State,
): ApiError | undefined {
  try {
    if (route.kind !== 'operation') runRoute(request, route, state)
    else {
      const { operation, params, query } = route
      const context = { request, params, query, state }
      if (operation.check === undefined) operation.run(context)
      else operation.check(context)
    }
    return undefined
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    return thrown
  }
}

function goneMessage({ name, method, deprecated }: Operation): string {
  if (deprecated === undefined) return `Cannot use ${name}: it was removed`
  const removedOn = formatInstant(deprecated.sunsetAt).slice(0, 'YYYY-MM-DD'.length)
  return `Cannot use ${name}: it was removed on ${removedOn}; use ${method} ${deprecated.successor}`
}
