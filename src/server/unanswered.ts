import type { ServerResponse } from 'node:http'

/** The requests that a fault leaves without a reply: their clients wait until they give up, or the server stops. */
export class Unanswered {
  readonly #open = new Set<ServerResponse>()

  add(response: ServerResponse): void {
    this.#open.add(response)
    response.once('close', () => this.#open.delete(response))
  }

  /** Ends their connections, which would keep a server from stopping. */
  dropAll(): void {
    for (const response of this.#open) response.destroy()
  }
}
