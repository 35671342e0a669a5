import { isPreflight, preflightLines } from '../adapters/parts/cors.ts'
import type { Connection } from '../adapters/parts/node/connections.ts'
import { respondToRequest } from '../adapters/parts/node/respond-to-request.ts'
import { corsHeaders } from '../mock/api/gaps/responses.ts'
import { defaultGaps } from '../mock/api/gaps.ts'
import {
  type ApiRequest,
  type ApiResponse,
  type Arrived,
  finish,
  type Headers,
  type Outcome,
} from '../mock/api/message.ts'
import { realNow } from '../mock/api/real-time.ts'
import { withPrefix } from '../sandbox/controls/har.ts'
import { apiErrorResponse } from '../sandbox/controls/http/handle-control.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { findSandbox, type RequestContext, type Site } from './site.ts'

/**
 * Responds to an API request, for the default sandbox or a named one.
 *
 * @param fail Called with an error that isn't thrown at once.
 */
export function respondToApi(
  site: Site,
  context: RequestContext,
  fail: (error: unknown) => void,
): void {
  const { request, response, target, connection, headers } = context
  const { method, httpVersion } = request
  const { name, url } = target
  if (isPreflight({ method, headers })) {
    const found = name === undefined ? site.sandbox : site.pool.find(name)
    const lines = preflightLines({ headers }, found?.gaps)
    response.writeHead(204, [...lines, ...dateLines(found)]).end()
    context.leave()
    return
  }
  let arrival = arriveAt(site, name, headers, connection)
  const head = { url, headers, addedLines: noLines, unreadable: hostProblem(headers, httpVersion) }
  const handling = {
    respond(sent: ApiRequest): Promise<Outcome> {
      // The sandbox may have been created or replaced meanwhile.
      if (name !== undefined && site.pool.find(name) !== arrival.sandbox) {
        arrival = arriveAt(site, name, headers, connection)
      }
      return execute(site, sent, arrival, connection.signal)
    },
    finish: () => end(arrival, connection),
    fail,
  }
  respondToRequest(context, head, handling, context.body)
}

const noLines: readonly string[] = []

/** Returns the outcome of a request to the default sandbox for which Node has no response object. */
export async function outcomeOf(
  site: Site,
  request: ApiRequest,
  connection: Connection,
): Promise<Outcome> {
  const arrival = arriveAt(site, undefined, request.headers, connection)
  const outcome = await execute(site, request, arrival, connection.signal)
  end(arrival, connection)
  return outcome
}

/** A request that has arrived at the default sandbox, at a named one, or at none. */
type ArrivedAt = { readonly name: string | undefined } & (
  | { readonly sandbox: Sandbox; readonly arrived: Arrived }
  | { readonly sandbox: undefined; readonly rejection: ApiResponse }
)

/**
 * Records that a request has arrived.
 *
 * @param name The named sandbox; `undefined` for the default one.
 */
function arriveAt(
  site: Site,
  name: string | undefined,
  headers: Headers,
  { number, openedMs }: Connection,
): ArrivedAt {
  const found = findSandbox(site, name, headers, apiErrorResponse)
  if ('rejection' in found) return { name, sandbox: undefined, rejection: found.rejection }
  const { sandbox } = found
  return { name, sandbox, arrived: sandbox.arrivals.arrive('server', number, openedMs) }
}

/** Records that nothing more of a response will be sent. */
function end(arrival: ArrivedAt, { signal }: Connection): void {
  if (arrival.sandbox !== undefined) finish(arrival.sandbox, arrival.arrived, signal)
}

/**
 * Returns the outcome of an API request and calls `onRequest`.
 *
 * @param signal Aborts when the client disconnects or the server stops.
 */
function execute(
  site: Site,
  request: ApiRequest,
  arrival: ArrivedAt,
  signal: AbortSignal,
): Promise<Outcome> {
  const { name, sandbox } = arrival
  const { onRequest } = site
  const begun = onRequest && { at: (sandbox ?? site.sandbox).clock.now(), realMs: realNow() }
  const handled =
    arrival.sandbox === undefined
      ? Promise.resolve(readable(arrival.rejection, request))
      : arrival.sandbox.handle(request, signal, arrival.arrived)
  if (name === undefined && begun === undefined) return handled
  return handled.then((plain) => {
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
function readable(response: ApiResponse, { headers: { origin } }: ApiRequest): ApiResponse {
  if (origin === undefined) return response
  return { ...response, headers: { ...response.headers, ...corsHeaders(defaultGaps) } }
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
