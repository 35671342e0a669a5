import { endpoints } from '../api/endpoints.ts'
import { errorCodes } from '../api/error.ts'
import { formatValue } from '../api/gaps.ts'
import { headersFrom } from '../api/http.ts'
import { type ApiRequest, type Headers, type ReadBody, utf8Length } from '../api/message.ts'
import { definedOf } from '../input/record.ts'
import { formatInstant } from '../input/values.ts'
import type { LoggedRequest, RequestResult } from './logged-request.ts'
import { redactAuthorization, redactKey } from './redactor.ts'
import type { RequestView } from './request-view.ts'
import { cutBody } from './shared-memory.ts'

/** Returns the decision that led to a response; an injected error has no clause. */
function decisionOf({ rejection, operation, appliedFaults }: RequestResult) {
  const spec = operation === undefined ? undefined : endpoints[operation].spec
  if (rejection === undefined) return { code: undefined, spec: spec ?? '4', gap: undefined }
  const { code, gap } = rejection
  const isInjected = appliedFaults.some(({ action }) => action.step === 'reject')
  if (isInjected) return { code, spec: undefined, gap: undefined }
  const hasOwnClause = code === 'invalid_request' || code === 'not_found'
  return { code, spec: (hasOwnClause ? spec : undefined) ?? errorCodes[code].spec, gap }
}

/** Returns the status of a response, or how the connection broke. */
export function statusOf({ outcome }: Pick<LoggedRequest | RequestView, 'outcome'>) {
  return 'status' in outcome ? outcome.status : outcome.kind
}

/** Returns the reason for a response, with the deciding clause or gap. */
function whyOf(logged: LoggedRequest): string {
  const { result } = logged
  const { appliedFaults, abortedBy } = result
  const struck = appliedFaults.map(({ id, fault }) => `fault ${id} (${fault})`)
  const ended = abortedBy === undefined ? [] : [`${abortedBy} before the response`]
  return [`${statusOf(logged)}: ${reasonOf(result)}`, ...struck, ...ended].join('; ')
}

function reasonOf(result: RequestResult): string {
  const { rejection, operation, window, limit, remaining, token, gaps } = result
  const { spec, gap } = decisionOf(result)
  if (rejection === undefined) return `${operation ?? 'handled'}; spec ${spec}`
  if (spec === undefined) return rejection.message
  const value = gap === undefined ? '' : `, gap ${gap}=${formatValue(gap, gaps[gap])}`
  if (rejection.code === 'rate_limit_exceeded') {
    const owner = token === '' ? 'requests without a key' : `key ${redactKey(token)}`
    return `the ${window} quota of ${owner} is exhausted, ${limit - remaining} of ${limit}; spec ${spec}${value}`
  }
  return `${rejection.message}; spec ${spec}${value}`
}

/**
 * Returns the view of a request in the log.
 *
 * @param hide Abbreviates keys in a text.
 */
export function showRequest(logged: LoggedRequest, hide: (text: string) => string): RequestView {
  const { id, at, endedAt = at, result } = logged
  const { operation, token, window, limit, remaining, resetAt, isSpent, appliedFaults } = result
  const request = cutBody(logged.request)
  return {
    id,
    at: formatInstant(at),
    // The clock may have been set back meanwhile.
    durationMs: Math.max(0, endedAt - at),
    ...(operation === undefined ? {} : { operation }),
    ...(token === '' ? {} : { key: redactKey(token) }),
    request: {
      method: hide(request.method),
      url: hide(request.url),
      headers: hideInHeaders(request.headers, hide),
      ...showBody(request, hide),
    },
    outcome: showOutcome(logged, hide),
    quota: {
      ...{ window, limit, remaining },
      resetAt: formatInstant(resetAt),
      counted: isSpent,
    },
    faults: appliedFaults.map((strike) => strike.id),
    why: hide(whyOf(logged)),
    ...factsOf(logged),
  }
}

/** Returns a request in the log without its bodies. */
export function withoutBodies(entry: RequestView): RequestView {
  const { request, outcome } = entry
  // A newer server may have other shapes.
  if (request === undefined || (request.body === '' && !('body' in outcome && outcome.body !== '')))
    return entry
  return {
    ...entry,
    request: { ...request, body: '' },
    outcome: 'body' in outcome ? { ...outcome, body: '' } : outcome,
  }
}

/** Returns the facts about a request besides its messages. */
function factsOf(logged: LoggedRequest) {
  const { client, result } = logged
  const { rejection, petId, total, count } = result
  const { adapter, connection, startOrder, endOrder, receivedUs, endedUs, delivery } = logged
  const retryAt = rejection?.retryAt
  return {
    decision: definedOf({
      ...decisionOf(result),
      retryAt: retryAt === undefined ? undefined : formatInstant(retryAt),
      petId: petId === undefined ? undefined : String(petId),
      total,
      count,
    }),
    sequence: { start: startOrder, ...definedOf({ end: endOrder }) },
    receivedMs: receivedUs / 1000,
    client: client,
    adapter,
    ...definedOf({
      endedMs: endedUs === undefined ? undefined : endedUs / 1000,
      connection,
      delivery,
    }),
  }
}

/** Headers that contain nothing but a secret, known or not. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization'])

function hideInHeaders(headers: Headers, hide: (text: string) => string): Headers {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [
    hide(name),
    credentials.has(name) ? redactAuthorization(value) : hide(value),
  ])
  return Object.fromEntries(shown)
}

/** Returns a body with its keys hidden, and its size in bytes if it isn't shown as sent. */
function showBody({ body, bodyBytes }: ReadBody, hide: (text: string) => string): ReadBody {
  const shown = hide(body)
  const bytes = bodyBytes ?? (shown === body ? undefined : utf8Length(body))
  return bytes === undefined ? { body: shown } : { body: shown, bodyBytes: bytes }
}

/** Returns the headers of a response as the host sends them. */
function sentHeaders(
  { headers, body, bodyBytes }: ReadBody & { readonly headers: Headers },
  { addedLines }: ApiRequest,
): Headers {
  if (addedLines === undefined) return { ...headers }
  const length = headers['content-length'] ?? String(bodyBytes ?? utf8Length(body))
  return { ...headers, 'content-length': length, ...headersFrom(addedLines) }
}

function showOutcome(
  { request, outcome, at: startedAt, endedAt = startedAt, result: { sent } }: LoggedRequest,
  hide: (text: string) => string,
): RequestView['outcome'] {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { status } = outcome
  const response = {
    status,
    headers: hideInHeaders(sentHeaders(outcome, request), hide),
    ...showBody(outcome, hide),
  }
  if (outcome.kind === 'response') return { kind: 'response', ...response }
  const { end } = outcome
  if (sent?.end === undefined) return { kind: 'broken-response', ...response, end }
  const { bytes, at } = sent.end
  const bodyMs = Math.max(0, at - endedAt)
  return { kind: 'broken-response', ...response, end, sentBytes: bytes, bodyMs }
}
