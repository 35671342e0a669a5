import { wholeText } from './input-error.ts'
import { namesOf } from './record.ts'
import {
  type JsonSchema,
  named,
  rejectValue,
  type Schema,
  ValidationError,
  value,
  written,
} from './schema.ts'

/** Rule for valid strings. */
interface TextRule {
  readonly use: string
  readonly pattern: RegExp
  readonly most?: number
}

const anyText: TextRule = { use: 'a non-empty string', pattern: /[\s\S]/ }

/** Creates the schema of a non-empty string that follows a rule; by default any. */
export function text({ use, pattern, most = Number.POSITIVE_INFINITY } = anyText): Schema<string> {
  return value<string>({
    use,
    jsonSchema: {
      type: 'string',
      minLength: 1,
      ...(Number.isFinite(most) ? { maxLength: most } : {}),
      ...(pattern === anyText.pattern ? {} : { pattern: pattern.source }),
    },
    read: (found) =>
      typeof found === 'string' && found.length <= most && pattern.test(found) ? found : undefined,
  })
}

/** A bearer token that a header can carry: printable ASCII, without spaces around it. */
export const bearerToken: Schema<string> = text({
  use: 'printable ASCII characters, without spaces around them',
  pattern: /^[!-~](?:[ -~]*[!-~])?$/,
})

/** Any string, even an empty one. */
export const string: Schema<string> = value<string>({
  use: 'a string',
  jsonSchema: { type: 'string' },
  read: (found) => (typeof found === 'string' ? found : undefined),
})

/** Creates the schema of a whole number within bounds, inclusive. */
export function integer(
  least: number,
  most: number,
  use: string = `a whole number from ${least} to ${most}`,
): Schema<number> {
  return value<number>({
    use,
    jsonSchema: { type: 'integer', minimum: least, maximum: most },
    read: (found) =>
      typeof found === 'number' && Number.isInteger(found) && found >= least && found <= most
        ? found
        : undefined,
    fromText: numberFromText,
  })
}

/** Creates the schema of a number within bounds, fractions included. */
export function number(
  use: string,
  bounds: { minimum?: number; exclusiveMinimum?: number; maximum: number },
): Schema<number> {
  const {
    minimum = Number.NEGATIVE_INFINITY,
    exclusiveMinimum = Number.NEGATIVE_INFINITY,
    maximum,
  } = bounds
  return value<number>({
    use,
    jsonSchema: { type: 'number', ...bounds },
    read: (found) =>
      typeof found === 'number' && found >= minimum && found > exclusiveMinimum && found <= maximum
        ? found
        : undefined,
    fromText: numberFromText,
  })
}

/** Converts text to a number; returns other text unchanged, so that it is rejected. */
function numberFromText(text: string): unknown {
  return /^-?\d+(?:\.\d+)?(?:e\d+)?$/i.test(text) ? Number(text) : text
}

const flagTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** True or false. */
export const flag: Schema<boolean> = value<boolean>({
  use: 'true or false',
  jsonSchema: { type: 'boolean' },
  read: (found) => (typeof found === 'boolean' ? found : undefined),
  fromText: (text) => (Object.hasOwn(flagTexts, text) ? flagTexts[text] : text),
})

/** Creates the schema of one of a list of names or numbers. */
export function oneOf<const Choice extends string | number>(
  choices: readonly Choice[],
): Schema<Choice> & { readonly choices: readonly Choice[] } {
  const isNumeric = choices.some((choice) => typeof choice === 'number')
  const schema = value<Choice>({
    use: choices.length === 1 ? JSON.stringify(choices[0]) : `one of ${choices.join(', ')}`,
    jsonSchema: { ...(isNumeric ? {} : { type: 'string' }), enum: choices },
    read: (found) => choices.find((choice) => choice === found),
    names: choices.map(String),
    ...(isNumeric
      ? { fromText: (given: string) => choices.find((one) => String(one) === given) ?? given }
      : {}),
  })
  return { ...schema, choices }
}

/** Creates the schema of one of the names in a table. */
export function nameIn<Table extends object>(table: Table) {
  return oneOf(namesOf(table))
}

/** Creates a schema that also accepts null. */
export function nullable<Given, Read>(
  schema: Schema<Given, Read>,
): Schema<Given | null, Read | null> {
  return {
    expected: `${schema.expected}, or null`,
    jsonSchema: () => ({ anyOf: [schema.jsonSchema(), { type: 'null' }] }),
    parse: (found) => (found === null ? null : schema.parse(found)),
    encode: (read) => (read === null ? null : schema.encode(read)),
    fromText: schema.fromText,
  }
}

/** Creates a schema that accepts the values of either of two schemas; each must be of a single value. */
export function either<First, FirstRead extends First, Second>(
  first: Schema<First, FirstRead>,
  second: Schema<Second>,
): Schema<First | Second, FirstRead | Second> {
  const expected = `${first.expected}, or ${second.expected}`
  return {
    expected,
    jsonSchema: () => ({ anyOf: [first.jsonSchema(), second.jsonSchema()] }),
    parse(found) {
      for (const schema of [first, second]) {
        try {
          return schema.parse(found)
        } catch (thrown) {
          if (!(thrown instanceof ValidationError)) throw thrown
        }
      }
      return rejectValue(found, expected)
    },
    encode: (read) => read,
    fromText: first.fromText,
  }
}

/** Creates the schema of a value that a type guard accepts, such as a function or a foreign document. */
export function custom<Value>(
  use: string,
  isOne: (found: unknown) => found is Value,
  jsonSchema: JsonSchema = {},
): Schema<Value> {
  return value<Value>({ use, jsonSchema, read: (found) => (isOne(found) ? found : undefined) })
}

