import { basePath } from '../contract/endpoints.ts'
import { ApiError, errorCodes } from '../contract/error.ts'
import type { GapChoices } from '../contract/gaps.ts'
import { InputError, show } from '../contract/input.ts'
import { toJson } from '../contract/int64.ts'
import { type ApiRequest, type Outcome, utf8Length } from '../contract/message.ts'
import { plans } from '../contract/plans.ts'
import type { Answer } from '../operations/operation.ts'
import type { State } from '../state/state.ts'
import { authenticate } from './authenticate.ts'
import { deprecationHeaders } from './deprecation.ts'
import { type Report, refuse, report } from './rate-limit.ts'
import { findRoute, type Route } from './router.ts'

/** Turns a request into its outcome: the whole path of a request, from top to bottom. */
export async function handle(request: ApiRequest, state: State): Promise<Outcome> {
  const now = state.clock.now()
  const { gaps } = state
  const route = findRoute(request, gaps, now)
  const caller = authenticate(request.headers.authorization, state, now)

  const limits = caller.kind === 'key' ? caller.key.limits : plans.free
  const usage =
    caller.kind === 'key'
      ? state.quotas.ofKey(caller.key, now, gaps.quotaWindow)
      : state.quotas.ofStranger(caller.token, now, gaps.quotaWindow)
  const isLimited = caller.kind === 'key' && state.rateLimit === 'enforced'
  const refusal = isLimited ? refuse(usage, limits, gaps, now) : undefined
  const isCounted =
    caller.kind === 'key' ? refusal === undefined : gaps.unauthorizedQuota === 'counted'
  if (isCounted) usage.spend()

  const answer = answerOrRefuse(() => {
    if (request.unreadable !== undefined) throw new ApiError('invalid_request', request.unreadable)
    if (caller.kind === 'stranger' && !isOpen(route, gaps)) throw caller.refusal
    if (refusal !== undefined) throw refusal.error
    return run(request, route, state)
  }, gaps)
  const isRefunded = isCounted && gaps.countedRequests === 'successful' && answer.status >= 300
  if (isRefunded) usage.refund()

  return reply(request, answer, {
    date: state.clock.httpDate(now),
    ...rateLimitHeaders(refusal?.report ?? report(usage, limits, gaps)),
    ...deprecation(route, gaps),
    ...answer.headers,
  })
}

interface HeadedAnswer extends Answer {
  readonly headers?: Readonly<Record<string, string>>
}

/** Whether an unknown path or method says so even to a caller without a key. */
function isOpen(route: Route, gaps: GapChoices): boolean {
  const isKnown = route.kind === 'operation' || route.kind === 'removed'
  return !isKnown && gaps.unknownRouteWithoutKey === 'not-found'
}

function run(request: ApiRequest, route: Route, state: State): Answer {
  switch (route.kind) {
    case 'operation':
      return route.operation.run({ request, params: route.params, query: route.query, state })
    case 'removed':
      throw new ApiError(
        'gone',
        `Cannot use ${route.operation.name}: it was removed on 5 December 2030; use GET /pets`,
      )
    case 'other-method':
      throw new ApiError(
        'method_not_allowed',
        `Cannot ${show(request.method).slice(1, -1)} ${show(route.path)}: the path has only ${route.allow}`,
        { headers: { allow: route.allow } },
      )
    case 'unknown':
      throw new ApiError(
        'not_found',
        `Cannot find ${show(route.path)}: there is no such path; the API is under ${basePath}`,
      )
  }
}

/** Turns a refusal into an Error body (spec 7); anything else that is thrown is a fault of ours. */
function answerOrRefuse(answer: () => Answer, gaps: GapChoices): HeadedAnswer {
  try {
    return answer()
  } catch (thrown) {
    const error =
      thrown instanceof InputError ? new ApiError('invalid_request', thrown.message) : thrown
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, headers: error.headers, body: errorBody(error, gaps) }
  }
}

function errorBody({ code, message, status }: ApiError, { errorCodes: style }: GapChoices): string {
  const written =
    style === 'opaque'
      ? errorCodes[code].opaque
      : style === 'UPPER_CASE'
        ? code.toUpperCase()
        : code
  return toJson({ code: written, message, status })
}

function rateLimitHeaders({ limit, remaining, resetAt }: Report): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(Math.ceil(resetAt / 1000)),
  }
}

function deprecation(route: Route, gaps: GapChoices): Record<string, string> {
  return 'operation' in route ? deprecationHeaders(route.operation, gaps) : {}
}

function reply(
  { method }: ApiRequest,
  { status, body }: Answer,
  headers: Readonly<Record<string, string>>,
): Outcome {
  const typed = { 'content-type': 'application/json', ...headers }
  if (method !== 'HEAD') return { kind: 'reply', status, headers: typed, body }
  // Nobody else can tell the length of a body that isn't sent.
  return {
    kind: 'reply',
    status,
    headers: { ...typed, 'content-length': String(utf8Length(body)) },
    body: '',
  }
}
