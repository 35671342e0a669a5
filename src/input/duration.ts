import { lastInstantAt } from './instant.ts'
import { type Schema, written } from './schema.ts'

/** A duration as a caller may write it: `'61s'`, `'1h30m'`, `'250ms'`, or milliseconds. */
export type Duration = string | number

const durationPattern =
  /^(?:(\d+(?:\.\d+)?)d)?(?:(\d+(?:\.\d+)?)h)?(?:(\d+(?:\.\d+)?)m)?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?$/

const unitsMs = [86_400_000, 3_600_000, 60_000, 1_000, 1]

const unitNames = ['d', 'h', 'm', 's', 'ms']

/** A duration from 0 on, read as whole milliseconds, rounded. */
export const duration: Schema<Duration, number> = durationFrom(0, lastInstantAt)

/** A duration within bounds, in milliseconds. */
export function durationFrom(leastMs: number, mostMs: number): Schema<Duration, number> {
  return written<Duration, number>(
    {
      use: `milliseconds or a duration such as 250ms, 61s, 5m, 1h30m, 2d${boundsText(leastMs, mostMs)}`,
      json: {
        anyOf: [
          { type: 'string', pattern: '^(?:\\d+(?:\\.\\d+)?(?:d|h|ms?|s)?)+$' },
          { type: 'number', minimum: leastMs, maximum: mostMs },
        ],
        description: `Milliseconds, or a duration such as 61s or 1h30m${boundsText(leastMs, mostMs)}.`,
        examples: ['61s'],
      },
      read(found) {
        const ms = Math.round(millisecondsOf(found))
        return ms >= leastMs && ms <= mostMs ? ms : undefined
      },
    },
    formatDuration,
  )
}

function boundsText(leastMs: number, mostMs: number): string {
  if (mostMs < lastInstantAt) return `, at most ${formatDuration(mostMs)}`
  return leastMs > 0 ? ', above zero' : ''
}

function millisecondsOf(found: unknown): number {
  if (typeof found === 'number') return found < 0 ? Number.NaN : found
  if (typeof found !== 'string' || found === '') return Number.NaN
  if (/^\d+$/.test(found)) return Number(found)
  const match = durationPattern.exec(found)
  if (match === null) return Number.NaN
  return unitsMs.reduce((sum, unit, index) => sum + unit * Number(match[index + 1] ?? 0), 0)
}

/** Writes a duration in the form that {@link duration} reads, such as `1h30m`. */
export function formatDuration(ms: number): string {
  let rest = ms
  const parts = unitsMs.map((unit, index) => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return count > 0 ? `${count}${unitNames[index]}` : ''
  })
  return parts.join('') || '0ms'
}
