import { isPreflight, preflightLines } from '../adapters/parts/cors.ts'
import { answerRequest } from '../adapters/parts/node/answer-request.ts'
import type { Connection } from '../adapters/parts/node/connections.ts'
import { withPrefix } from '../mock/controls/har.ts'
import { apiErrorResponse } from '../mock/controls/http/handle-control.ts'
import type { Sandbox } from '../mock/sandbox.ts'
import { corsHeaders } from '../mock/spec/gaps/responses.ts'
import { defaultGaps } from '../mock/spec/gaps.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type Arrived,
  finish,
  type Headers,
  type Outcome,
} from '../mock/spec/message.ts'
import { realNow } from '../mock/spec/real-time.ts'
import { findSandbox, type RequestContext, type Site } from './site.ts'

/** Responds to an API request, for the default sandbox or a named one. */
export function answerApi(site: Site, context: RequestContext): Promise<void> {
  const { request, response, target, connection, headers } = context
  const { method, httpVersion } = request
  const { name, url } = target
  if (isPreflight({ method, headers })) {
    const asked = name === undefined ? site.sandbox : site.pool.find(name)
    const lines = preflightLines({ headers }, asked?.gaps)
    response.writeHead(204, [...lines, ...dateLines(asked)]).end()
    context.leave()
    return Promise.resolve()
  }
  const { owner, number } = connection
  let arrival = arriveAt(site, name, headers, number)
  const head = {
    url,
    headers,
    addedLines: [],
    unreadable: hostProblem(headers, httpVersion),
  }
  const answer = (sent: ApiRequest): Promise<Outcome> => {
    // The sandbox may have been created or replaced meanwhile.
    if (name !== undefined && site.pool.find(name) !== arrival?.sandbox) {
      arrival = arriveAt(site, name, headers, number)
    }
    return execute(site, sent, { owner, arrived: arrival?.arrived }, name)
  }
  return answerRequest(context, head, answer, context.body).then(() => {
    if (arrival !== undefined) finish(arrival.sandbox, arrival.arrived, owner)
  })
}

/** Returns the outcome of a request to the default sandbox for which Node has no response object. */
export async function outcomeOf(
  site: Site,
  request: ApiRequest,
  { owner, number }: Connection,
): Promise<Outcome> {
  const arrived = site.sandbox.arrivals.arrive('server', number)
  const outcome = await execute(site, request, { owner, arrived }, undefined)
  finish(site.sandbox, arrived, owner)
  return outcome
}

interface ArrivedAt {
  readonly sandbox: Sandbox
  readonly arrived: Arrived
}

/** Records that a request has arrived; returns `undefined` if the sandbox doesn't exist. */
function arriveAt(
  site: Site,
  name: string | undefined,
  headers: Headers,
  connection: number,
): ArrivedAt | undefined {
  const found = findSandbox(site, name, headers, apiErrorResponse)
  if (!('sandbox' in found)) return undefined
  const { sandbox } = found
  return { sandbox, arrived: sandbox.arrivals.arrive('server', connection) }
}

/** Connection and arrival of a request that waits for its response. */
interface Waiting {
  /** Aborts when the client disconnects or the server stops. */
  readonly owner: AbortSignal
  /** `undefined` if the sandbox doesn't exist. */
  readonly arrived: Arrived | undefined
}

/**
 * Returns the outcome of an API request and calls `onRequest`.
 *
 * @param name The named sandbox; `undefined` for the default one.
 */
function execute(
  site: Site,
  request: ApiRequest,
  { owner, arrived }: Waiting,
  name: string | undefined,
): Promise<Outcome> {
  const found = findSandbox(site, name, request.headers, apiErrorResponse)
  const sandbox = 'sandbox' in found ? found.sandbox : undefined
  const { onRequest } = site
  const begun = onRequest && { at: (sandbox ?? site.sandbox).clock.now(), realMs: realNow() }
  const answered =
    'rejection' in found
      ? Promise.resolve(readable(found.rejection, request))
      : found.sandbox.handle(request, owner, arrived)
  if (name === undefined && begun === undefined) return answered
  return answered.then((plain) => {
    const outcome =
      name === undefined || !('headers' in plain)
        ? plain
        : { ...plain, headers: withPrefix(plain.headers, `/sandboxes/${name}`) }
    if (begun === undefined) return outcome
    const { at, realMs } = begun
    try {
      onRequest?.({ request, outcome, sandbox, at, durationMs: realNow() - realMs })
    } catch (error) {
      // An error of the user's listener must not affect the request.
      site.reportBug(error)
    }
    return outcome
  })
}

/** Adds the headers that let a page read a response of the server itself. */
function readable(reply: ApiResponse, { headers: { origin } }: ApiRequest): ApiResponse {
  if (origin === undefined) return reply
  return { ...reply, headers: { ...reply.headers, ...corsHeaders(defaultGaps) } }
}

/** Returns the `Date` header of a sandbox; empty if the sandbox doesn't exist, since a preflight doesn't create it. */
function dateLines(found: Sandbox | undefined): readonly string[] {
  return found === undefined ? [] : ['Date', new Date(found.clock.now()).toUTCString()]
}

/** Returns an error message for an HTTP/1.1 request without exactly one `Host` header (RFC 9112, 3.2). */
function hostProblem({ host }: Headers, httpVersion: string): string | undefined {
  const isMissing = host === undefined && httpVersion === '1.1'
  // Node joins two `Host` headers with a comma, which no host contains.
  if (!isMissing && host?.includes(',') !== true) return undefined
  const found = isMissing ? 'no Host header' : 'more than one Host header'
  return `Cannot read the request: it has ${found}; send exactly one, as HTTP/1.1 requires`
}
