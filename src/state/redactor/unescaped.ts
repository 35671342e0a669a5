/** A text without escapes. */
export interface Unescaped {
  readonly plain: string
  /** Where each character stands in the text as it was, and where that ends. */
  readonly places: readonly number[]
}

/** Whether there may be an escape in a text that {@link unescaped} undoes. */
export function hasEscapes(text: string): boolean {
  return /%[\da-f]{2}|\\[u/x\\]/i.test(text)
}

/** The longest escape, `\u0066`. */
const longest = 6

/**
 * Undoes the escapes in a text, percent-encoded or as in JSON, one in the other and any number of times: what an escape
 * stands for may complete the next one. Each step makes the text shorter, so that it takes no longer for more of them.
 */
export function unescaped(text: string): Unescaped {
  const codes: number[] = []
  const places: number[] = []
  /** Where the last character stands that may begin an escape. */
  let lastMark = Number.NEGATIVE_INFINITY
  for (let index = 0; index < text.length; index++) {
    codes.push(text.charCodeAt(index))
    places.push(index)
    for (;;) {
      const code = codes.at(-1)
      if (code === percent || code === backslash) lastMark = codes.length - 1
      if (codes.length - lastMark > longest) break
      const length = lengthOfLast(codes)
      if (length === 0) break
      const character = characterOf(codes, length)
      codes.length -= length
      places.length -= length - 1
      codes.push(character)
      // What stands before may be the beginning of a longer escape.
      lastMark = codes.length - 1
    }
  }
  places.push(text.length)
  return { plain: textOf(codes), places }
}

const [percent, backslash, slash] = [0x25, 0x5c, 0x2f]
const [letterU, letterX] = [0x75, 0x78]

/** How long the escape is that ends a text, such as 3 for `%66`; 0 if none does. */
function lengthOfLast(codes: readonly number[]): number {
  const last = codes.at(-1)
  if (last === backslash || last === slash) return codes.at(-2) === backslash ? 2 : 0
  if (!isHex(last) || !isHex(codes.at(-2))) return 0
  if (codes.at(-3) === percent) return 3
  if (codes.at(-4) === backslash && codes.at(-3) === letterX) return 4
  const isLong = isHex(codes.at(-3)) && isHex(codes.at(-4))
  return isLong && codes.at(-5) === letterU && codes.at(-6) === backslash ? longest : 0
}

/** The character that the escape at the end stands for. */
function characterOf(codes: readonly number[], length: number): number {
  if (length === 2) return codes.at(-1) ?? 0
  const digits = codes.slice(length === longest ? -4 : -2)
  return Number.parseInt(String.fromCharCode(...digits), 16)
}

function isHex(code = 0): boolean {
  const lower = code | 0x20
  return (code >= 0x30 && code <= 0x39) || (lower >= 0x61 && lower <= 0x66)
}

function textOf(codes: readonly number[]): string {
  let text = ''
  // Not all at once, since a call takes only so many arguments.
  for (let start = 0; start < codes.length; start += 4_096) {
    text += String.fromCharCode(...codes.slice(start, start + 4_096))
  }
  return text
}
