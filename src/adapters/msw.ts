import { type HttpHandler, http } from 'msw'
import { basePath } from '../contract/endpoints.ts'
import type { Answering } from '../contract/message.ts'
import { object } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { basePattern, baseUrl, baseUrlOption } from './parts/base-url.ts'
import type { Line } from './parts/fetch/answer-fetch.ts'
import { answerMsw } from './parts/fetch/answer-msw.ts'

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
 * gives up, or when the sandbox is reset. CORS is as in the process, for the pages that jsdom and happy-dom make.
 *
 * @throws {@link InputError} for an unknown option, or a base address that is neither a URL nor a path.
 */
export function createHandlers(sandbox: Answering, options: MswOptions = {}): HttpHandler[] {
  const read = readInput(mswOptions, options)
  const pattern = basePattern(read.baseUrl)
  const targetOf = (url: string): string => url.replace(pattern, basePath)
  // A regular expression, since MSW 2 throws on `%zz` when it matches a path of its own syntax.
  const handler = http.all(pattern, ({ request }) =>
    answerMsw(request, sandbox, { targetOf, lines: connectionLines() }),
  )
  handler.info.header = `petstore-sandbox at ${[baseUrl.write(read.baseUrl)].flat().join(', ')}`
  return [handler]
}

/**
 * Closes MSW 3's connection in Node: Node's `fetch` reuses one only after a `setImmediate`, so it would wait for ever
 * while a test fakes that.
 */
function connectionLines(): Line[] {
  return globalThis.setImmediate === realSetImmediate ? [] : [['Connection', 'close']]
}

const realSetImmediate: unknown = globalThis.setImmediate
