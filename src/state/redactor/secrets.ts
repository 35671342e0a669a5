import { spellingsOf } from './spellings.ts'

/** Shorter secrets occur in too many words to be hidden outside `Authorization`. */
export const leastLength = 4

/** The longest key. */
export const mostLength = 200

/** How many secrets may be out of order: sorting them takes some milliseconds. */
const mostUnsorted = 2_048

/** Texts to hide, found by their first four characters, so that many take no longer than one. */
export class Secrets {
  /** Each spelling, and whether it is hidden only where it is a word of its own. */
  readonly #spellings = new Map<string, boolean>()
  /** How long the spellings of a beginning are, longest first. */
  readonly #lengths = new Map<number, readonly number[]>()
  /** All in the order of their characters, but for the latest ones. */
  readonly #sorted: string[] = []
  #isSorted = true
  readonly #secrets = new Set<string>()
  /** Marks where {@link slotOf} puts the beginnings that there are: most texts are passed over by this alone. */
  readonly #seen = new Uint8Array(slots)

  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) this.add(secret)
  }

  add(secret: string): void {
    if (secret.length < leastLength || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    // Now and then, since that is quick where most are in order.
    if (this.#sorted.push(secret) % mostUnsorted === 0) this.#sorted.sort()
    this.#isSorted = false
    for (const spelling of spellingsOf(secret)) {
      this.#spellings.set(spelling, spelling === secret && isOrdinary(secret))
      const beginning = beginningOf(spelling)
      this.#seen[slotOf(beginning)] = 1
      const lengths = this.#lengths.get(beginning) ?? []
      if (lengths.includes(spelling.length)) continue
      const all = [...lengths, spelling.length].sort((one, other) => other - one)
      this.#lengths.set(beginning, all)
    }
  }

  has(secret: string): boolean {
    return this.#secrets.has(secret)
  }

  /** Whether nothing begins like this; of a few that do not, it isn't known here. */
  lacks(beginning: number): boolean {
    return this.#seen[slotOf(beginning)] === 0
  }

  /** The next place from a place on at which one may stand; the end for none. */
  placeFrom(text: string, from: number): number {
    let beginning = 0
    for (let last = from; last < text.length; last++) {
      beginning = moved(beginning, text, last)
      const place = last - leastLength + 1
      if (place < from || this.lacks(beginning)) continue
      if (this.#lengths.has(beginning)) return place
    }
    return text.length
  }

  /**
   * The length of the longest spelling that stands at a place; 0 for none.
   *
   * @param isFree Whether the text before is no part of a word that goes on here.
   * @param all These secrets and others, which may follow upon one.
   */
  longestAt(text: string, index: number, isFree: boolean, all: readonly Secrets[]): number {
    const fits = (length: number): boolean => {
      if (index + length > text.length) return false
      const isWord = this.#spellings.get(text.slice(index, index + length))
      if (isWord !== true) return isWord === false
      const end = index + length
      return isFree && (!isInWord(text, end) || all.some((one) => one.#beginsAt(text, end)))
    }
    return this.#lengthsAt(text, index).find(fits) ?? 0
  }

  /** Whether a secret stands at a place. */
  #beginsAt(text: string, index: number): boolean {
    return this.#lengthsAt(text, index).some((length) =>
      this.#spellings.has(text.slice(index, index + length)),
    )
  }

  #lengthsAt(text: string, index: number): readonly number[] {
    return this.#lengths.get(beginningOf(text, index)) ?? []
  }

  /** How many characters from a place on are the beginning of a secret, of that with the most of them. */
  begunAt(text: string, index: number): number {
    if (!this.#isSorted) this.#sorted.sort()
    this.#isSorted = true
    const part = text.slice(index, index + mostLength)
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#sorted[middle] ?? '') < part) low = middle + 1
      else high = middle
    }
    // Whichever has most in common with it stands beside its place.
    const [before = '', after = ''] = [this.#sorted[low - 1], this.#sorted[low]]
    return Math.max(commonLength(before, part), commonLength(after, part))
  }
}

function commonLength(one: string, other: string): number {
  const most = Math.min(one.length, other.length)
  let length = 0
  while (length < most && one.charCodeAt(length) === other.charCodeAt(length)) length++
  return length
}

const slots = 2_048

function slotOf(beginning: number): number {
  return (beginning ^ (beginning >>> 11)) & (slots - 1)
}

/** A key that somebody has thought of: words, or a few characters; it may stand in a text by chance. */
function isOrdinary(secret: string): boolean {
  return secret.length < 8 || /^[a-z]+(?:[-._~+/=]+[a-z]*)*$/i.test(secret)
}

/** Whether a place is within a word: a letter or digit stands before it and after it. */
export function isInWord(text: string, index: number): boolean {
  return (
    isOfWords(text.charCodeAt(index - 1)) &&
    isOfWords(text.charCodeAt(index)) &&
    !isAfterEscape(text, index)
  )
}

/** Whether what stands before a place is the end of an escape such as `\n` or `%20`, and no letter or digit. */
function isAfterEscape(text: string, index: number): boolean {
  if (text.charAt(index - 3) === '%') return true
  return text.charAt(index - 2) === '\\' && 'nrtbfux'.includes(text.charAt(index - 1))
}

/** Whether a character is a letter or a digit. */
export function isOfWords(code: number): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x7a)
}

/** Four characters of a text as a number, -1 for fewer; what has the same number may be another text. */
export function beginningOf(text: string, at = 0): number {
  if (text.length - at < leastLength) return -1
  let beginning = 0
  for (let index = at; index < at + leastLength; index++) beginning = moved(beginning, text, index)
  return beginning
}

/** Moves the number of four characters on by one. */
function moved(beginning: number, text: string, index: number): number {
  return ((beginning << 7) | (text.charCodeAt(index) & 0x7f)) & 0xfffffff
}
