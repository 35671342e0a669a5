import { isPreflight, preflightLines } from '../adapters/parts/cors.ts'
import { answerRequest } from '../adapters/parts/node/answer-request.ts'
import type { Connection } from '../adapters/parts/node/connections.ts'
import { withPrefix } from '../mock/controls/har.ts'
import { apiRefusalReply } from '../mock/controls/http/handle-control.ts'
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

/** Answers a request of the API, of the default sandbox or a named one. */
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
    // The sandbox may have been made meanwhile, or made anew.
    if (name !== undefined && site.pool.find(name) !== arrival?.sandbox) {
      arrival = arriveAt(site, name, headers, number)
    }
    return execute(site, sent, { owner, arrived: arrival?.arrived }, name)
  }
  return answerRequest(context, head, answer, context.body).then(() => {
    if (arrival !== undefined) finish(arrival.sandbox, arrival.arrived, owner)
  })
}

/** Returns what becomes of a request for which Node has no response object, by the default sandbox. */
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

/** A request that has arrived at its sandbox. */
interface ArrivedAt {
  readonly sandbox: Sandbox
  readonly arrived: Arrived
}

/** Notes that a request has arrived; `undefined` where there is no such sandbox. */
function arriveAt(
  site: Site,
  name: string | undefined,
  headers: Headers,
  connection: number,
): ArrivedAt | undefined {
  const found = findSandbox(site, name, headers, apiRefusalReply)
  if (!('sandbox' in found)) return undefined
  const { sandbox } = found
  return { sandbox, arrived: sandbox.arrivals.arrive('server', connection) }
}

/** Whom an answer is for, and the way there. */
interface Waiting {
  /** Aborts when nobody waits any more. */
  readonly owner: AbortSignal
  /** `undefined` where there is no such sandbox. */
  readonly arrived: Arrived | undefined
}

/**
 * Returns what becomes of a request of the API, and tells the listener of exchanges.
 *
 * @param name The named sandbox; `undefined` for the default one.
 */
function execute(
  site: Site,
  request: ApiRequest,
  { owner, arrived }: Waiting,
  name: string | undefined,
): Promise<Outcome> {
  const found = findSandbox(site, name, request.headers, apiRefusalReply)
  const sandbox = 'sandbox' in found ? found.sandbox : undefined
  const { onRequest } = site
  const begun = onRequest && { at: (sandbox ?? site.sandbox).clock.now(), realMs: realNow() }
  const answered =
    'refusal' in found
      ? Promise.resolve(readable(found.refusal, request))
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
      // A listener of the user's; the exchange goes on without it.
      site.reportBug(error)
    }
    return outcome
  })
}

/** Lets a page read a response that isn't of a sandbox. */
function readable(reply: ApiResponse, { headers: { origin } }: ApiRequest): ApiResponse {
  if (origin === undefined) return reply
  return { ...reply, headers: { ...reply.headers, ...corsHeaders(defaultGaps) } }
}

/** The `Date` header of a sandbox; none if there is no such sandbox, and none is made. */
function dateLines(found: Sandbox | undefined): readonly string[] {
  return found === undefined ? [] : ['Date', new Date(found.clock.now()).toUTCString()]
}

/** Refuses HTTP/1.1 requests without exactly one `Host` (RFC 9112, 3.2). */
function hostProblem({ host }: Headers, httpVersion: string): string | undefined {
  const isMissing = host === undefined && httpVersion === '1.1'
  // Two are joined by a comma, which no host contains.
  if (!isMissing && host?.includes(',') !== true) return undefined
  const found = isMissing ? 'no Host header' : 'more than one Host header'
  return `Cannot read the request: it has ${found}; send exactly one, as HTTP/1.1 requires`
}
