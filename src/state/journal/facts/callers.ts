import { LatestTexts } from '../../memory/latest-texts.ts'
import type { SharedBytes } from '../../memory/shared-bytes.ts'

/** How many callers are told apart; the one that came first is forgotten first. */
const maxCallers = 1_000

/** What a caller takes in memory beside its token, in bytes. */
const callerBytes = 160

/** Numbers the tokens that requests come with, since an abbreviated key is no identity. */
export class Callers {
  readonly #known = new LatestTexts<number>(maxCallers, callerBytes)
  #last = 0

  /** The number of a token; `''` for none has one too. */
  numberOf(token: string): number {
    const known = this.#known.find(token)
    if (known !== undefined) return known
    this.#last++
    this.#known.add(token, this.#last)
    return this.#last
  }

  /** Keeps callers, and those to come, in bytes that it shares with other sandboxes. */
  join(shared: SharedBytes): void {
    this.#known.join(shared)
  }

  get last(): number {
    return this.#last
  }

  /** Goes on after a number, if it isn't further already: whose those up to it were is not known. */
  goOnFrom(last: number): void {
    this.#last = Math.max(this.#last, last)
  }
}
