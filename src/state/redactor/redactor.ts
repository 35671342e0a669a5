import { redactKey } from '../redact.ts'
import { isInWord, leastLength, moved, Secrets } from './secrets.ts'
import { hasEscapes, unescaped } from './unescaped.ts'

/** A part of a text that must not be shown. */
interface Range {
  readonly start: number
  readonly end: number
  /** What is shown in its place. */
  readonly shown: string
}

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
  const ranges = text.includes('…') || text.includes('...') ? cutIn(text, all) : []
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

/** The ranges of secrets that were cut, and of the dots that say so. */
function cutIn(text: string, all: readonly Secrets[]): Range[] {
  const ranges: Range[] = []
  for (const { index, 0: dots } of text.matchAll(/…|\.{3}/g)) {
    const cutAt = index - brokenEscapeBefore(text, index)
    for (const secrets of all) {
      const start = secrets.cutBefore(text, cutAt)
      if (start < 0) continue
      ranges.push({ start, end: index + dots.length, shown: redactKey(text.slice(start, cutAt)) })
    }
  }
  return ranges
}

/** How long what is left of an escape is that was cut, too, such as `%7` or `\u00`. */
function brokenEscapeBefore(text: string, index: number): number {
  // Of texts with thousands of dots, nearly all end here.
  if (!/[%\\ux\da-f]/i.test(text.charAt(index - 1))) return 0
  const tail = text.slice(Math.max(0, index - longestBroken), index)
  return /(?:%[\da-f]?|\\(?:u[\da-f]{0,3}|x[\da-f]?)?)+$/i.exec(tail)?.[0].length ?? 0
}

/** Two escapes, one of which the other was to complete. */
const longestBroken = 12

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
