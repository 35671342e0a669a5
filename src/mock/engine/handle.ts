import { ApiError, errorCodes } from '../api/error.ts'
import { deprecationHeaders } from '../api/gaps/deprecation.ts'
import { codeText } from '../api/gaps/errors.ts'
import { resetText } from '../api/gaps/limits.ts'
import { bodyText, contentTypeText, corsHeaders } from '../api/gaps/responses.ts'
import type { GapValues } from '../api/gaps.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type Headers,
  type Outcome,
  serverStops,
  utf8Length,
} from '../api/message.ts'
import { applyFaults } from '../faults/apply-faults.ts'
import { lastInstantAt } from '../input/values.ts'
import type { LoggedRequest, SentBody } from '../log/logged-request.ts'
import type { Clock } from '../state/clock.ts'
import type { State } from '../state/state.ts'
import { admit, authenticate, type Report, settle } from './admit.ts'
import type { OperationResult } from './operations/operation.ts'
import { findRoute, type Route, runRoute } from './router.ts'

/**
 * Handles a request and returns its outcome; read from top to bottom, this is the whole path of a request.
 *
 * @param arrived Record of the request in the log, created on its arrival.
 * @param signal Aborts when the client disconnects, which ends all waits.
 */
export function handle(
  sent: ApiRequest,
  state: State,
  arrived: LoggedRequest,
  signal?: AbortSignal,
): Promise<Outcome> {
  const { clock, gaps, requests: log } = state
  const now = clock.now()
  const logged = log.begin(sent, arrived, now)
  const route = findRoute(sent, gaps, now)
  const client = authenticate(sent.headers.authorization, state, now)
  const admission = admit(sent, route, client, state, now)
  const { appliedFaults } = admission
  const decision = decide(sent, route, admission.rejection, state, client.token)
  const { isSpent, quota } = settle(admission, decision.status, gaps)
  const response = responseOf(sent, route, decision, quota, gaps, dateOf(clock, now, gaps))
  const sentBody: SentBody | undefined = appliedFaults.length === 0 ? undefined : { end: undefined }
  const finish = (outcome: Outcome): Outcome => {
    const result = {
      operation: 'operation' in route ? route.operation.name : undefined,
      token: client.token,
      window: quota.window,
      limit: quota.limit,
      remaining: quota.remaining,
      resetAt: quota.resetAt,
      isSpent,
      rejection: decision.rejection,
      petId: decision.petId,
      total: decision.total,
      count: decision.count,
      gaps,
      appliedFaults,
      sent: sentBody,
      abortedBy: abortedBy(signal),
    }
    // Only faults take time; without one, the clock isn't read again.
    log.end(logged, outcome, result, sentBody === undefined ? now : clock.now(), signal)
    return outcome
  }
  // Asynchronous in any case, so that all requests sent together begin before the first of them ends.
  if (sentBody === undefined) return Promise.resolve(response).then(finish)
  return applyFaults(response, appliedFaults, clock, signal)
    .then((outcome) => watchBody(outcome, sentBody, clock))
    .then(finish)
}

/** Returns the `Date` of a response, ahead of the clock by the gap `dateHeaderSkew` (spec 9). */
function dateOf(clock: Clock, now: number, { dateHeaderSkew }: GapValues): string {
  return clock.httpDate(
    dateHeaderSkew === 'none' ? now : Math.min(now + dateHeaderSkew, lastInstantAt),
  )
}

/** Returns what aborted a request; `undefined` if it wasn't aborted. */
function abortedBy(signal: AbortSignal | undefined): string | undefined {
  if (signal?.aborted !== true) return undefined
  return signal.reason === serverStops ? serverStops : 'the client left'
}

/** Content of a response, its own headers, and the error behind it, if any. */
interface Decision {
  readonly status: number
  readonly body: string | undefined
  readonly petId: OperationResult['petId'] | undefined
  readonly total: number | undefined
  readonly count: number | undefined
  readonly headers: Headers
  readonly rejection: ApiError | undefined
}

const noHeaders: Headers = {}

/** Runs a route and turns an API error into an Error body; anything else thrown is a bug (spec 7). */
function decide(
  request: ApiRequest,
  route: Route,
  rejection: ApiError | undefined,
  state: State,
  token: string,
): Decision {
  const { gaps, keys } = state
  try {
    if (rejection !== undefined) throw rejection
    const { status, body: plain, petId, total, count } = runRoute(request, route, state)
    const body = plain === undefined ? undefined : bodyText(plain, gaps)
    return { status, body, petId, total, count, headers: noHeaders, rejection: undefined }
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown
    const { status, headers } = thrown
    const shown = shownMessage(thrown, gaps, (text) => keys.hideIn(text, token))
    const body = bodyText(errorBody(thrown, shown, gaps), gaps)
    const none = { petId: undefined, total: undefined, count: undefined }
    return { status, headers, body, ...none, rejection: thrown }
  }
}

function shownMessage(
  { message, status }: ApiError,
  { errorMessages }: GapValues,
  hide: (text: string) => string,
): string {
  if (errorMessages === 'generic') return `The service has rejected the request: ${status}`
  // A message that quotes the request may quote a key that was sent in the wrong place.
  return message.includes('"') ? hide(message) : message
}

function errorBody({ code, status }: ApiError, message: string, gaps: GapValues): string {
  return JSON.stringify({ code: codeText(code, errorCodes[code].opaque, gaps), message, status })
}

/** Creates the response for a decision, with the headers that every response has (spec 1, 8). */
function responseOf(
  { method, headers: { origin }, hasHostCors }: ApiRequest,
  route: Route,
  { status, body, headers: own }: Decision,
  { limit, remaining, resetAt }: Report,
  gaps: GapValues,
  date: string,
): ApiResponse {
  const headers: Record<string, string> = {
    'content-type': contentTypeText(gaps),
    date,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': resetText(resetAt, gaps),
  }
  for (const name in own) headers[name] = own[name] ?? ''
  if ('operation' in route && route.operation.deprecated !== undefined) {
    Object.assign(headers, deprecationHeaders(route.operation.deprecated, gaps))
  }
  if (origin !== undefined && hasHostCors !== true) Object.assign(headers, corsHeaders(gaps))
  if (body === undefined) delete headers['content-type']
  if (method !== 'HEAD') return { kind: 'response', status, headers, body: body ?? '' }
  // Adapters can't know the length of a body that isn't sent.
  if (body !== undefined) headers['content-length'] = String(utf8Length(body))
  return { kind: 'response', status, headers, body: '' }
}

/** Records for the request log how much of a body in pieces is sent, and when it ends. */
function watchBody(outcome: Outcome, sent: SentBody, clock: Clock): Outcome {
  if (outcome.kind !== 'broken-response') return outcome
  return { ...outcome, pieces: watched(outcome.pieces, sent, clock) }
}

async function* watched(
  pieces: AsyncIterable<string>,
  sent: SentBody,
  clock: Clock,
): AsyncGenerator<string> {
  let bytes = 0
  try {
    for await (const piece of pieces) {
      yield piece
      // The adapter requests the next piece once it has sent this one.
      bytes += utf8Length(piece)
    }
  } finally {
    sent.end = { bytes, at: clock.now() }
  }
}
