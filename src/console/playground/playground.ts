import { createFetchHandler } from '../../adapters/fetch.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { ShownSandbox } from '../panel/shown-sandbox.ts'
import type { TryRequest } from './try-link.ts'

/** Base URL for clients in the page and for copied texts: that of a server with default options. */
export const apiUrl = 'http://127.0.0.1:7387/v1'

/** Maximum time that the form waits for a response, in milliseconds. */
const maxWaitMs = 10_000

/** The sandbox in the page, with functions that send requests to it. */
export class Playground {
  readonly shown = new ShownSandbox(createSandbox({ coverage: true }))
  /** Sends requests to the sandbox shown at that time, never over a network. */
  readonly fetch: typeof fetch = (input, init) =>
    createFetchHandler(this.sandbox)(input instanceof Request ? input : String(input), init)

  get sandbox() {
    return this.shown.current
  }

  /** Starts anew with another sandbox. */
  restart(): void {
    this.shown.replace(createSandbox({ coverage: true }))
  }

  /**
   * Sends a request, and returns its entry in the request log.
   *
   * @throws TypeError for a request that browsers can't send, such as one with a line break in a header.
   */
  async send({ method, path, headers, body }: TryRequest): Promise<RequestView | undefined> {
    const { requests } = this.sandbox
    const afterId = requests.position.id
    const signal = AbortSignal.timeout(maxWaitMs)
    const request = new Request(apiUrl + path, { method, headers, signal, body: body || null })
    const { pathname, search } = new URL(request.url)
    // The log also has the outcome of a request without a response.
    await this.fetch(request)
      .then((response) => response.text())
      .catch(() => {})
    return requests
      .list({ afterId, method })
      .findLast((entry) => entry.request.url === pathname + search)
  }
}
