import { numberOf, numbersOf, spellingsOf } from './spellings.ts'

/** Shorter secrets occur in too many words to be hidden outside `Authorization`. */
export const leastLength = 4

/** The longest key. */
export const mostLength = 200

/** Texts to hide, found by their first four characters, so that many take no longer than one. */
export class Secrets {
  readonly #secrets = new Set<string>()
  /** Those that have a number of theirs in base64. */
  readonly #inBase64 = new Map<number, string | string[]>()
  /** How long the spellings of a beginning are, longest first. */
  readonly #lengths = new Map<number, number[]>()
  /** The beginnings and lengths of secrets whose spellings are in `#lengths`: many keys have the same. */
  readonly #known = new Set<number>()
  /** In the order of their characters; made on first use, and again once there is another one. */
  #sorted: string[] | undefined
  /** Marks where {@link slotOf} puts the beginnings that there are: most texts are passed over by this alone. */
  readonly #seen = new Uint8Array(slots)

  constructor(secrets: Iterable<string>) {
    for (const secret of secrets) this.add(secret)
  }

  add(secret: string): void {
    if (secret.length < leastLength || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#sorted = undefined
    for (const number of numbersOf(secret)) {
      const others = this.#inBase64.get(number)
      this.#inBase64.set(number, others === undefined ? secret : [others, secret].flat())
    }
    const kind = kindOf(secret)
    if (kind >= 0 && this.#known.has(kind)) return
    this.#known.add(kind)
    for (const spelling of spellingsOf(secret)) this.#addLength(spelling)
  }

  #addLength(spelling: string): void {
    const beginning = beginningOf(spelling)
    this.#seen[slotOf(beginning)] = 1
    const lengths = this.#lengths.get(beginning)
    if (lengths === undefined) this.#lengths.set(beginning, [spelling.length])
    else if (!lengths.includes(spelling.length)) {
      lengths.push(spelling.length)
      lengths.sort((one, other) => other - one)
    }
  }

  has(secret: string): boolean {
    return this.#secrets.has(secret)
  }

  /** Whether nothing begins like this; of a few that do not, it isn't known here. */
  lacks(beginning: number): boolean {
    return this.#seen[slotOf(beginning)] === 0
  }

  /**
   * The length of the longest spelling that stands at a place; 0 for none.
   *
   * @param isFree Whether the text before is no part of a word that goes on here.
   */
  longestAt(text: string, index: number, isFree: boolean): number {
    const fits = (length: number): boolean => {
      const end = index + length
      if (end > text.length) return false
      const part = text.slice(index, end)
      if (this.#isInBase64(part)) return true
      if (!this.#secrets.has(part)) return false
      if (!isOrdinary(part)) return true
      return isFree && (!isInWord(text, end) || this.#beginsAt(text, end))
    }
    return this.#lengthsAt(text, index).find(fits) ?? 0
  }

  /** Whether a secret follows upon another one. */
  #beginsAt(text: string, index: number): boolean {
    return this.#lengthsAt(text, index).some((length) => {
      const part = text.slice(index, index + length)
      return this.#secrets.has(part) || this.#isInBase64(part)
    })
  }

  #isInBase64(part: string): boolean {
    const secrets = this.#inBase64.get(numberOf(part)) ?? []
    return [secrets].flat().some((secret) => spellingsOf(secret).indexOf(part, 1) > 0)
  }

  #lengthsAt(text: string, index: number): readonly number[] {
    return this.#lengths.get(beginningOf(text, index)) ?? []
  }

  /** How many characters from a place on are the beginning of a secret, of that with the most of them. */
  begunAt(text: string, index: number): number {
    this.#sorted ??= [...this.#secrets].sort()
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

/** A number that is the same only for secrets whose spellings begin alike and are as long; -1 for one without a number. */
function kindOf(secret: string): number {
  for (let index = 0; index < leastLength; index++) if (secret.charCodeAt(index) > 0x7f) return -1
  return beginningOf(secret) * 65_536 + Math.min(secret.length, 65_535)
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
export function moved(beginning: number, text: string, index: number): number {
  return ((beginning << 7) | (text.charCodeAt(index) & 0x7f)) & 0xfffffff
}
