import { basePath } from '../contract/endpoints.ts'
import { ApiError, errorCodes } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { toJson } from '../contract/int64.ts'
import type { ApiRequest, Headers } from '../contract/message.ts'
import { formatInstant } from '../input/instant.ts'
import { show } from '../input/show.ts'
import type { Answer, Operation } from '../operations/operation.ts'
import type { State } from '../state/state.ts'
import type { Route } from './router.ts'

/** An answer with its own headers, and the refusal behind it, if any. */
export interface Decision extends Answer {
  readonly headers: Headers
  readonly refusal: ApiError | undefined
}

const noHeaders: Headers = {}

/** Runs an answer and turns a refusal into an Error body; anything else thrown is a bug (spec 7). */
export function decide(answer: () => Answer, { gaps, keys }: State, token: string): Decision {
  try {
    const { status, body } = answer()
    return { status, body, headers: noHeaders, refusal: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    const { status, headers, message } = thrown
    // A message that quotes the request may quote a key that was sent in the wrong place.
    const shown = message.includes('"') ? keys.hideIn(message, token) : message
    const body = errorBody(thrown, shown, gaps)
    return { status, headers, body, refusal: thrown }
  }
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

function goneMessage({ name, method, deprecated }: Operation): string {
  if (deprecated === undefined) return `Cannot use ${name}: it was removed`
  const removedOn = formatInstant(deprecated.sunsetAt).slice(0, 'YYYY-MM-DD'.length)
  return `Cannot use ${name}: it was removed on ${removedOn}; use ${method} ${deprecated.successor}`
}
