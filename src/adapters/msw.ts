import { type HttpHandler, http } from 'msw'
import { basePath } from '../contract/endpoints.ts'
import type { Handler } from '../contract/message.ts'
import { answerFetch, type FetchHost } from './parts/answer-fetch.ts'
import { type BaseUrl, basePattern } from './parts/base-url.ts'

/** Where the API is that MSW is to intercept. */
export interface MswOptions {
  /** By default `/v1` of any origin. */
  readonly baseUrl?: BaseUrl
}

/**
 * Makes the handlers that answer from a sandbox, for `setupServer`, `setupWorker` or `defineNetwork` of MSW 2 or 3.
 * Handlers that come before them, as those of `server.use()` do, override them.
 *
 * They answer every path under a base address, unknown ones with 404. A connection that a fault breaks off is
 * `Response.error()` or a body that fails its reader; a request that a fault never answers ends when its client
 * gives up.
 *
 * @throws {@link InputError} for a base address that is neither a URL nor a path.
 */
export function createHandlers(
  sandbox: { readonly handle: Handler },
  { baseUrl = basePath }: MswOptions = {},
): HttpHandler[] {
  const pattern = basePattern(baseUrl)
  const host: FetchHost = {
    targetOf: (url) => url.replace(pattern, basePath),
    disconnect: () => Response.error(),
    headers: () => (globalThis.setImmediate === realSetImmediate ? none : lastOfConnection),
  }
  // Not a path of MSW's own: MSW 2 throws at `%zz` where it reads one.
  const handler = http.all(pattern, ({ request }) => respond(request, sandbox.handle, host))
  handler.info.header = `petstore-sandbox at ${[baseUrl].flat().join(', ')}`
  return [handler]
}

const none: readonly [string, string][] = []

/**
 * Closes the connection of MSW 3 in Node: after a reply, Node's `fetch` takes it into use again in a `setImmediate`,
 * and would wait for ever where a test has faked that.
 */
const lastOfConnection: readonly [string, string][] = [['Connection', 'close']]

const realSetImmediate: unknown = globalThis.setImmediate

async function respond(request: Request, handle: Handler, host: FetchHost): Promise<Response> {
  try {
    return await answerFetch(request, handle, host)
  } catch (error) {
    // Nobody waits any more; MSW would report what is thrown as a fault of the handler.
    if (request.signal.aborted) return Response.error()
    throw error
  }
}
