/** A part of a number literal that may lose digits; it also matches inside strings. */
const mayBeInexact = /\d[\d.]{14}\d|\d[eE]/

/** The parts of a number: the digits before its fraction, the fraction, and the exponent. */
const numberParts = /^(-?\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/

/**
 * Parses JSON as `JSON.parse` does, except that an integer beyond 2^53 becomes a bigint, digit for digit, and a
 * fraction that a number would round to an integer becomes `NaN`.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const plain: unknown = JSON.parse(text)
  if (!mayBeInexact.test(text)) return plain
  // A reviver would take several times as long as the parser, and recurse.
  const root = [plain]
  const path = new JsonPath(text, root)
  const places = new RegExp(mayBeInexact, 'g')
  for (let found = places.exec(text); found !== null; found = places.exec(text)) {
    places.lastIndex = path.moveTo(found.index) ? path.replaceNumber() : path.at
  }
  return root[0]
}

const [quote, comma, closeBracket, closeBrace, openBrace] = [34, 44, 93, 125, 123]

/** Whether a character gives a JSON text its structure, by its code. */
const isStructure = new Uint8Array(65_536)
for (const character of '",[]{}') isStructure[character.charCodeAt(0)] = 1

/** A place in a JSON text, and what `JSON.parse` has made of the arrays and objects around it. */
class JsonPath {
  readonly #text: string
  at = 0
  #depth = 0
  /** The index in each array around the place; -1 in an object. */
  readonly #indexes = [0]
  /** The start of the latest name in each object around the place. */
  readonly #names = [0]
  /** The arrays and objects around the place, as far as they have been looked up. */
  readonly #parsed: (object | undefined)[]

  constructor(text: string, root: object) {
    this.#text = text
    this.#parsed = [root]
  }

  /** Moves forward to a number; returns whether it isn't part of a string, behind which the place then is. */
  moveTo(end: number): boolean {
    const text = this.#text
    const indexes = this.#indexes
    let depth = this.#depth
    let isName = false
    let { at } = this
    for (; at < end; at++) {
      const code = text.charCodeAt(at)
      if (isStructure[code] === 0) continue
      if (code === comma) {
        const index = indexes[depth] ?? -1
        if (index < 0) isName = true
        else indexes[depth] = index + 1
      } else if (code === quote) {
        if (isName) this.#names[depth] = at
        isName = false
        at = endOfString(text, at) - 1
      } else if (code === closeBracket || code === closeBrace) depth--
      else {
        depth++
        isName = code === openBrace
        indexes[depth] = isName ? -1 : 0
        this.#parsed[depth] = undefined
      }
    }
    this.at = at
    this.#depth = depth
    return at === end
  }

  /**
   * Replaces the number here by its exact value, unless a later property of the same name has replaced it.
   *
   * @returns The end of its literal.
   */
  replaceNumber(): number {
    const text = this.#text
    const numberLiteral = /[\d.eE+-]*/y
    numberLiteral.lastIndex = this.at
    while (/[\d.eE+-]/.test(text[numberLiteral.lastIndex - 1] ?? '')) numberLiteral.lastIndex--
    const [literal = ''] = numberLiteral.exec(text) ?? []
    const end = numberLiteral.lastIndex
    const number = Number(literal)
    const exact = exactNumber(number, literal)
    if (exact === undefined) return end
    const parent = this.#parentAt(this.#depth)
    const key = this.#keyAt(this.#depth)
    const isHere = Object.hasOwn(parent, key) && Number(Reflect.get(parent, key)) === number
    if (isHere) Reflect.set(parent, key, exact)
    return end
  }

  #parentAt(depth: number): object {
    let known = depth
    while (this.#parsed[known] === undefined) known--
    for (; known < depth; known++) {
      const parent = this.#parsed[known] ?? []
      const key = this.#keyAt(known)
      const child: unknown = Object.hasOwn(parent, key) ? Reflect.get(parent, key) : undefined
      this.#parsed[known + 1] = typeof child === 'object' && child !== null ? child : []
    }
    return this.#parsed[depth] ?? []
  }

  #keyAt(depth: number): string | number {
    const index = this.#indexes[depth] ?? -1
    if (index >= 0) return index
    const start = this.#names[depth] ?? 0
    return String(JSON.parse(this.#text.slice(start, endOfString(this.#text, start))))
  }
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
 * Returns the exact value of a literal that a number can't represent: a bigint for an integer, or `NaN` for a fraction
 * that would round to an integer; `undefined` if a number is exact enough.
 */
function exactNumber(number: number, literal: string): number | bigint | undefined {
  if (!Number.isInteger(number)) return undefined
  const [, whole = '', fraction = '', exponentText = '0'] = numberParts.exec(literal) ?? []
  const isSafe = Number.isSafeInteger(number)
  if (fraction === '' && exponentText === '0') {
    // Integers of hundreds of digits stay numbers.
    return isSafe || whole.length > 400 ? undefined : BigInt(whole)
  }
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const decimals = fraction.length - exponent
  const [zeros = ''] = /(?<!0)0*$/.exec(digits) ?? []
  const isFraction = decimals > zeros.length && /[1-9]/.test(digits)
  if (isFraction) return isSafe ? Number.NaN : undefined
  if (isSafe || exponent > 40 || digits.length > 400) return undefined
  return BigInt(decimals > 0 ? digits.slice(0, -decimals) : digits + '0'.repeat(-decimals))
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
