import { type Schema, written } from '../input/schema.ts'

/** An exact int64: a number where that is safe, otherwise a bigint. */
export type Int64 = number | bigint

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/** Normalizes an integer to its one form as {@link Int64}; `undefined` outside int64. */
export function toInt64(value: unknown): Int64 | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
    // Beyond 2^53 a number may have lost digits: it may not be the integer that was written.
    return undefined
  }
  if (typeof value !== 'bigint' || value < least || value > most) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

const decimal = /^-?\d{1,40}$/

/** Reads a decimal integer, with a minus sign and leading zeros if any; `undefined` for other text and outside int64. */
export function parseInt64(text: string): Int64 | undefined {
  if (!decimal.test(text)) return undefined
  return toInt64(BigInt(text))
}

/** An int64 from outside; a decimal string will do, since not every tool keeps large numbers in JSON. */
export const int64: Schema<Int64 | string, Int64> = written<Int64 | string, Int64>(
  {
    use: `an integer from ${least} to ${most}`,
    json: {
      anyOf: [
        { type: 'integer', format: 'int64' },
        { type: 'string', pattern: decimal.source },
      ],
      description: 'An int64, as a number or as a decimal string.',
    },
    read: int64From,
  },
  (id) => (typeof id === 'bigint' ? String(id) : id),
)

/** Returns the int64 that a number, a bigint or a decimal string stands for; `undefined` for anything else. */
export function int64From(found: unknown): Int64 | undefined {
  return typeof found === 'string' ? parseInt64(found) : toInt64(found)
}

/** Compares two int64 by value, whatever their forms. */
export function compareInt64(left: Int64, right: Int64): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const mayBeInexact = /[\d.]{16}|\d[eE]/
/** A string with the colon of a property's name, if it is one; or a number with its fraction and exponent. */
const stringOrNumber = /("[^"\\]*(?:\\.[^"\\]*)*")(\s*:)?|-?\d+(?:\.(\d+))?(?:[eE]([+-]?\d+))?/g

/**
 * Parses JSON as `JSON.parse` does, except that an integer past 2^53 comes out as a bigint, digit for digit,
 * and a fraction so near to an integer that a number can't tell them apart as `NaN`.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayBeInexact.test(text)) return value
  // The text is known to be valid, so what is outside of strings and looks like a number is one.
  // Each string value is marked as such, so that none can pass for a number that was put between quotes.
  const marked = text.replace(
    stringOrNumber,
    (literal, string?: string, colon?: string, fraction?: string, exponent?: string) => {
      if (colon !== undefined) return literal
      if (string !== undefined) return `"s${string.slice(1)}`
      const exact = exactNumber(literal, fraction ?? '', Number(exponent ?? 0))
      return exact === undefined ? literal : `"n${exact}"`
    },
  )
  return unmark(JSON.parse(marked))
}

/** Takes the marks off again, without recursion, since JSON may be nested deeper than the stack. */
function unmark(value: unknown): unknown {
  const root = { value }
  const pending: object[] = [root]
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    for (const [name, part] of Object.entries(parent)) {
      if (typeof part === 'object' && part !== null) pending.push(part)
      // Not by assignment, which would take __proto__ for more than a name.
      if (typeof part === 'string') Object.defineProperty(parent, name, { value: unmarked(part) })
    }
  }
  return root.value
}

function unmarked(text: string): string | number | bigint {
  const rest = text.slice(1)
  if (text[0] === 's') return rest
  return rest === 'NaN' ? Number.NaN : BigInt(rest)
}

/**
 * What a number literal is where a number doesn't hold it: the digits of an integer, or `NaN` for a fraction
 * that would pass for one; `undefined` where a number is good enough.
 */
function exactNumber(literal: string, fraction: string, exponent: number): string | undefined {
  const number = Number(literal)
  if (!Number.isInteger(number)) return undefined
  const digits = `${/^-?\d+/.exec(literal)?.[0]}${fraction}`
  const decimals = fraction.length - exponent
  const isZero = /^-?0+$/.test(digits)
  const isFraction = decimals > 0 && !isZero && !endsInZeros(digits, decimals)
  if (isFraction) return Number.isSafeInteger(number) ? 'NaN' : undefined
  if (isZero || Number.isSafeInteger(number) || exponent > 40 || digits.length > 400)
    return undefined
  return decimals > 0 ? digits.slice(0, -decimals) : digits + '0'.repeat(-decimals)
}

/** Whether the last digits of a number are all zero; there may be fewer digits than are asked for. */
function endsInZeros(digits: string, count: number): boolean {
  return count < digits.length && /^0*$/.test(digits.slice(-count))
}

/** Writes JSON as `JSON.stringify` does for plain data, bigints as integer literals. */
export function toJson(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`
  const members = Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .map(([name, part]) => `${JSON.stringify(name)}:${toJson(part)}`)
  return `{${members.join(',')}}`
}
