import { formatInstant } from '../../input/instant.ts'
import { Listeners } from '../listeners.ts'
import type { Sequence } from './facts/sequence.ts'
import type { Mark, MarkKind } from './mark.ts'

/** How many marks are kept. */
const maxMarks = 1_000

/** The latest changes of a sandbox's world, oldest first. */
export class Marks {
  #list: Mark[] = []
  #listeners = new Listeners<Mark>()

  /**
   * Adds a mark to the sequence.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   * @param name That of a test.
   */
  add(kind: MarkKind, at: number, sequence: Sequence, name?: string): Mark {
    const mark: Mark = {
      order: sequence.next(),
      at: formatInstant(at),
      kind,
      ...(name === undefined ? {} : { name }),
    }
    this.#list.push(mark)
    // Seldom, since it copies them all.
    if (this.#list.length >= 2 * maxMarks) this.#list = this.#list.slice(-maxMarks)
    this.#listeners.tell(mark)
    return mark
  }

  /** The latest ones. */
  all(): Mark[] {
    return this.#list.slice(-maxMarks).map((mark) => ({ ...mark }))
  }

  subscribe(listener: (mark: Mark) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Takes the listeners of others, which hear no more of those. */
  adopt(other: Marks): void {
    this.#listeners = other.#listeners
    other.#listeners = new Listeners()
  }

  restore(list: readonly Mark[]): void {
    this.#list = list.slice(-maxMarks)
  }
}
