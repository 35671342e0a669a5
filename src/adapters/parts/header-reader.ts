import { type Headers, headersFrom } from '../../contract/message.ts'

/** Header lines as Node gives them, and what they were read as. */
interface Known {
  readonly lines: readonly string[]
  readonly headers: Headers
}

/** The most lines, names and values counted alone, that are kept. */
const mostLines = 64

/**
 * Reads the header lines of Node's requests, as {@link headersFrom} does. A client sends the same ones with
 * every request of a kind: they are compared with the last ones of as many lines, and read only when they differ.
 */
export class HeaderReader {
  /** By the number of lines. */
  readonly #known: (Known | undefined)[] = []

  read(lines: readonly string[]): Headers {
    const known = this.#known[lines.length]
    if (known !== undefined && isSame(known.lines, lines)) return known.headers
    // Frozen, and of lines of its own: what another middleware does to one request must not reach the next.
    const headers = Object.freeze(headersFrom(lines))
    if (lines.length <= mostLines) this.#known[lines.length] = { lines: [...lines], headers }
    return headers
  }
}

function isSame(some: readonly string[], others: readonly string[]): boolean {
  if (some.length !== others.length) return false
  for (let index = 0; index < some.length; index++) {
    if (some[index] !== others[index]) return false
  }
  return true
}
