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

/** Returns a pattern of the first characters of words, also after a percent-encoded character. */
function wordStart(characters: string): RegExp {
  return new RegExp(`(?:(?<![A-Za-z\\d])|(?<=%[\\da-fA-F]{2}))[${characters}]`, 'g')
}

const letterOrDigit = /[A-Za-z\d]/

/**
 * Abbreviates secrets in texts, where they are whole words: plain, or percent-encoded once. It looks up secrets by their
 * first characters, so that ten thousand keys take no longer than ten.
 */
export class Redactor {
  readonly #secrets = new Set<string>()
  /** The lengths of the secrets with the same first characters, longest first. */
  readonly #lengths = new Map<string, readonly number[]>()
  readonly #firsts = new Set<string>()
  /** Finds the words that may be secrets by their first character: looking up all words took half of the time of a log line. */
  #secretStart = wordStart('')
  readonly #anyStart = wordStart('A-Za-z\\d\\-._~+/')

  add(secret: string): void {
    if (secret.length < minLength || this.#secrets.has(secret)) return
    this.#secrets.add(secret)
    const start = secret.slice(0, minLength)
    const lengths = this.#lengths.get(start) ?? []
    if (lengths.includes(secret.length)) return
    this.#lengths.set(
      start,
      [...lengths, secret.length].sort((one, other) => other - one),
    )
    const first = secret.slice(0, 1)
    if (this.#firsts.has(first)) return
    this.#firsts.add(first)
    this.#secretStart = wordStart([...this.#firsts].join('').replace(/[\]\\^-]/g, '\\$&'))
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
    const shown = this.#replacePlain(text, other, also)
    if (!shown.includes('%')) return shown
    return shown.replace(/[^\s/?&=#"]+/g, (word) => {
      const decoded = decodeKeyCharacters(word)
      if (decoded === word) return word
      const replaced = this.#replacePlain(decoded, other, also)
      return replaced === decoded ? word : replaced
    })
  }

  #replacePlain(text: string, other: (secret: string) => string, also: string): string {
    let shown = ''
    let shownTo = 0
    const isSent = also.length >= minLength && text.includes(also)
    const start = isSent ? this.#anyStart : this.#secretStart
    start.lastIndex = 0
    while (start.test(text)) {
      const index = start.lastIndex - 1
      const length = this.#lengthAt(text, index, also)
      if (length === 0) continue
      shown += text.slice(shownTo, index) + other(text.slice(index, index + length))
      shownTo = index + length
      start.lastIndex = shownTo
    }
    return shown + text.slice(shownTo)
  }

  /** Returns the length of the longest secret at a place; 0 if there is none. */
  #lengthAt(text: string, index: number, also: string): number {
    // The token may be cut, so that another character follows.
    if (also.length >= minLength && text.startsWith(also, index)) return also.length
    const lengths = this.#lengths.get(text.slice(index, index + minLength)) ?? []
    const isWhole = (length: number): boolean =>
      this.#secrets.has(text.slice(index, index + length)) &&
      !letterOrDigit.test(text[index + length] ?? '')
    return lengths.find(isWhole) ?? 0
  }
}

/** Decodes the percent-encoded characters that a key may have. */
function decodeKeyCharacters(word: string): string {
  return word.replace(/%[2-7][\da-f]/gi, (encoded) => {
    const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
    return /[A-Za-z\d\-._~+/=]/.test(character) ? character : encoded
  })
}
