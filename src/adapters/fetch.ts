import { basePath } from '../contract/endpoints.ts'
import type { Handler } from '../contract/message.ts'
import { answerFetch, type FetchHost } from './parts/answer-fetch.ts'
import { parseMount } from './parts/mount.ts'

/** Answers a Fetch API request. */
export type FetchHandler = (request: Request) => Promise<Response>

/** Where a fetch handler finds the API in the URLs that it is given. */
export interface FetchOptions {
  /** The path that stands for `/v1`, which is the default; `/` where the API is at the root. */
  readonly basePath?: string
}

/**
 * Makes a `(Request) => Promise<Response>` that answers from a sandbox, for every host that speaks Fetch:
 * Hono, Bun, Deno, a service worker, a route handler of Next.js.
 *
 * A request under another path than `basePath` is answered with 404. A connection that a fault breaks off rejects
 * with a `TypeError`, as a failed `fetch` does, or fails the reader of the body; a request whose signal aborts
 * rejects with the signal's reason.
 *
 * @throws {@link InputError} for a `basePath` that is no path.
 */
export function createFetchHandler(
  sandbox: { readonly handle: Handler },
  options: FetchOptions = {},
): FetchHandler {
  const mount = parseMount(options.basePath ?? basePath)
  const host: FetchHost = {
    targetOf: (url) => targetUnder(mount, url),
    disconnect() {
      throw new TypeError('Failed to fetch: the connection was broken off, as a fault says')
    },
    headers: () => [],
  }
  return (request) => answerFetch(request, sandbox.handle, host)
}

function targetUnder(mount: string, url: string): string {
  const target = url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '')
  if (isUnder(target, mount)) return `${basePath}${target.slice(mount.length)}`
  // Only the mount stands for `/v1`; a path that begins with two slashes is none of the API.
  return isUnder(target, basePath) ? `/${target}` : target || '/'
}

function isUnder(target: string, path: string): boolean {
  return target.startsWith(path) && /^(?:[/?#]|$)/.test(target.slice(path.length))
}
