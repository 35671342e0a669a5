import { type HttpHandler, http } from 'msw'
import { basePath } from '../mock/api/endpoints.ts'
import { headersFrom } from '../mock/api/http.ts'
import type { RequestTarget } from '../mock/api/message.ts'
import { host } from '../mock/api/real-time.ts'
import { object } from '../mock/input/object.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { basePattern, baseUrl, baseUrlOption } from './parts/base-url.ts'
import { hideFromPage, isPreflight, preflightLines } from './parts/cors.ts'
import { type FetchAdapter, fetchResponse, type Line } from './parts/fetch/fetch-response.ts'

const mswOptions = object({
  /** The base address of the API; by default `/v1` of any origin. */
  baseUrl: baseUrlOption,
})

/** Options of {@link createHandlers}. */
export interface MswOptions extends Input<typeof mswOptions> {}

/**
 * Creates handlers that respond from a sandbox, for `setupServer`, `setupWorker` or `defineNetwork` of MSW 2 or 3.
 * Handlers placed before them, as `server.use()` does, override them.
 *
 * They handle every path under a base address; unknown paths get 404. A connection broken by a fault becomes
 * `Response.error()`, or a body that fails its reader. A request that a fault leaves without a response ends when its
 * client aborts it, or when the sandbox is reset. CORS works as in the server, for the pages of jsdom and happy-dom.
 *
 * @throws {@link InputError} for an unknown option, or a base address that is neither a URL nor a path.
 */
export function createHandlers(sandbox: RequestTarget, options: MswOptions = {}): HttpHandler[] {
  const read = readInput(mswOptions, options)
  const pattern = basePattern(read.baseUrl)
  const targetOf = (url: string): string => url.replace(pattern, basePath)
  // A regular expression, since MSW 2 throws on `%zz` when it matches a path in its own syntax.
  const handler = http.all(pattern, ({ request }) => respond(request, sandbox, targetOf))
  handler.info.header = `petstore-sandbox at ${[baseUrl.encode(read.baseUrl)].flat().join(', ')}`
  return [handler]
}

/** Handles a request that MSW has intercepted. */
async function respond(
  request: Request,
  sandbox: RequestTarget,
  targetOf: FetchAdapter['targetOf'],
): Promise<Response> {
  const { method } = request
  const headers = headersFrom([...request.headers].flat())
  if (isPreflight({ method, headers }) || isPreflightOfHappyDom(request)) {
    const lines = pairsOf(preflightLines({ headers }, sandbox.gaps))
    return new Response(null, { status: 204, headers: lines })
  }
  const origin = hiddenOrigin(request)
  if (origin !== undefined && sandbox.gaps?.cors === 'none') return Response.error()
  try {
    const response = await fetchResponse(request, sandbox, {
      name: 'msw',
      targetOf,
      disconnect: () => Response.error(),
      lines: connectionLines(),
      origin,
    })
    // A network error has no headers, and can't be changed.
    if (origin !== undefined && response.type !== 'error') hideFromPage(response, sandbox.gaps)
    return response
  } catch (error) {
    // The client has disconnected; MSW would report the error as a bug in the handler.
    if (request.signal.aborted) return Response.error()
    throw error
  }
}

/**
 * Returns the origin of the page that sends a request to another one, where no browser applies CORS to the response: it
 * then hasn't added an `Origin`. `undefined` for any other request.
 */
function hiddenOrigin({ url, headers }: Request): string | undefined {
  const origin = globalThis.location?.origin
  const isForeign = origin !== undefined && !url.startsWith(`${origin}/`)
  return isForeign && !headers.has('origin') ? origin : undefined
}

/**
 * Closes MSW 3's connection in Node: Node's `fetch` reuses one only after a `setImmediate`, so it would wait for ever
 * while a test fakes that.
 */
function connectionLines(): Line[] {
  return host.setImmediate === realSetImmediate ? [] : [['Connection', 'close']]
}

const realSetImmediate: unknown = host.setImmediate

/** Returns whether a request is a preflight of happy-dom, whose `Request` drops all headers that identify one. */
function isPreflightOfHappyDom({ method, headers }: Request): boolean {
  if (method !== 'OPTIONS' || headers.has('authorization')) return false
  return headers.get('user-agent')?.includes('HappyDOM/') === true
}

/** @param lines Alternating names and values. */
function pairsOf(lines: readonly string[]): Line[] {
  return lines.flatMap((name, index) => (index % 2 === 0 ? [[name, lines[index + 1] ?? '']] : []))
}
