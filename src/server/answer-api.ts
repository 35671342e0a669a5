import { corsLines, isPreflight, preflightLines } from '../adapters/parts/cors.ts'
import { longBody, NodeBody, noBody } from '../adapters/parts/node/node-body.ts'
import { writeOutcome } from '../adapters/parts/write-node-outcome.ts'
import { maxBodyBytes } from '../contract/http/read-request.ts'
import {
  type ApiRequest,
  endVisit,
  type Headers,
  type Outcome,
  type Visit,
} from '../contract/message.ts'
import { type Call, findSandbox, type Site } from './site.ts'

/** Answers a request of the API, of the default sandbox or a named one. */
export async function answerApi(site: Site, call: Call): Promise<void> {
  const { request, response, target, client, place, body } = call
  const { method = '', httpVersion, rawHeaders } = request
  const { name, url } = target
  const headers = site.headerReader.read(rawHeaders)
  if (isPreflight({ method, headers })) {
    response.writeHead(204, [...preflightLines({ headers }), ...dateLines(site, name)]).end()
    client.order.leave(place)
    return
  }
  const { owner, connection, order } = client
  let visit = visitOf(site, name, headers, connection)
  const visited = name === undefined ? undefined : site.pool.find(name)
  const isBodiless = method === 'GET' || method === 'HEAD'
  if (!order.isNext(place)) await order.turn(place)
  const reading = isBodiless ? undefined : bodyOf(site, call)
  const { body: text, bodyBytes } =
    reading === undefined ? noBody : await reading.read(headers['content-length'])
  // Others have read it, at once.
  if (body !== undefined && text.length > longBody) await site.longBodies.pass(text.length)
  // The sandbox may have been made meanwhile, or made anew.
  if (name !== undefined && site.pool.find(name) !== visited) {
    visit = visitOf(site, name, headers, connection)
  }
  const addedLines = corsLines({ headers })
  const sent = withHostProblem(
    { method, url, headers, body: text, bodyBytes, addedLines },
    httpVersion,
  )
  let outcome: Outcome
  try {
    const carried = carryOut(site, sent, { owner, visit }, name)
    order.leave(place)
    outcome = await carried
  } finally {
    reading?.release()
  }
  const { unread, wireText } = site
  const bounded = unread.bounded(outcome, response)
  // What came through Express may have middleware that sees what is written.
  const wireOf = body === undefined ? wireText.of : undefined
  const written = writeOutcome(response, bounded, addedLines, unread.watch, wireOf)
  // To await nothing would cost as much as to await something.
  if (written !== undefined) await written
  endVisit(visit, owner)
}

function bodyOf({ longBodies }: Site, { request, body }: Call): NodeBody {
  return body ?? new NodeBody(request, maxBodyBytes, longBodies)
}

/** Notes that a request has arrived; `undefined` where there is no such sandbox. */
function visitOf(
  site: Site,
  name: string | undefined,
  headers: Headers,
  connection: number,
): Visit | undefined {
  const found = findSandbox(site, name, headers)
  return 'sandbox' in found ? found.sandbox.visit('process', connection) : undefined
}

/** Whom an answer is for, and the way there. */
interface Waiting {
  /** Aborts when nobody waits any more. */
  readonly owner: AbortSignal
  /** `undefined` where there is no such sandbox. */
  readonly visit: Visit | undefined
}

/**
 * Gives what becomes of a request of the API, and tells the listener of exchanges.
 *
 * @param name The named sandbox; `undefined` for the default one.
 */
export function carryOut(
  site: Site,
  request: ApiRequest,
  waiting: Waiting,
  name: string | undefined,
): Promise<Outcome> {
  const isPlain = site.onExchange === undefined && name === undefined
  if (!isPlain) return observed(site, request, waiting, name)
  return site.sandbox.handle(request, waiting.owner, waiting.visit)
}

async function observed(
  site: Site,
  request: ApiRequest,
  { owner, visit }: Waiting,
  name: string | undefined,
): Promise<Outcome> {
  const found = findSandbox(site, name, request.headers)
  const sandbox = 'sandbox' in found ? found.sandbox : undefined
  const at = (sandbox ?? site.sandbox).clock.now()
  const begun = performance.now()
  const plain =
    'refuse' in found ? await found.refuse() : await found.sandbox.handle(request, owner, visit)
  const outcome = name === undefined ? plain : withPrefix(plain, `/sandboxes/${name}`)
  const durationMs = performance.now() - begun
  try {
    site.onExchange?.({ request, outcome, sandbox, at, durationMs })
  } catch (error) {
    // A listener of the user's; the exchange goes on without it.
    site.reportBug(error)
  }
  return outcome
}

/** The `Date` header of a sandbox; none if there is no such sandbox, and none is made. */
function dateLines({ sandbox, pool }: Site, name: string | undefined): readonly string[] {
  const found = name === undefined ? sandbox : pool.find(name)
  return found === undefined ? [] : ['Date', new Date(found.clock.now()).toUTCString()]
}

/** Refuses HTTP/1.1 requests without exactly one `Host` (RFC 9112, 3.2). */
function withHostProblem(request: ApiRequest, httpVersion: string): ApiRequest {
  const { host } = request.headers
  const isMissing = host === undefined && httpVersion === '1.1'
  // Two are joined by a comma, which no host contains.
  if (!isMissing && host?.includes(',') !== true) return request
  const found = isMissing ? 'no Host header' : 'more than one Host header'
  const unreadable = `Cannot read the request: it has ${found}; send exactly one, as HTTP/1.1 requires`
  return { ...request, unreadable }
}

/** Puts what a named sandbox points to under its prefix. */
function withPrefix(outcome: Outcome, prefix: string): Outcome {
  if (!('headers' in outcome) || outcome.headers.link === undefined) return outcome
  const link = outcome.headers.link.replace(/^<\//, `<${prefix}/`)
  return { ...outcome, headers: { ...outcome.headers, link } }
}
