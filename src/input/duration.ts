import { lastInstantAt } from './instant.ts'
import { named, type Schema, written } from './schema.ts'

/** A duration as callers write it: `'61s'`, `'1h30m'`, `'250ms'`, or milliseconds. */
export type Duration = string | number

/** The units from the longest to the shortest, in milliseconds. */
const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

const oneOfEach = Object.keys(units).map((unit) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`)

/** Takes the empty string too. */
const durationPattern = new RegExp(`^(?:\\d+|${oneOfEach.join('')})$`)

const withUnits = '(?:\\d+(?:\\.\\d+)?(?:ms|[dhms]))+'

/** Two durations with units, such as `1s-3s`. */
export const rangePattern = new RegExp(`^${withUnits}-${withUnits}$`)

/** A duration of 0 or more, read as milliseconds, rounded to a whole number. */
export const duration: Schema<Duration, number> = named('Duration', durationFrom(0, lastInstantAt))

/** A duration within bounds, in milliseconds. */
export function durationFrom(leastMs: number, mostMs: number): Schema<Duration, number> {
  const bounds = boundsText(leastMs, mostMs)
  return written<Duration, number>(
    {
      use: `milliseconds, or a duration such as 250ms, 61s, 5m, 1h30m, 2d${bounds}`,
      jsonSchema: {
        anyOf: [
          { type: 'string', minLength: 1, pattern: durationPattern.source },
          { type: 'number', minimum: leastMs, maximum: mostMs },
        ],
        description: `Milliseconds, or a duration such as 61s or 1h30m${bounds}.`,
        examples: ['61s'],
      },
      read(found) {
        const ms = millisecondsOf(found)
        return ms >= leastMs && ms <= mostMs ? Math.round(ms) : undefined
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
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || found === '') return Number.NaN
  const match = durationPattern.exec(found)
  if (match === null) return Number.NaN
  const [text, ...counts] = match
  if (/^\d+$/.test(text)) return Number(text)
  return Object.values(units).reduce((sum, unit, at) => sum + unit * Number(counts[at] ?? 0), 0)
}

/** Writes a duration in the form that {@link duration} reads, such as `1h30m`. */
export function formatDuration(ms: number): string {
  let rest = ms
  const parts = Object.entries(units).map(([name, unit]) => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return count > 0 ? `${count}${name}` : ''
  })
  return parts.join('') || '0ms'
}
