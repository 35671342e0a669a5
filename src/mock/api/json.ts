/** The start of a number literal that may lose digits, with the character before it; it also matches inside strings. */
const mayBeInexact = /(?:^|[\s:,[])-?(?:[\d.]{16}|[\d.]+[eE])/

/** The parts of a number: the digits before its fraction, the fraction, and the exponent. */
const numberParts = /(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g

/**
 * Parses JSON as `JSON.parse` does, except that an integer beyond 2^53 becomes a bigint, digit for digit, and a
 * fraction that a number would round to an integer becomes `NaN`.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  if (!mayBeInexact.test(text)) return plain
  // The prefix of a string that replaces a number. It is random, so that no string in the input starts with it.
  const mark = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const marked = partsOf(text).map((part) =>
    part.startsWith('"')
      ? part
      : part.replace(numberParts, (literal, ...parts: string[]) => {
          const exact = exactNumber(Number(literal), parts)
          return exact === undefined ? literal : `"${mark}${exact}"`
        }),
  )
  // A loop instead of a reviver, which recurses: JSON may be nested deeper than the stack.
  const root: { readonly value: unknown } = { value: JSON.parse(marked.join('')) }
  const pending: object[] = [root]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const [name, part] of Object.entries(parent)) {
      if (typeof part === 'object' && part !== null) pending.push(part)
      if (typeof part !== 'string' || !part.startsWith(mark)) continue
      const exact = part.slice(mark.length)
      // An assignment to `__proto__` would set the prototype.
      Object.defineProperty(parent, name, { value: exact === 'NaN' ? Number.NaN : BigInt(exact) })
    }
  }
  return root.value
}

/** Parses JSON as {@link parseJson} does; `undefined` for a missing text and for invalid JSON. */
export function jsonIn(text: string | undefined): unknown {
  try {
    return parseJson(text ?? '')
  } catch {
    return undefined
  }
}

/** Splits JSON into its strings, with their quotation marks, and the text between them. */
function partsOf(json: string): string[] {
  const parts: string[] = []
  let at = 0
  while (at < json.length) {
    const quote = json.indexOf('"', at)
    const start = quote < 0 ? json.length : quote
    const end = endOfString(json, start)
    parts.push(json.slice(at, start), json.slice(start, end))
    at = end
  }
  return parts
}

/** Returns the end of a JSON string: the position after the first quotation mark that isn't escaped. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0
    while (json[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end + 1
  }
  return json.length
}

/**
 * Returns the exact value of a literal that a number can't represent: the digits of an integer, or `NaN` for a fraction
 * that would round to an integer; `undefined` if a number is exact enough.
 */
function exactNumber(
  number: number,
  [whole = '', fraction = '', exponentText = '0']: readonly string[],
): string | undefined {
  if (!Number.isInteger(number)) return undefined
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const decimals = fraction.length - exponent
  const [zeros = ''] = /(?<!0)0*$/.exec(digits) ?? []
  const isSafe = Number.isSafeInteger(number)
  const isFraction = decimals > zeros.length && /[1-9]/.test(digits)
  if (isFraction) return isSafe ? 'NaN' : undefined
  // Integers of hundreds of digits stay numbers.
  if (isSafe || exponent > 40 || digits.length > 400) return undefined
  return decimals > 0 ? digits.slice(0, -decimals) : digits + '0'.repeat(-decimals)
}

/** Serializes plain data as `JSON.stringify` does, with bigints as integer literals. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (value instanceof Date) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  const members = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${JSON.stringify(name)}:${toJson(part)}`)
  return `{${members.join(',')}}`
}

/** A member of a JSON object as it is written. */
interface JsonMember {
  readonly name: string
  /** The text after the colon, up to a comma, a space or the end of the object; for a number, the whole literal. */
  readonly literal: string
}

/** Lists the members of a JSON object in order, including repeated ones. */
export function membersOf(json: string): JsonMember[] {
  const members: JsonMember[] = []
  const parts = partsOf(json)
  let depth = 0
  parts.forEach((part, index) => {
    if (!part.startsWith('"')) {
      depth += part.split(/[{[]/).length - part.split(/[}\]]/).length
      return
    }
    const [, literal] = /^\s*:\s*([^\s,}]*)/.exec(parts[index + 1] ?? '') ?? []
    if (depth !== 1 || literal === undefined) return
    members.push({ name: String(JSON.parse(part)), literal })
  })
  return members
}
