const mayBeInexact = /[\d.]{16}|\d[eE]/
/** The parts of a number: what is before its fraction, that, and its exponent. */
const numberParts = /^(-?(?:0|[1-9]\d*))(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/
/** What begins a string that stands for a number: JSON text can't have it but as an escape. */
const mark = '\0'
const escapedMark = '\\u0000'

/**
 * Parses JSON as `JSON.parse` does, except that an integer beyond 2^53 becomes a bigint, digit for digit, and a
 * fraction that a number would round to an integer becomes `NaN`.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const marked = mayBeInexact.test(text) ? markNumbers(text) : text
  if (marked === text) return JSON.parse(text)
  return unmark(parseMarked(marked, text))
}

/** Parses text with marks, which is JSON if the text without them is. */
function parseMarked(marked: string, text: string): unknown {
  try {
    return JSON.parse(marked)
  } catch (error) {
    // It says where the text is wrong, not where the marked one is.
    JSON.parse(text)
    throw error
  }
}

/**
 * Puts a marked string in the place of each number that a number doesn't hold. What isn't JSON doesn't become so.
 *
 * By hand: a regular expression takes several times as long for each string and number of a large body.
 */
function markNumbers(text: string): string {
  const mayHoldMark = text.includes(escapedMark)
  const pieces: string[] = []
  let writtenTo = 0
  const replace = (start: number, end: number, literal: string): void => {
    pieces.push(text.slice(writtenTo, start), literal)
    writtenTo = end
  }
  let at = 0
  while (at < text.length) {
    const start = at
    const code = text.charCodeAt(at)
    if (code === quote) {
      at = endOfString(text, start)
      // A string of the sender's must not pass for a number; a name never does.
      const isForged = mayHoldMark && text.startsWith(escapedMark, start + 1)
      if (isForged && !isName(text, at)) replace(start, start + 1, `"${escapedMark}s`)
    } else if (code === minus || isDigit(code)) {
      at = endOfNumber(text, start)
      const exact = exactNumber(text.slice(start, at))
      if (exact !== undefined && !isName(text, at)) replace(start, at, `"${escapedMark}n${exact}"`)
    } else at++
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(writtenTo)
}

const quote = 0x22
const minus = 0x2d
const backslash = 0x5c

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Finds where a JSON number ends that has begun before. */
function endOfNumber(text: string, start: number): number {
  let at = start + 1
  // Digits, and what else is in numbers: . + - e E
  while (isDigit(text.charCodeAt(at)) || '.+-eE'.includes(text[at] ?? ',')) at++
  return at
}

/**
 * Finds where a JSON string ends, or the text that breaks off in it; by hand, since a regular expression runs out of
 * stack in long ones.
 */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code === quote) break
    at += code === backslash ? 2 : 1
  }
  return at + 1
}

/** Whether the JSON string that ends here is the name of a property. */
function isName(text: string, end: number): boolean {
  let at = end
  while (/[ \t\r\n]/.test(text[at] ?? '')) at++
  return text[at] === ':'
}

/** Removes the marks, without recursion, since JSON may be nested deeper than the stack. */
function unmark(value: unknown): unknown {
  const root = [value]
  const pending: object[] = [root]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    if (Array.isArray(parent)) {
      for (let index = 0; index < parent.length; index++) {
        const part: unknown = parent[index]
        if (isMarked(part)) parent[index] = unmarked(part)
        else if (typeof part === 'object' && part !== null) pending.push(part)
      }
    } else {
      for (const [name, part] of Object.entries(parent)) {
        // Not by assignment, to which __proto__ is more than a name.
        if (isMarked(part)) Object.defineProperty(parent, name, { value: unmarked(part) })
        else if (typeof part === 'object' && part !== null) pending.push(part)
      }
    }
  }
  return root[0]
}

function isMarked(part: unknown): part is string {
  return typeof part === 'string' && part.startsWith(mark)
}

function unmarked(text: string): string | number | bigint {
  const rest = text.slice(2)
  if (text[1] === 's') return rest
  return rest === 'NaN' ? Number.NaN : BigInt(rest)
}

/**
 * The exact value of a literal that a number can't hold: the digits of an integer, or `NaN` for a fraction that would
 * round to one; `undefined` if a number will do.
 */
function exactNumber(literal: string): string | undefined {
  if (literal.length < 16 && !/[eE]/.test(literal)) return undefined
  const number = Number(literal)
  if (!Number.isInteger(number)) return undefined
  const isSafe = Number.isSafeInteger(number)
  const parts = numberParts.exec(literal)
  if (parts === null) return undefined
  const [, whole = '', fraction = '', exponentText = '0'] = parts
  const exponent = Number(exponentText)
  const digits = whole + fraction
  const decimals = fraction.length - exponent
  const isZero = number === 0 && /^-?0+$/.test(digits)
  const isFraction = decimals > 0 && !isZero && !endsInZeros(digits, decimals)
  if (isFraction) return isSafe ? 'NaN' : undefined
  if (isZero || isSafe || exponent > 40 || digits.length > 400) return undefined
  return decimals > 0 ? digits.slice(0, -decimals) : digits + '0'.repeat(-decimals)
}

/** Whether a number ends in `count` zeros, with other digits before them. */
function endsInZeros(digits: string, count: number): boolean {
  return count < digits.length && /^0*$/.test(digits.slice(-count))
}

/** Writes JSON as `JSON.stringify` does for plain data, bigints as integer literals. */
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

/** Whether JSON is nested deeper than some levels, so that parsing it could take very long. */
export function isTooDeep(json: string, most: number): boolean {
  if (json.length <= most) return false
  return exceeds(json, most, /[[{]/, [openBracket, openBrace], [closeBracket, closeBrace])
}

/** Whether the objects in JSON have more than so many properties in all, so that parsing it could take long. */
export function hasManyProperties(json: string, most: number): boolean {
  return json.length > most && exceeds(json, most, /:/, [colon], [])
}

/** Whether a count exceeds a number somewhere in JSON: one more for some characters outside of strings, one less for others. */
function exceeds(
  json: string,
  most: number,
  pattern: RegExp,
  [up, otherUp]: readonly number[],
  [down, otherDown]: readonly number[],
): boolean {
  // As many have to be there; looking for them alone is several times as fast.
  if (json.split(pattern, most + 2).length < most + 2) return false
  let count = 0
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at)
    if (code === quote) at = endOfString(json, at) - 1
    else if (code === up || code === otherUp) count++
    else if (code === down || code === otherDown) count--
    if (count > most) return true
  }
  return false
}

const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** A member of a JSON object, as it is written. */
interface JsonMember {
  readonly name: string
  /** What follows the name, up to a comma, a space or the end of the object; of a number, all of it. */
  readonly literal: string
}

/** Lists the members of the object that a JSON text is, in order, those that are given twice included. */
export function membersOf(text: string): JsonMember[] {
  const members: JsonMember[] = []
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if ('{['.includes(character)) depth++
    else if ('}]'.includes(character)) depth--
    else if (character === '"') {
      const end = endOfString(text, at)
      if (depth === 1 && isName(text, end)) {
        const name: unknown = JSON.parse(text.slice(at, end))
        members.push({ name: String(name), literal: literalAfter(text, end) })
      }
      at = end - 1
    }
  }
  return members
}

/** What stands after the colon that follows here. */
function literalAfter(text: string, end: number): string {
  const pattern = /\s*:\s*([^\s,}]*)/y
  pattern.lastIndex = end
  return pattern.exec(text)?.[1] ?? ''
}
