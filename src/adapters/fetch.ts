import { show } from '../mock/input/input-error.ts'
import { object, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { basePath } from '../mock/spec/endpoints.ts'
import type { RequestTarget } from '../mock/spec/message.ts'
import { apiPath } from './parts/base-url.ts'
import { answerFetch, type FetchAdapter } from './parts/fetch/answer-fetch.ts'
import { isNodeResponse, untilBroken } from './parts/node/write-outcome.ts'

/** Answers a Fetch API request. */
export interface FetchHandler {
  /** As hosts call it; what Bun, Deno and Hono's context hand over with it serves to break connections. */
  (request: Request, context?: unknown): Promise<Response>
  /** As clients call `fetch`; beside a `Request`, `init` is left alone. */
  (input: Request | URL | string, init?: RequestInit): Promise<Response>
}

const fetchOptions = object({
  /** The path of the API: `/v1` by default, `/` for the root. */
  basePath: withDefault(apiPath, basePath),
})

/** Options of {@link createFetchHandler}. */
export type FetchOptions = Input<typeof fetchOptions>

/**
 * Makes a `(Request) => Promise<Response>` that answers from a sandbox, for any host that speaks Fetch: Hono, Bun,
 * Deno, a service worker, a Next.js route handler. It also takes the place of a client's `fetch`.
 *
 * Paths outside `basePath` get 404. A connection broken by a fault rejects with a `TypeError`, like a failed `fetch`,
 * or fails the reader of the body; so does a request that a fault leaves unanswered, once the sandbox is reset. Where a
 * host hands over what it has of the connection, that breaks instead: Bun and Deno do, and `handle(context.req.raw,
 * context.env)` in Hono. A request whose signal aborts rejects with the signal's reason.
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
    await answerFetch(requestFrom(input, second), sandbox, adapterIn(second))
}

/** Makes the request of a call; hosts hand over more than a request, which is no `init`. */
function requestFrom(input: unknown, init: unknown): Request {
  if (isRequest(input)) return input
  if (typeof input === 'string' || input instanceof URL) {
    return new Request(input, isRecord(init) ? init : {})
  }
  throw new TypeError(`Cannot answer: found ${show(input)}; use a Request, or a URL and its init`)
}

/** Narrows to a request, be it of another realm, or made by a host in place of the global class. */
function isRequest(input: unknown): input is Request {
  return typeof input === 'object' && input !== null && 'method' in input && 'signal' in input
}

function targetUnder(mount: string, url: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  if (isUnder(target, mount)) return `${basePath}${target.slice(mount.length)}`
  // Only `basePath` stands for `/v1`; the API has no path that begins with two slashes, so that gets 404.
  return isUnder(target, basePath) ? `/${target}` : target || '/'
}

function isUnder(target: string, path: string): boolean {
  return target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length))
}

/**
 * Returns what stands for a broken connection, as near to one as the caller allows. A host is known by what it hands over
 * beside the request: from Hono on Node it is the connection itself, from Bun and Deno what only they have.
 *
 * @throws TypeError where the caller is a client, as a failed `fetch` does.
 */
async function brokenConnection(context: unknown): Promise<Response> {
  if (isRecord(context)) {
    const { outgoing } = context
    if (isNodeResponse(outgoing)) {
      await untilBroken(outgoing)
      return new Response(null, { headers: { 'x-hono-already-sent': 'true' } })
    }
    if ('requestIP' in context || 'remoteAddr' in context) return brokenReply()
  }
  throw new TypeError('Failed to fetch: a fault broke the connection')
}

/** A reply that breaks off before its body: hosts without a hold on their connections then close them. */
function brokenReply(): Response {
  const body = new ReadableStream({
    pull(controller) {
      controller.error(new TypeError('A fault broke the connection'))
    },
  })
  // With a length, so that no client takes it for whole.
  return new Response(body, { headers: { 'content-length': '1' } })
}
