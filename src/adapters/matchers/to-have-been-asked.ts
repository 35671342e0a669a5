import type { OperationName } from '../../contract/endpoints.ts'
import { jsonIn } from '../../contract/json.ts'
import { show } from '../../input/input-error.ts'
import { object, optional } from '../../input/object.ts'
import { isRecord } from '../../input/record.ts'
import { type Given, type Read, readInput } from '../../input/schema.ts'
import { anyThat, either, oneOf, text, whole } from '../../input/values.ts'
import { timesText } from '../../reports/text.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { doneText, exchangeLines } from './exchange-text.ts'
import { examine, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'
import { requestCount } from './sent-again.ts'

const name = 'toHaveBeenAsked'

const some = (example: string) => anyThat(`an object such as ${example}`, isRecord)

const askedOptions = object(
  {
    /** How many such requests exactly; at least one by default. */
    times: optional(requestCount),
    /** How they were answered: with a status, or by a broken connection. */
    status: optional(either(whole(100, 599), oneOf(['disconnect', 'timeout']))),
    /** A key, whole or abbreviated as the journal shows it. */
    key: optional(text()),
    /** Parameters of the query; `undefined` for one that must be absent. */
    query: optional(some('{ limit: 2 }')),
    /** Headers of the request. */
    headers: optional(some("{ accept: 'application/json' }")),
    /** The JSON body, or some of its properties; a string is compared with its text. */
    body: optional(anyThat<unknown>('any value', (_found): _found is unknown => true)),
  },
  { title: name, example: "{ times: 1, status: 201, body: { name: 'Rex' } }" },
)

/** What a request has to be like, and how many of them there have to be. */
export type AskedOptions = Given<typeof askedOptions>

/** Says whether clients sent such requests. */
export function toHaveBeenAsked(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
  options: AskedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const wanted = readInput(askedOptions, options)
  const { times, key, status, query, headers, body } = wanted
  return examine(received, name, this, { operation, key }, ({ entries }) => {
    const matching = entries.filter((entry) => differenceOf(entry, wanted) === undefined)
    const count = matching.length
    const isAny = [status, query, headers, body].every((part) => part === undefined)
    const shown = count > 0 && this.isNot === true ? matching : entries
    const text = [
      `was ${doneText('asked', entries.length)}`,
      key === undefined ? '' : ' with this key',
      isAny || entries.length === 0 ? '' : `, ${timesText(count)} like this`,
      times === undefined || this.isNot === true ? '' : `, not ${timesText(times)}`,
      shown.length === 0 ? '' : `:\n${exchangeLines(shown, (entry) => doubtOf(entry, wanted))}`,
    ]
    return { pass: times === undefined ? count > 0 : count === times, text: text.join('') }
  })
}

type Wanted = Read<typeof askedOptions>

/** Says why an exchange doesn't count. */
function doubtOf(entry: JournalEntry, wanted: Wanted): string {
  const difference = differenceOf(entry, wanted)
  return difference === undefined ? '' : ` – ${difference}`
}

/** Says where an exchange is not as wanted. */
function differenceOf({ request, outcome }: JournalEntry, wanted: Wanted): string | undefined {
  const { status, query, headers, body } = wanted
  const found = 'status' in outcome ? outcome.status : outcome.kind
  return (
    (status === undefined ? undefined : differenceIn(status, found, 'status')) ??
    (query === undefined ? undefined : differenceIn(textsOf(query), queryOf(request), 'query')) ??
    (headers === undefined
      ? undefined
      : differenceIn(lowerNamesOf(headers), request.headers, 'headers')) ??
    (body === undefined ? undefined : differenceIn(body, bodyOf(request, body), 'body'))
  )
}

function queryOf({ url }: JournalEntry['request']): Readonly<Record<string, string>> {
  const start = url.indexOf('?')
  return Object.fromEntries(new URLSearchParams(start < 0 ? '' : url.slice(start)))
}

/** The numbers and booleans of a query as a URL has them. */
function textsOf(query: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const entries = Object.entries(query).map(([parameter, value]) => [
    parameter,
    ['number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : value,
  ])
  return Object.fromEntries(entries)
}

function lowerNamesOf(headers: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(headers).map(([header, value]) => [header.toLowerCase(), value]),
  )
}

/** The body as what it is compared with: text with a string, else JSON as far as it is any. */
function bodyOf({ body }: JournalEntry['request'], expected: unknown): unknown {
  if (typeof expected === 'string') return body
  const found = jsonIn(body)
  return found === undefined ? body : found
}

/** What `expect.any(String)` and its like are, in every runner. */
interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
}

/**
 * Says where a value is not as expected; `undefined` if it is. Of objects, only the properties that are expected count,
 * and `undefined` expects none.
 *
 * @param place What the value is called, such as `body`.
 */
function differenceIn(expected: unknown, found: unknown, place: string): string | undefined {
  const difference = `${place} is ${show(found)}`
  if (isAsymmetric(expected)) return expected.asymmetricMatch(found) ? undefined : difference
  const isList = Array.isArray(expected)
  if (!isList && !isRecord(expected)) return isEqual(expected, found) ? undefined : difference
  const isAlike = isList
    ? Array.isArray(found) && found.length === expected.length
    : isRecord(found)
  if (!isAlike) return difference
  const parts = new Map(Object.entries(found ?? {}))
  for (const [name, part] of Object.entries(expected)) {
    const within = isList ? `${place}[${name}]` : `${place}.${name}`
    const inPart = differenceIn(part, parts.get(name), within)
    if (inPart !== undefined) return inPart
  }
  return undefined
}

/** Whether two single values are the same; a bigint is a number that is written in another way. */
function isEqual(expected: unknown, found: unknown): boolean {
  if (Object.is(expected, found)) return true
  const areNumbers = [expected, found].every((one) => ['bigint', 'number'].includes(typeof one))
  return areNumbers && String(expected) === String(found)
}

function isAsymmetric(expected: unknown): expected is AsymmetricMatcher {
  return isRecord(expected) && typeof expected.asymmetricMatch === 'function'
}
