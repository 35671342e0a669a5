import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { createFetchHandler } from '../../adapters/fetch.ts'
import type { RequestView } from '../../client/connect-sandbox.ts'
import type { ShownSandbox } from '../panel/shown-sandbox.ts'
import type { TryRequest } from './try-link.ts'

/** Base URL for clients in the page and for copied texts: that of a server with default options. */
export const apiUrl = 'http://127.0.0.1:7387/v1'

/** Maximum time that the form waits for a response, in milliseconds. */
const maxWaitMs = 10_000

/** The sandbox in the page, with functions that send requests to it. */
export class Playground {
  readonly shown: ShownSandbox
  /** Sends requests to the sandbox shown at that time, never over a network. */
  readonly fetch: typeof fetch = (input, init) =>
    createFetchHandler(this.shown.current)(input instanceof Request ? input : String(input), init)

  constructor(shown: ShownSandbox) {
    this.shown = shown
  }

  /**
   * Sends a request, and returns its entry in the request log.
   *
   * @throws TypeError for a request that browsers can't send, such as one with a line break in a header.
   */
  async send({ method, path, headers, body }: TryRequest): Promise<RequestView | undefined> {
    const { requests: journal } = this.shown.current
    const before = journal.position.id
    const signal = AbortSignal.timeout(maxWaitMs)
    const request = new Request(`${apiUrl}${path}`, {
      ...{ method, headers, signal },
      ...(body === '' ? {} : { body }),
    })
    const url = new URL(request.url)
    // The log also has the outcome of a request without a response.
    await this.fetch(request)
      .then((response) => response.text())
      .catch(() => {})
    const target = `${url.pathname}${url.search}`
    return journal
      .list({ afterId: before })
      .findLast((entry) => entry.request.method === method && entry.request.url === target)
  }
}

const context = createContext<Playground | undefined>(undefined)

export const PlaygroundProvider = context.Provider

export function usePlayground(): Playground {
  const found = useContext(context)
  if (found === undefined) throw new Error('Cannot use the playground: there is no provider')
  return found
}
