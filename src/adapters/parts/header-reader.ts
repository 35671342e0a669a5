import { headersFrom } from '../../contract/http/read-request.ts'
import type { Headers } from '../../contract/message.ts'

/** Header lines as Node gives them, and the parsed headers. */
interface ReadLines {
  readonly lines: readonly string[]
  readonly headers: Headers
}

/** How many lines are kept at most; a name and its value count as two. */
const maxLines = 64

/**
 * Reads the header lines of Node's requests, as {@link headersFrom} does. Clients mostly repeat the same lines, so they
 * are compared with the latest ones of the same number and parsed only if they differ.
 */
export class HeaderReader {
  /** By the number of lines. */
  readonly #known: (ReadLines | undefined)[] = []

  read(lines: readonly string[]): Headers {
    const known = this.#known[lines.length]
    if (known !== undefined && isSame(known.lines, lines)) return known.headers
    // Frozen, and kept with a copy of the lines, so that what other middleware does to one request can't reach the next.
    const headers = Object.freeze(headersFrom(lines))
    if (lines.length <= maxLines) this.#known[lines.length] = { lines: [...lines], headers }
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
