/** An int64 as TypeScript holds it exactly: a number where that is safe, a bigint where not. */
export type Int64 = number | bigint

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/** Brings an integer into the one form that {@link Int64} has for it; `undefined` outside int64. */
export function toInt64(value: unknown): Int64 | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
    // Past 2^53 a plain number has lost digits: it isn't the integer that somebody wrote.
    return undefined
  }
  if (typeof value !== 'bigint' || value < least || value > most) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Reads a decimal integer, a sign and leading zeros allowed; `undefined` for other text and outside int64. */
export function parseInt64(text: string): Int64 | undefined {
  if (!/^-?\d{1,40}$/.test(text)) return undefined
  return toInt64(BigInt(text))
}

/** Orders two int64 by value, whichever their forms. */
export function compareInt64(left: Int64, right: Int64): number {
  return left < right ? -1 : left > right ? 1 : 0
}

const mayBeInexact = /[\d.]{16}|\d[eE]/
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(\.\d+)?(?:[eE]([+-]?\d+))?/g

/**
 * Parses JSON as `JSON.parse` does, except that an integer past 2^53 comes out as a bigint, digit for digit.
 *
 * @throws SyntaxError as `JSON.parse`.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!mayBeInexact.test(text)) return value
  // The text is known to be valid, so outside of strings a run of digits is a whole number literal.
  const mark = freeMark(text)
  const marked = text.replace(stringOrNumber, (literal, fraction?: string, exponent?: string) => {
    const isInexact = literal[0] !== '"' && !Number.isSafeInteger(Number(literal))
    const digits = isInexact ? integerDigits(literal, fraction, exponent) : undefined
    return digits === undefined ? literal : `"${mark}${digits}"`
  })
  return JSON.parse(marked, (_name, part: unknown) =>
    typeof part === 'string' && part.startsWith(mark) ? BigInt(part.slice(mark.length)) : part,
  )
}

/** A prefix that no string of the text begins with. */
function freeMark(text: string): string {
  let mark = '#'
  while (text.includes(mark)) mark += '#'
  return mark
}

/** The digits of a number literal that is an integer of up to 40 digits; `undefined` for any other. */
function integerDigits(literal: string, fraction = '.', exponent = '0'): string | undefined {
  const shift = Number(exponent)
  if (shift > 40 || shift < -literal.length) return undefined
  const whole = /^-?\d+/.exec(literal)?.[0] ?? ''
  const decimals = fraction.slice(1)
  const digits = `${whole}${decimals}`
  const surplus = decimals.length - shift
  if (surplus <= 0) return bounded(digits + '0'.repeat(-surplus))
  const kept = digits.slice(0, -surplus)
  return /^0*$/.test(digits.slice(-surplus)) && /\d/.test(kept) ? bounded(kept) : undefined
}

function bounded(digits: string): string | undefined {
  return digits.length <= 60 ? digits : undefined
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
