import { type Schema, value, written } from './schema.ts'

/** An instant as a caller may write it: ISO 8601 with a zone, a date alone (UTC), Unix milliseconds or a Date. */
export type Instant = string | number | Date

/** The year 9999's end: the last instant that ISO 8601 and an HTTP date write with four digits. */
export const lastInstantAt: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isoPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** An instant, read as Unix milliseconds from 0 to the end of the year 9999; a local time without a zone is refused. */
export const instant: Schema<Instant, number> = written<Instant, number>(
  {
    use: 'ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999',
    json: {
      anyOf: [
        { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}(?:T.+)?$|^\\d{5,15}$' },
        { type: 'integer', minimum: 0, maximum: lastInstantAt },
      ],
      description: 'ISO 8601 with a zone, a date alone (UTC), or Unix milliseconds.',
      examples: ['2030-12-05T00:00:00Z'],
    },
    read(found) {
      const at = millisecondsOf(found)
      return Number.isInteger(at) && at >= 0 && at <= lastInstantAt ? at : undefined
    },
    fromText: numberOrText,
  },
  formatInstant,
)

/** Takes a text of digits for Unix milliseconds, unless it could be a year from 1970 on. */
function numberOrText(text: string): string | number {
  const isYear = text.length === 4 && Number(text) >= 1970
  return /^\d+$/.test(text) && !isYear ? Number(text) : text
}

function millisecondsOf(found: unknown): number {
  if (typeof found === 'number') return found
  if (found instanceof Date) return found.getTime()
  if (typeof found !== 'string') return Number.NaN
  if (/^\d+$/.test(found) && found.length > 4) return Number(found)
  const match = isoPattern.exec(found)
  if (match === null) return Number.NaN
  const [, year, month, day] = match
  // Date.parse takes 30 February for 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) > lastDay ? Number.NaN : Date.parse(found)
}

/** Writes an instant as ISO 8601 in UTC, without the milliseconds where they are zero. */
export function formatInstant(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z')
}

/** An instant as replies and snapshots write it: ISO 8601 in UTC. */
export const instantText: Schema<string> = value<string>({
  use: 'ISO 8601 in UTC',
  json: { type: 'string', format: 'date-time' },
  read: (found) =>
    typeof found === 'string' && Number.isFinite(millisecondsOf(found)) ? found : undefined,
})
