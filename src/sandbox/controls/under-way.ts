import type { ApiRequest } from '../../mock/api/message.ts'
import { startTimer, stopTimer } from '../../mock/api/real-time.ts'
import { formatInstant } from '../../mock/input/values.ts'
import { Listeners } from '../../mock/log/listeners.ts'
import { redactKey } from '../../mock/log/redactor.ts'

/** A request in progress. */
interface UnderWayRequest {
  /** Number that distinguishes it from the others; not its id in the log. */
  readonly number: number
  /** The sandbox's time at its start, ISO 8601 in UTC. */
  readonly at: string
  /** The method, in upper case. */
  readonly method: string
  /** The request target, with abbreviated keys. */
  readonly url: string
  /** The abbreviated key, if one was sent. */
  readonly key?: string | undefined
}

/** Requests in progress for at least 300 ms. */
export interface UnderWayView {
  /** The requests, oldest first. */
  readonly requests: readonly UnderWayRequest[]
}

/** Time after which a request in progress is reported to listeners, in real milliseconds. */
const waitMs = 300

/** Tracks the requests in progress while there are listeners. */
export class UnderWay {
  readonly #listeners = new Listeners<UnderWayView>()
  readonly #requests = new Map<number, UnderWayRequest>()
  #lastNumber = 0

  /** Calls a listener with the requests in progress each time that they change; returns a function that removes it. */
  subscribe(listener: (view: UnderWayView) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Whether there are listeners. */
  get isWatched(): boolean {
    return this.#listeners.size > 0
  }

  /**
   * Runs the handling of a request, and reports the request if that takes long.
   *
   * @param hide Abbreviates the keys in a text.
   */
  async watch<Result>(
    request: ApiRequest,
    now: number,
    hide: (text: string) => string,
    result: () => Promise<Result>,
  ): Promise<Result> {
    this.#lastNumber++
    const number = this.#lastNumber
    const timer = startTimer(() => {
      const token = request.headers.authorization?.replace(/^bearer +/i, '') ?? ''
      this.#requests.set(number, {
        number,
        at: formatInstant(now),
        method: request.method,
        url: hide(request.url),
        ...(token === '' ? {} : { key: redactKey(token) }),
      })
      this.#report()
    }, waitMs)
    try {
      return await result()
    } finally {
      stopTimer(timer)
      if (this.#requests.delete(number)) this.#report()
    }
  }

  #report(): void {
    this.#listeners.emit({ requests: [...this.#requests.values()] })
  }
}
