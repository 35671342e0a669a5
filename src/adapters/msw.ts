import { type HttpHandler, http } from 'msw'
import { basePath } from '../contract/endpoints.ts'
import type { Handler } from '../contract/message.ts'
import { object } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { answerFetch, type FetchDoor } from './parts/answer-fetch.ts'
import { basePattern, baseUrl, baseUrlOption } from './parts/base-url.ts'

const mswOptions = object({
  /** Where the API is; by default `/v1` of any origin. */
  baseUrl: baseUrlOption,
})

/** Options of {@link createHandlers}. */
export type MswOptions = Given<typeof mswOptions>

/**
 * Makes handlers that answer from a sandbox, for `setupServer`, `setupWorker` or `defineNetwork` of MSW 2 or 3.
 * Handlers placed before them, as `server.use()` does, override them.
 *
 * They answer every path under a base address, unknown ones with 404. A connection broken by a fault is
 * `Response.error()`, or a body that fails its reader; a request that a fault leaves unanswered ends when its client
 * gives up, or when the sandbox is reset.
 *
 * @throws {@link InputError} for an unknown option, or a base address that is neither a URL nor a path.
 */
export function createHandlers(
  sandbox: { readonly handle: Handler },
  options: MswOptions = {},
): HttpHandler[] {
  const read = readInput(mswOptions, options)
  const pattern = basePattern(read.baseUrl)
  const door: FetchDoor = {
    targetOf: (url) => url.replace(pattern, basePath),
    disconnect: () => Response.error(),
    headers: () => (globalThis.setImmediate === realSetImmediate ? noHeaders : lastOfConnection),
  }
  // A regular expression, since MSW 2 throws on `%zz` when it matches a path of its own syntax.
  const handler = http.all(pattern, ({ request }) => respond(request, sandbox.handle, door))
  handler.info.header = `petstore-sandbox at ${[baseUrl.write(read.baseUrl)].flat().join(', ')}`
  return [handler]
}

const noHeaders: readonly [string, string][] = []

/**
 * Closes MSW 3's connection in Node: Node's `fetch` reuses one only after a `setImmediate`, so it would wait for ever
 * while a test fakes that.
 */
const lastOfConnection: readonly [string, string][] = [['Connection', 'close']]

const realSetImmediate: unknown = globalThis.setImmediate

async function respond(request: Request, handle: Handler, door: FetchDoor): Promise<Response> {
  try {
    return await answerFetch(request, handle, door)
  } catch (error) {
    // Nobody waits any more; MSW would report the error as a bug in the handler.
    if (request.signal.aborted) return Response.error()
    throw error
  }
}
