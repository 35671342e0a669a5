import { basePath } from '../mock/api/endpoints.ts'
import type { RequestTarget } from '../mock/api/message.ts'
import { show } from '../mock/input/input-error.ts'
import { object, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { apiPath } from './parts/base-url.ts'
import { isNodeResponse, untilBroken } from './parts/break-connection.ts'
import { type FetchAdapter, fetchResponse } from './parts/fetch/fetch-response.ts'

/** Handles a Fetch API request. */
export interface FetchHandler {
  /** The form in which hosts call it; the context that Bun, Deno and Hono pass is used to break connections. */
  (request: Request, context?: unknown): Promise<Response>
  /** The form in which clients call `fetch`; next to a `Request`, `init` is ignored. */
  (input: Request | URL | string, init?: RequestInit): Promise<Response>
}

const fetchOptions = object({
  /** The path of the API: `/v1` by default, `/` for the root. */
  basePath: withDefault(apiPath, basePath),
})

/** Options of {@link createFetchHandler}. */
export interface FetchOptions extends Input<typeof fetchOptions> {}

/**
 * Creates a `(Request) => Promise<Response>` that responds from a sandbox, for any host that supports the Fetch API:
 * Hono, Bun, Deno, a service worker, a Next.js route handler. It can also replace a client's `fetch`.
 *
 * Paths outside `basePath` get 404. A connection broken by a fault rejects with a `TypeError`, like a failed `fetch`,
 * or fails the reader of the body. A request that a fault leaves without a response does the same once the sandbox is
 * reset. If the host passes its connection, that connection breaks instead: Bun and Deno do so, and
 * `handle(context.req.raw, context.env)` does in Hono. A request whose signal aborts rejects with the signal's reason.
 *
 * @throws {@link InputError} for an unknown option, or a `basePath` that isn't a path.
 */
export function createFetchHandler(
  sandbox: RequestTarget,
  options: FetchOptions = {},
): FetchHandler {
  const { basePath: mount } = readInput(fetchOptions, options)
  const adapterIn = (context: unknown): FetchAdapter => ({
    name: 'fetch',
    targetOf: (url) => targetUnder(mount, url),
    disconnect: () => brokenConnection(context),
    lines: [],
    hasHostCors: true,
  })
  return async (input: unknown, second?: unknown) =>
    await fetchResponse(requestFrom(input, second), sandbox, adapterIn(second))
}

/** Creates the request of a call; hosts pass other values than an `init` as second argument. */
function requestFrom(input: unknown, init: unknown): Request {
  if (isRequest(input)) return input
  if (typeof input === 'string' || input instanceof URL) {
    return new Request(input, isRecord(init) ? init : {})
  }
  throw new TypeError(`Cannot respond: found ${show(input)}; use a Request, or a URL and its init`)
}

/** Narrows to a request, also from another realm or of a host's own class. */
function isRequest(input: unknown): input is Request {
  return typeof input === 'object' && input !== null && 'method' in input && 'signal' in input
}

function targetUnder(mount: string, url: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  if (isUnder(target, mount)) return `${basePath}${target.slice(mount.length)}`
  // Only `basePath` maps to `/v1`. The API has no path that begins with two slashes, so this one gets 404.
  return isUnder(target, basePath) ? `/${target}` : target || '/'
}

function isUnder(target: string, path: string): boolean {
  return target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length))
}

/**
 * Returns the closest equivalent of a broken connection that the caller allows. The context identifies the host: Hono
 * on Node passes the connection itself, and Bun and Deno pass objects that only they have.
 *
 * @throws TypeError if the caller is a client, as a failed `fetch` does.
 */
async function brokenConnection(context: unknown): Promise<Response> {
  if (isRecord(context)) {
    const { outgoing } = context
    if (isNodeResponse(outgoing)) {
      await untilBroken(outgoing)
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
    }
    if ('requestIP' in context || 'remoteAddr' in context) return brokenResponse()
  }
  throw new TypeError('Failed to fetch: a fault broke the connection')
}

/** Returns a response that breaks off before its body; hosts without access to their connections then close them. */
function brokenResponse(): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('A fault broke the connection'))
    },
  })
  // With a length, so that no client takes it for complete.
  return new Response(body, { headers: { 'content-length': '1' } })
}
