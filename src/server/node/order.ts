import type { Line, Waiting } from './line.ts'

/**
 * Has the requests of a connection take effect in the order in which they were sent, however long it takes to read their
 * bodies. Each has a place, from its beginning until its effect is there; its answer may take longer.
 */
export class Order implements Waiting {
  readonly #line: Line
  readonly #waiting = new Map<number, () => void>()
  /** The places after the next one that were left before it was their turn. */
  readonly #left = new Set<number>()
  #entered = 0
  #next = 0

  constructor(line: Line) {
    this.#line = line
  }

  /** Gives a request that begins its place. */
  enter(): number {
    return this.#entered++
  }

  /** Whether all requests before a place have taken effect, so that nothing is to be waited for. */
  isNext(place: number): boolean {
    return place === this.#next
  }

  /** Resolves when all requests before a place have taken effect; never if the connection closes before that. */
  turn(place: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(place, resolve))
  }

  /** To be called once a request has taken effect, or will never have any; again, it does nothing. */
  leave(place: number): void {
    if (place < this.#next) return
    if (place > this.#next) {
      this.#left.add(place)
      return
    }
    this.#next++
    while (this.#left.delete(this.#next)) this.#next++
    if (this.#waiting.has(this.#next)) this.#line.goOnWith(this)
  }

  beginNext(): boolean {
    const go = this.#waiting.get(this.#next)
    this.#waiting.delete(this.#next)
    this.#line.count()
    go?.()
    return false
  }

  /** Forgets all, since the connection has closed. */
  close(): void {
    this.#line.leave(this)
    this.#waiting.clear()
  }
}
