import { basePath } from '../contract/endpoints.ts'
import { ApiError, errorCodes } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { toJson } from '../contract/int64.ts'
import type { ApiRequest, Headers } from '../contract/message.ts'
import { InputError, show } from '../input/input-error.ts'
import type { Answer } from '../operations/operation.ts'
import type { State } from '../state/state.ts'
import type { Route } from './router.ts'

/** An answer with the headers that it needs, and the refusal that it came of. */
export interface Decision extends Answer {
  readonly headers: Headers
  readonly refusal: ApiError | undefined
}

const noHeaders: Headers = {}

/** Carries an answer out, and turns a refusal into an Error body (spec 7); anything else thrown is a fault of ours. */
export function decide(answer: () => Answer, { gaps, keys }: State, token: string): Decision {
  try {
    const { status, body } = answer()
    return { status, body, headers: noHeaders, refusal: undefined }
  } catch (thrown) {
    const refusal = refusalOf(thrown)
    const { status, headers, message } = refusal
    // What quotes the request may quote a key that was sent in the wrong place.
    const shown = message.includes('"') ? keys.hideIn(message, token) : message
    const body = errorBody(refusal, shown, gaps)
    return { status, headers, body, refusal }
  }
}

function refusalOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown
  if (!(thrown instanceof InputError)) throw thrown
  return new ApiError('invalid_request', thrown.message, { gap: thrown.gap })
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
  return toJson({ code: written, message, status })
}

/**
 * Runs the operation that a route leads to.
 *
 * @throws {@link ApiError} or {@link InputError} where there is none, or where it refuses.
 */
export function runRoute(request: ApiRequest, route: Route, state: State): Answer {
  switch (route.kind) {
    case 'operation':
      return route.operation.run({ request, params: route.params, query: route.query, state })
    case 'removed':
      throw new ApiError(
        'gone',
        `Cannot use ${route.operation.name}: it was removed on 5 December 2030; use GET /pets`,
        { gap: 'afterSunset' },
      )
    case 'other-method':
      throw new ApiError(
        'method_not_allowed',
        `Cannot use ${show(request.method)} on ${show(route.path)}: the path has only ${route.allow}`,
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
