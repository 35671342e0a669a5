import { redactKey } from '../redact.ts'
import { cutIn } from './cut-secrets.ts'
import type { Range } from './range.ts'
import { isInWord, leastLength, moved, Secrets } from './secrets.ts'
import { hasEscapes, unescaped } from './unescaped.ts'

/** Hides secrets in texts, in whatever way they are written there. It takes no longer for many than for one. */
export class Redactor {
  readonly #secrets: Secrets
  /** An unknown one that was sent with the last text, since the next text is often of the same request. */
  #sent: Secrets | undefined
  #sentText = ''

  constructor(secrets: Iterable<string>) {
    this.#secrets = new Secrets(secrets)
  }

  add(secret: string): void {
    this.#secrets.add(secret)
  }

  /**
   * Shows only the beginning of each secret that stands in a text: as it is, with escapes, in base64, or cut.
   *
   * @param also A text to hide as if it were a secret, such as the token that was sent.
   */
  hide(text: string, also = ''): string {
    const sent = this.#sentOf(also)
    const all = sent === undefined ? [this.#secrets] : [this.#secrets, sent]
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

  #sentOf(token: string): Secrets | undefined {
    if (token === '' || this.#secrets.has(token)) return undefined
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
  for (const secrets of all) {
    let hiddenTo = 0
    let beginning = 0
    for (let last = 0; last < text.length; last++) {
      beginning = moved(beginning, text, last)
      if (secrets.lacks(beginning) || last < leastLength - 1) continue
      const index = last - leastLength + 1
      const isFree = (index > 0 && index === hiddenTo) || !isInWord(text, index)
      const length = secrets.longestAt(text, index, isFree)
      if (length === 0) continue
      hiddenTo = Math.max(hiddenTo, index + length)
      const shown = redactKey(text.slice(index, index + length))
      ranges.push({ start: index, end: index + length, shown })
    }
  }
  return ranges
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
