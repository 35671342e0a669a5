import { InputError, show } from './input-error.ts'

/** An instant as a caller may write it: ISO 8601 with a zone, a date alone (UTC), Unix milliseconds or a Date. */
export type Instant = string | number | Date

/** A duration as a caller may write it: `'61s'`, `'1h30m'`, `'250ms'`, or milliseconds. */
export type Duration = string | number

/** The year 9999's end: the last instant that ISO 8601 and an HTTP date write with four digits. */
const lastInstantAt = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/**
 * Reads an instant.
 *
 * @returns Unix milliseconds, from 0 to the end of the year 9999.
 * @throws {@link InputError} on anything else, a local time without a zone included.
 */
export function parseInstant(value: unknown, what = 'the instant'): number {
  const at = toMilliseconds(value)
  if (Number.isInteger(at) && at >= 0 && at <= lastInstantAt) return at
  throw new InputError(
    `Cannot set ${what}: found ${show(value)}; use ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999`,
  )
}

function toMilliseconds(value: unknown): number {
  if (typeof value === 'number') return value
  if (value instanceof Date) return value.getTime()
  if (typeof value !== 'string') return Number.NaN
  if (/^\d+$/.test(value) && value.length > 4) return Number(value)
  const match = isoPattern.exec(value)
  if (match === null) return Number.NaN
  const [, year, month, day] = match
  // Date.parse takes 30 February for 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) > lastDay ? Number.NaN : Date.parse(value)
}

const durationPattern =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

const unitsMs = [86_400_000, 3_600_000, 60_000, 1_000, 1]

/**
 * Reads a duration.
 *
 * @returns Whole milliseconds, 0 or more, rounded.
 * @throws {@link InputError} on anything else.
 */
export function parseDuration(value: unknown, what = 'the duration'): number {
  const ms = durationMs(value)
  if (Number.isFinite(ms) && ms >= 0 && ms <= lastInstantAt) return Math.round(ms)
  throw new InputError(
    `Cannot set ${what}: found ${show(value)}; use milliseconds or a text such as 250ms, 61s, 5m, 1h30m, 2d`,
  )
}

function durationMs(value: unknown): number {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value === '') return Number.NaN
  if (/^\d+$/.test(value)) return Number(value)
  const match = durationPattern.exec(value)
  if (match === null) return Number.NaN
  return unitsMs.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0)
}

/** Writes a duration in the form that {@link parseDuration} reads, such as `1h30m`. */
export function formatDuration(ms: number): string {
  const names = ['d', 'h', 'm', 's', 'ms']
  let rest = ms
  const parts = unitsMs.map((unit, index) => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return count > 0 ? `${count}${names[index]}` : ''
  })
  return parts.join('') || '0ms'
}

/** Writes an instant as ISO 8601 in UTC, without the milliseconds where they are zero. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}
