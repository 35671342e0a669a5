import { Turns } from '../../clock/real-time.ts'

/** Counts what happens to a sandbox: starts of requests, ends of answers, and marks. */
export class Sequence {
  #last = 0
  readonly turns = new Turns()

  get last(): number {
    return this.#last
  }

  next(): number {
    return ++this.#last
  }

  /** Goes on after a number, if it isn't further already. */
  goOnFrom(last: number): void {
    this.#last = Math.max(this.#last, last)
  }
}
