import { named, type Schema, written } from '../input/schema.ts'

/** An exact int64: a number where that is safe, otherwise a bigint. */
export type Int64 = number | bigint

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

/**
 * Normalizes an integer to its only form as {@link Int64}; `undefined` for anything else and for values outside int64.
 */
export function toInt64(value: unknown): Int64 | undefined {
  if (typeof value === 'number') {
    if (Number.isSafeInteger(value)) return value === 0 ? 0 : value
    // Beyond 2^53 a number may have lost digits and differ from the integer that was written.
    return undefined
  }
  if (typeof value !== 'bigint' || value < least || value > most) return undefined
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Returns whether an integer is in its shortest decimal form: no leading zeros, no minus before zero. */
export function isShortestForm(text: string): boolean {
  return /^(?:0|-?[1-9]\d*)$/.test(text)
}

const use = `an integer from ${least} to ${most}`

const decimal = /^-?\d{1,40}$/

/**
 * Parses a decimal integer, which may have a minus sign and leading zeros; `undefined` for other text and outside
 * int64.
 */
export function parseInt64(text: string): Int64 | undefined {
  if (!decimal.test(text)) return undefined
  return toInt64(BigInt(text))
}

/** An int64 from outside, also as a decimal string, since not every tool preserves large numbers in JSON. */
export const int64: Schema<Int64 | string, Int64> = named(
  'Int64',
  written<Int64 | string, Int64>(
    {
      use,
      jsonSchema: {
        anyOf: [
          { type: 'integer', format: 'int64' },
          { type: 'string', pattern: decimal.source },
        ],
        description: 'An int64, as a number or as a decimal string.',
      },
      read: int64From,
    },
    (id) => (typeof id === 'bigint' ? String(id) : id),
  ),
)

/** Returns the int64 of a number, a bigint or a decimal string; `undefined` for anything else. */
export function int64From(found: unknown): Int64 | undefined {
  return typeof found === 'string' ? parseInt64(found) : toInt64(found)
}

/** Compares two int64 by value, whether number or bigint. */
export function compareInt64(left: Int64, right: Int64): number {
  return left < right ? -1 : left > right ? 1 : 0
}
