/** How many callers are told apart; the one that came first is forgotten first. */
const maxCallers = 1_000

/** How many characters of a token count: no key is longer. */
const mostTokenLength = 200

/** Numbers the tokens that requests come with, since an abbreviated key is no identity. */
export class Callers {
  readonly #known = new Map<string, number>()
  #last = 0

  /** The number of a token; `''` for none has one too. */
  numberOf(token: string): number {
    // Written anew, since a part of a long header would keep all of it.
    const text =
      token.length > mostTokenLength ? [...token.slice(0, mostTokenLength)].join('') : token
    const known = this.#known.get(text)
    if (known !== undefined) return known
    this.#last++
    this.#known.set(text, this.#last)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > maxCallers) this.#known.delete(oldest)
    return this.#last
  }

  get last(): number {
    return this.#last
  }

  /** Goes on after a number, if it isn't further already: whose those up to it were is not known. */
  goOnFrom(last: number): void {
    this.#last = Math.max(this.#last, last)
  }
}
