import { named, type Schema, value, written } from './schema.ts'

/** An instant as callers write it: ISO 8601 with a zone, a date (UTC), Unix milliseconds or a `Date`. */
export type Instant = string | number | Date

/** The end of the year 9999, the last one that ISO 8601 and HTTP dates write with four digits. */
export const lastInstantAt: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isoPattern =
  /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** Unix milliseconds as text; four digits would be a year. */
const digitsPattern = /^\d{5,15}$/

/** An instant, read as Unix milliseconds up to the end of the year 9999; a local time without a zone is refused. */
export const instant: Schema<Instant, number> = named(
  'Instant',
  written<Instant, number>(
    {
      use: 'ISO 8601 with a zone, such as 2030-12-05T00:00:00Z, or Unix milliseconds, from 1970 to 9999',
      jsonSchema: {
        anyOf: [
          { type: 'string', pattern: `${isoPattern.source}|${digitsPattern.source}` },
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
  ),
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
  return digitsPattern.test(found) ? Number(found) : millisecondsOfIso(found)
}

function millisecondsOfIso(text: string): number {
  const match = isoPattern.exec(text)
  if (match === null) return Number.NaN
  const [, year, month, day] = match
  // Date.parse takes 30 February for 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) > lastDay ? Number.NaN : Date.parse(text)
}

/** Writes an instant as ISO 8601 in UTC, without milliseconds if they are zero; one after 9999 as the last of 9999. */
export function formatInstant(at: number): string {
  return new Date(Math.min(at, lastInstantAt)).toISOString().replace('.000Z', 'Z')
}

const utcPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/

/** An instant as replies and snapshots write it: ISO 8601 in UTC. */
export const instantText: Schema<string> = value<string>({
  use: 'ISO 8601 in UTC, such as 2030-12-05T00:00:00Z',
  jsonSchema: { type: 'string', format: 'date-time', pattern: utcPattern.source },
  read: (found) =>
    typeof found === 'string' && utcPattern.test(found) && Number.isFinite(millisecondsOfIso(found))
      ? found
      : undefined,
})
