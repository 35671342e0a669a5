/** Shows only the beginning of a key, for logs and messages. */
export function redactKey(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

/** Abbreviates the keys of a sandbox in a text, and the token that was sent, whosever it is. */
export type HideKeys = (text: string, token?: string) => string

/** Shorter keys occur in too many words to be hidden outside `Authorization`. */
const leastLength = 4

/** Hides keys in texts. It looks each four characters up, so that many keys take no longer than one. */
export class Redactor {
  readonly #keys: ReadonlySet<string>
  /** How long the keys of a beginning are, longest first. */
  readonly #lengths = new Map<number, number[]>()

  constructor(keys: Iterable<string>) {
    this.#keys = new Set(keys)
    for (const key of this.#keys) {
      if (key.length < leastLength) continue
      const beginning = beginningOf(key)
      const lengths = this.#lengths.get(beginning) ?? []
      if (!lengths.includes(key.length)) lengths.push(key.length)
      this.#lengths.set(beginning, lengths)
    }
    for (const lengths of this.#lengths.values()) lengths.sort((one, other) => other - one)
  }

  /**
   * Shows only the beginning of each key that stands in a text, in whatever way it is escaped there.
   *
   * @param also A text to hide as if it were a key, such as the token that was sent.
   */
  hide(text: string, also = ''): string {
    const { plain, places } = unescaped(text)
    const token = unescaped(also).plain
    const tokenBeginning = beginningOf(token)
    let shown = ''
    let shownTo = 0
    let hiddenTo = 0
    let beginning = 0
    for (let last = 0; last < plain.length; last++) {
      beginning = moved(beginning, plain, last)
      const index = last - leastLength + 1
      if (index < 0) continue
      const lengths = this.#lengths.get(beginning)
      if (lengths === undefined && beginning !== tokenBeginning) continue
      const isToken = beginning === tokenBeginning && plain.startsWith(token, index)
      const length = Math.max(this.#longestAt(plain, index, lengths), isToken ? token.length : 0)
      if (length === 0) continue
      // Of keys that overlap, the first one's beginning is shown, and nothing of the others.
      if (index >= hiddenTo) {
        const key = plain.slice(index, index + length)
        shown += text.slice(shownTo, places?.[index] ?? index) + redactKey(key)
      }
      hiddenTo = Math.max(hiddenTo, index + length)
      shownTo = places?.[hiddenTo] ?? hiddenTo
    }
    return shownTo === 0 ? text : shown + text.slice(shownTo)
  }

  /** The length of the longest key that stands at a place; 0 for none. */
  #longestAt(text: string, index: number, lengths: readonly number[] = []): number {
    const fits = (length: number): boolean =>
      index + length <= text.length && this.#keys.has(text.slice(index, index + length))
    return lengths.find(fits) ?? 0
  }
}

/** A key's first four characters as a number, -1 for fewer; what has the same number may be another text. */
function beginningOf(key: string): number {
  if (key.length < leastLength) return -1
  let beginning = 0
  for (let index = 0; index < leastLength; index++) beginning = moved(beginning, key, index)
  return beginning
}

/** Moves the number of four characters on by one. */
function moved(beginning: number, text: string, index: number): number {
  return ((beginning << 7) | (text.charCodeAt(index) & 0x7f)) & 0xfffffff
}

/** A text without escapes. */
interface Unescaped {
  readonly plain: string
  /** Where each character stands in the text as it was, and where that ends; absent where all stand as they did. */
  readonly places?: readonly number[]
}

/** A character that is percent-encoded, maybe more than once, or escaped as in JSON. */
const escapes = /%(?:25)*([0-7][\da-f])|\\u00([0-7][\da-f])|\\\//gi

function unescaped(text: string): Unescaped {
  if (!text.includes('%') && !text.includes('\\')) return { plain: text }
  const places: number[] = []
  let plain = ''
  let copied = 0
  const copyTo = (end: number): void => {
    plain += text.slice(copied, end)
    for (; copied < end; copied++) places.push(copied)
  }
  for (const match of text.matchAll(escapes)) {
    copyTo(match.index)
    const code = match[1] ?? match[2]
    plain += code === undefined ? '/' : String.fromCharCode(Number.parseInt(code, 16))
    places.push(copied)
    copied += match[0].length
  }
  copyTo(text.length)
  places.push(copied)
  return { plain, places }
}

const schemes = /^(?:basic|bearer|digest)$/i

/** Abbreviates all but the scheme of an `Authorization`, well formed or not. */
export function hideCredentials(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}
