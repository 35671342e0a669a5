import { setImmediate as atNextTurn } from 'node:timers'

/** Lets texts go, some in each turn of the event loop: however many there are, others are served in between. */
export class Turnstile {
  readonly #lengthInTurn: number
  #left: number
  #isTurning = false
  readonly #waiting: (() => void)[] = []

  /** @param lengthInTurn How many characters go in one turn; the last text may be beyond. */
  constructor(lengthInTurn: number) {
    this.#lengthInTurn = lengthInTurn
    this.#left = lengthInTurn
  }

  /** Resolves when a text may go: first come, first served. */
  pass(length: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        this.#left -= length
        resolve()
      })
      this.#letPass()
    })
  }

  #letPass(): void {
    while (this.#left > 0 && this.#waiting.length > 0) this.#waiting.shift()?.()
    if (this.#isTurning || this.#left === this.#lengthInTurn) return
    this.#isTurning = true
    atNextTurn(() => {
      this.#isTurning = false
      this.#left = this.#lengthInTurn
      this.#letPass()
    })
  }
}
