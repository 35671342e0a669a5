import { redactKey } from '../redact.ts'
import { cutIn } from './cut-secrets.ts'
import type { Range } from './range.ts'
import { isInWord, Secrets } from './secrets.ts'
import { hasEscapes, unescaped } from './unescaped.ts'

/** Hides secrets in texts, in whatever way they are written there. It takes no longer for many than for one. */
export class Redactor {
  readonly #own = new Secrets([])
  /** Its own ones, and those that it shares. */
  readonly #all: readonly Secrets[]
  /** An unknown one that was sent with the last text, since the next text is often of the same request. */
  #sent: Secrets | undefined
  #sentText = ''

  /** @param shared Some that it leaves as they are. */
  constructor(shared: readonly Secrets[] = []) {
    this.#all = [this.#own, ...shared]
  }

  add(secret: string): void {
    if (!this.#has(secret)) this.#own.add(secret)
  }

  /**
   * Shows only the beginning of each secret that stands in a text: as it is, with escapes, in base64, or cut.
   *
   * @param also A text to hide as if it were a secret, such as the token that was sent.
   */
  hide(text: string, also = ''): string {
    const sent = this.#sentOf(also)
    const all = sent === undefined ? this.#all : [...this.#all, sent]
    const ranges = rangesIn(text, all)
    if (hasEscapes(text)) {
      const { plain, places } = unescaped(text)
      const placeOf = (index: number): number => places[index] ?? text.length
      for (const { start, end, shown } of rangesIn(plain, all)) {
        ranges.push({ start: placeOf(start), end: placeOf(end), shown })
      }
    }
    return ranges.length === 0 ? text : withoutRanges(text, ranges)
  }

  #has(secret: string): boolean {
    return this.#all.some((one) => one.has(secret))
  }

  #sentOf(token: string): Secrets | undefined {
    if (token === '' || this.#has(token)) return undefined
    if (token !== this.#sentText) {
      this.#sent = new Secrets(hasEscapes(token) ? [unescaped(token).plain, token] : [token])
      this.#sentText = token
    }
    return this.#sent
  }
}

/** The ranges of secrets in a text, by their places, but for those that were cut, which come first. */
function rangesIn(text: string, all: readonly Secrets[]): Range[] {
  const ranges = cutIn(text, all)
  /** Where of each of them one may stand next. */
  let places = all.map(() => -1)
  let hiddenTo = 0
  for (let start = 0; ; start++) {
    places = places.map((place, index) =>
      place < start ? (all[index]?.placeFrom(text, start) ?? text.length) : place,
    )
    start = Math.min(...places)
    if (start === text.length) return ranges
    const isFree = start === hiddenTo || !isInWord(text, start)
    const lengths = all.map((secrets) => secrets.longestAt(text, start, isFree, all))
    const end = start + Math.max(...lengths)
    if (end === start) continue
    hiddenTo = Math.max(hiddenTo, end)
    ranges.push({ start, end, shown: redactKey(text.slice(start, end)) })
  }
}

/** Of ranges that overlap, what the first one shows stands for all. */
function withoutRanges(text: string, ranges: Range[]): string {
  let shown = ''
  let shownTo = 0
  for (const range of ranges.sort((one, other) => one.start - other.start || other.end - one.end)) {
    if (range.start >= shownTo) shown += text.slice(shownTo, range.start) + range.shown
    shownTo = Math.max(shownTo, range.end)
  }
  return shown + text.slice(shownTo)
}
