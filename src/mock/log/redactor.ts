/** Abbreviates a key to its first characters, for logs and messages. */
export function redactKey(key: string): string {
  return `${key.slice(0, Math.min(4, Math.floor(key.length / 2)))}…`
}

const schemes = /^(?:basic|bearer|digest)$/i

/** Abbreviates all but the scheme of an `Authorization` header, well formed or not. */
export function redactAuthorization(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}

/** Abbreviates the keys of a sandbox in a text, and also the token that was sent. */
export type HideKeys = (text: string, token?: string) => string

/** Minimum length of a secret. Shorter ones occur in too many words to hide them outside `Authorization`. */
const minLength = 4

/**
 * Abbreviates secrets in texts: in their exact spelling, and encoded several times, by percent signs or as JSON escapes.
 * It looks up secrets by their first characters, so that ten thousand keys take no longer than ten.
 */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** A flag for each {@link slotOf} of the secrets' first characters, which rules out most places of a text. */
  readonly #slots = new Uint8Array(slots)
  /** The lengths of the secrets with the same first characters, longest first. */
  readonly #lengths = new Map<string, readonly number[]>()

  add(secret: string): void {
    if (secret.length < minLength || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    this.#slots[slotOf(secret, 0)] = 1
    const start = secret.slice(0, minLength)
    const lengths = this.#lengths.get(start) ?? []
    if (lengths.includes(secret.length)) return
    this.#lengths.set(
      start,
      [...lengths, secret.length].sort((one, other) => other - one),
    )
  }

  /**
   * Abbreviates each secret in a text.
   *
   * @param also A text to hide as if it were a secret, such as the token that was sent.
   */
  hide(text: string, also = ''): string {
    return this.replace(text, redactKey, also)
  }

  /** Replaces each secret in a text. */
  replace(text: string, other: (secret: string) => string, also = ''): string {
    let shown = this.#replaceIn({ text, plain: text }, other, also)
    let read = decoded(shown, 0)
    for (let times = 1; times <= maxDecodings && read.plain.search(escaped) !== -1; times++) {
      read = unescaped(read)
      const replaced = this.#replaceIn(read, other, decoded(also, times).plain)
      if (replaced === shown) continue
      shown = replaced
      read = decoded(shown, times)
    }
    return shown
  }

  #replaceIn({ text, plain, places }: Unescaped, other: (secret: string) => string, also: string) {
    const placeOf = (index: number): number => places?.[index] ?? index
    let shown = ''
    let shownTo = 0
    const alsoSlot = slotOf(also, 0)
    for (let index = 0; index <= plain.length - minLength; index++) {
      const slot = slotOf(plain, index)
      if (this.#slots[slot] === 0 && slot !== alsoSlot) continue
      const length = Math.max(this.#lengthAt(plain, index), lengthOf(also, plain, index))
      if (length === 0) continue
      shown += text.slice(shownTo, placeOf(index)) + other(plain.slice(index, index + length))
      shownTo = placeOf(index + length)
      index += length - 1
    }
    return shown + text.slice(shownTo)
  }

  /** Returns the length of the longest secret at a place; 0 if there is none. */
  #lengthAt(text: string, index: number): number {
    const lengths = this.#lengths.get(text.slice(index, index + minLength)) ?? []
    const fits = (length: number): boolean => {
      const found = text.slice(index, index + length)
      return this.#secrets.has(found) && lengthOf(found, text, index) > 0
    }
    return lengths.find(fits) ?? 0
  }
}

/** A thousand keys leave three of four empty. */
const slots = 4_096

/** Returns a hash of the three characters at a place. */
function slotOf(text: string, index: number): number {
  const one = text.charCodeAt(index)
  return (one ^ (text.charCodeAt(index + 1) << 4) ^ (text.charCodeAt(index + 2) << 8)) & (slots - 1)
}

/** Returns the length of a secret if it occurs at a place; 0 if it doesn't, or is only a part of a word. */
function lengthOf(secret: string, text: string, index: number): number {
  if (secret.length < minLength || !text.startsWith(secret, index)) return 0
  const end = index + secret.length
  const isPart = isInWord(text, index) || isInWord(text, end)
  return isPart && isOrdinary(secret) ? 0 : secret.length
}

/** Returns whether a key consists of words or of a few characters, so that it may occur in a text by chance. */
function isOrdinary(secret: string): boolean {
  return secret.length < 8 || /^[a-z]+(?:[-._~+/=]+[a-z]*)*$/i.test(secret)
}

/** Returns whether a letter or digit is on both sides of a place. */
function isInWord(text: string, index: number): boolean {
  return /^[a-z\d]{2}$/i.test(text.slice(Math.max(0, index - 1), index + 1))
}

/** A text without escapes. */
interface Unescaped {
  readonly text: string
  readonly plain: string
  /** The position in `text` of each character of `plain`, and of the end; omitted if the positions are equal. */
  readonly places?: ArrayLike<number>
}

/**
 * Escape sequences. A message may quote what was sent, so that its backslashes are doubled. A match begins with the
 * first of them, since a search from each of many backslashes would take seconds.
 */
const escaped = /%[\da-f]{2}|(?<!\\)\\+(?:u[\da-f]{4}|[nrtbf/"])/gi

/** Number of times that a text is decoded: a key in a redirect's address, for example, is encoded twice. */
const maxDecodings = 4

/** Decodes a text several times. */
function decoded(text: string, times: number): Unescaped {
  let read: Unescaped = { text, plain: text }
  for (let count = 0; count < times; count++) read = unescaped(read)
  return read
}

/** Decodes percent-encoding and the escapes of JSON, once. */
function unescaped({ text, plain, places }: Unescaped): Unescaped {
  const from = new Uint32Array(plain.length + 1)
  let shown = ''
  let end = 0
  const copyTo = (index: number): void => {
    for (let at = end; at <= index; at++) from[shown.length + at - end] = places?.[at] ?? at
    shown += plain.slice(end, index)
  }
  for (const { index, 0: found } of plain.matchAll(escaped)) {
    copyTo(index)
    shown += characterOf(found)
    end = index + found.length
  }
  copyTo(plain.length)
  return { text, plain: shown, places: from }
}

/** Returns the character of an escape sequence; a space for a control character. */
function characterOf(written: string): string {
  const [, hex] = /(?:%|\\u)([\da-f]+)$/i.exec(written) ?? []
  if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
  return /[nrtbf]$/.test(written) ? ' ' : written.slice(-1)
}
