import type { Visit } from '../../../contract/message.ts'

/** The client of a Fetch request: it leaves when the request's signal aborts, or when it stops reading the reply. */
export class FetchClient {
  readonly #given: AbortSignal
  readonly #departure = new AbortController()
  /** The way of the request through its door. */
  readonly visit: Visit | undefined
  readonly #leaveAsGiven = (): void => this.leave(this.#given.reason)

  /** @param given The signal of the request. */
  constructor(given: AbortSignal, visit: Visit | undefined) {
    this.#given = given
    this.visit = visit
    if (given.aborted) this.#leaveAsGiven()
    else given.addEventListener('abort', this.#leaveAsGiven, { once: true })
  }

  /** Aborts when the client leaves; it owns what waits for the answer. */
  get owner(): AbortSignal {
    return this.#departure.signal
  }

  /** Lets the client leave: what waits for its answer ends. */
  leave(reason: unknown): void {
    this.visit?.leave()
    this.release()
    this.#departure.abort(reason)
  }

  /** Stops listening to the request's signal, which may outlive the request: the client has its whole answer. */
  release(): void {
    this.visit?.end()
    this.#given.removeEventListener('abort', this.#leaveAsGiven)
  }

  /** Calls a listener with the reason when the client leaves; at once if it has left. */
  onLeave(listener: (reason: unknown) => void): void {
    const { owner } = this
    if (owner.aborted) listener(owner.reason)
    else owner.addEventListener('abort', () => listener(owner.reason), { once: true })
  }
}