/** An instant as input: ISO 8601 with a zone, a date (UTC), Unix milliseconds or a `Date`. */
export type Instant = string | number | Date

/** End of the year 9999, the last year with four digits in ISO 8601 and HTTP dates. */
export const lastInstantAt: number = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

const isoPattern =
  /^(19[7-9]\d|[2-9]\d{3})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T(?:[01]\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/

/** Unix milliseconds as text; four digits would be a year. */
const digitsPattern = /^\d{5,15}$/

/** An instant, parsed to Unix milliseconds up to the end of the year 9999; local times without a zone are rejected. */
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
        const at = instantMs(found)
        return Number.isInteger(at) && at >= 0 && at <= lastInstantAt ? at : undefined
      },
      fromText: numberOrText,
    },
    formatInstant,
  ),
)

/** Converts digits to Unix milliseconds, unless they could be a year from 1970 on. */
function numberOrText(text: string): string | number {
  const isYear = text.length === 4 && Number(text) >= 1970
  return /^\d+$/.test(text) && !isYear ? Number(text) : text
}

function instantMs(found: unknown): number {
  if (typeof found === 'number') return found
  if (found instanceof Date) return found.getTime()
  if (typeof found !== 'string') return Number.NaN
  return digitsPattern.test(found) ? Number(found) : instantMsOfIso(found)
}

function instantMsOfIso(text: string): number {
  const match = isoPattern.exec(text)
  if (match === null) return Number.NaN
  const [, year, month, day] = match
  // Date.parse reads 30 February as 2 March.
  const lastDay = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  return Number(day) > lastDay ? Number.NaN : Date.parse(text)
}

/** Formats an instant as ISO 8601 in UTC, without milliseconds if they are zero; limits it to the year 9999. */
export function formatInstant(at: number): string {
  return new Date(Math.min(at, lastInstantAt)).toISOString().replace('.000Z', 'Z')
}

/** Formats a whole number with commas between thousands: `1,000`. */
export function formatCount(count: number): string {
  // Not toLocaleString(), whose first call keeps a page waiting for 40 ms.
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

const utcPattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{3})?Z$/

/** An instant in responses and snapshots: ISO 8601 in UTC. */
export const instantText: Schema<string> = value<string>({
  use: 'ISO 8601 in UTC, such as 2030-12-05T00:00:00Z',
  jsonSchema: { type: 'string', format: 'date-time', pattern: utcPattern.source },
  read: (found) =>
    typeof found === 'string' && utcPattern.test(found) && Number.isFinite(instantMsOfIso(found))
      ? found
      : undefined,
})

/** A duration as input: `'61s'`, `'1h30m'`, `'250ms'`, or milliseconds. */
export type Duration = string | number

/** Units of a duration in milliseconds, the longest first. */
const units = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000, ms: 1 } as const

const oneOfEach = Object.keys(units).map((unit) => `(?:(\\d+(?:\\.\\d+)?)${unit})?`)

/** Matches the empty string too. */
const durationPattern = new RegExp(`^(?:\\d+|${oneOfEach.join('')})$`)

const withUnits = '(?:\\d+(?:\\.\\d+)?(?:ms|[dhms]))+'

/** Two durations with units, such as `1s-3s`. */
export const rangePattern = new RegExp(`^${withUnits}-${withUnits}$`)

/** A duration of 0 or more, parsed to milliseconds, rounded to a whole number. */
export const duration: Schema<Duration, number> = named('Duration', durationFrom(0, lastInstantAt))

/** Creates the schema of a duration within bounds, in milliseconds. */
export function durationFrom(minMs: number, maxMs: number): Schema<Duration, number> {
  const bounds = boundsText(minMs, maxMs)
  return written<Duration, number>(
    {
      use: `milliseconds, or a duration such as 250ms, 61s, 5m, 1h30m, 2d${bounds}`,
      jsonSchema: {
        anyOf: [
          { type: 'string', minLength: 1, pattern: durationPattern.source },
          { type: 'number', minimum: minMs, maximum: maxMs },
        ],
        description: `Milliseconds, or a duration such as 61s or 1h30m${bounds}.`,
        examples: ['61s'],
      },
      read(found) {
        const ms = durationMs(found)
        return ms >= minMs && ms <= maxMs ? Math.round(ms) : undefined
      },
    },
    (ms) => formatDuration(ms),
  )
}

function boundsText(minMs: number, maxMs: number): string {
  if (maxMs < lastInstantAt) return `, at most ${formatDuration(maxMs)}`
  return minMs > 0 ? ', above zero' : ''
}

function durationMs(found: unknown): number {
  if (typeof found === 'number') return found
  if (typeof found !== 'string' || found === '') return Number.NaN
  const match = durationPattern.exec(found)
  if (match === null) return Number.NaN
  const [text, ...counts] = match
  if (/^\d+$/.test(text)) return Number(text)
  return Object.values(units).reduce((sum, unit, at) => sum + unit * Number(counts[at] ?? 0), 0)
}

/**
 * Formats a duration in the form that {@link duration} accepts, such as `1h30m`.
 *
 * @param most Maximum number of units, the largest first; all by default.
 */
export function formatDuration(ms: number, most?: number): string {
  let rest = ms
  const parts = Object.entries(units).flatMap(([name, unit]) => {
    const count = Math.floor(rest / unit)
    rest -= count * unit
    return count > 0 ? [`${count}${name}`] : []
  })
  return parts.slice(0, most).join('') || '0ms'
}

/** Formats a duration for people: `0.2 s`, `41 s`, `5 min`, `2 h`, `3 days`. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  if (seconds < 10) return `${Number(seconds.toFixed(seconds < 1 ? 2 : 1))} s`
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3_600)} h`
  return `${wholeText(Math.round(seconds / 86_400))} days`
}
