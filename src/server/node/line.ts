import { setImmediate as atNextTurn } from 'node:timers'

/** How long requests are begun in a turn of the event loop, in milliseconds; what they lead to in it is counted, too. */
const mostMs = 8

/** How many requests are begun before anybody looks how long they take: a client that waits for each reply costs no more. */
const uncounted = 4

/** What stands in a line: a connection with requests that wait. */
export interface Waiting {
  /** Begins its next request; returns whether another one can be begun after it. */
  beginNext(): boolean
}

/**
 * Has requests of all connections begin a few milliseconds' worth in each turn of the event loop: those that wait go on
 * one by one, each connection in its turn, and what one has led to is done before the next.
 */
export class Line {
  readonly #now: () => number
  readonly #waiting = new Set<Waiting>()
  /** How many were begun in this turn, or in the last few in which there was nothing to count. */
  #begun = 0
  /** When no more are begun in this turn; `undefined` before that is counted. */
  #endsAt: number | undefined
  #isScheduled = false
  /** Whether what stands in it goes on in this turn, once what was begun has led to all it leads to. */
  #isGoing = false

  /** @param now A monotonic clock, in milliseconds. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /** Whether another request may be begun in this turn. */
  get hasTime(): boolean {
    return this.#endsAt === undefined || this.#now() < this.#endsAt
  }

  /** To be called when a request is begun. */
  count(): void {
    this.#begun++
    if (this.#begun < uncounted || this.#endsAt !== undefined) return
    this.#endsAt = this.#now() + mostMs
    this.#schedule()
  }

  /** Lets a connection begin its requests that wait, from the next turn on. */
  join(one: Waiting): void {
    this.#waiting.add(one)
    this.#schedule()
  }

  /** Lets a connection that has begun something in this turn go on, as long as there is time. */
  goOnWith(one: Waiting): void {
    this.#waiting.add(one)
    if (!this.#isGoing) this.#goOnSoon()
  }

  leave(one: Waiting): void {
    this.#waiting.delete(one)
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    atNextTurn(this.#turn)
  }

  readonly #turn = (): void => {
    this.#isScheduled = false
    this.#begun = 0
    this.#endsAt = undefined
    this.#goOn()
  }

  readonly #goOn = (): void => {
    this.#isGoing = false
    const [next] = this.#waiting
    if (next === undefined) return
    if (!this.hasTime) {
      this.#schedule()
      return
    }
    this.#waiting.delete(next)
    if (next.beginNext()) this.#waiting.add(next)
    this.#goOnSoon()
  }

  #goOnSoon(): void {
    this.#isGoing = true
    queueMicrotask(this.#afterwards)
  }

  /** Goes on once nothing is left to do of what was begun: promises are served before ticks. */
  readonly #afterwards = (): void => {
    process.nextTick(this.#goOn)
  }
}
