import { findingOptions, severities } from '../checks/audit/finding.ts'
import { ruleNames } from '../checks/audit/rules.ts'
import { timesText } from '../checks/reports/text.ts'
import { show, wholeText } from '../mock/input/input-error.ts'
import { list, object, optional } from '../mock/input/object.ts'
import { definedOf, isRecord } from '../mock/input/record.ts'
import { type Input, type Output, readInput } from '../mock/input/schema.ts'
import { anyThat, either, oneOf, spanText, text, whole } from '../mock/input/values.ts'
import type { RequestView, StateChange, StateChangeKind } from '../mock/log/request-view.ts'
import { endpoints, type OperationName, operationNames } from '../mock/spec/endpoints.ts'
import { jsonIn } from '../mock/spec/json.ts'
import { doneText, exchangeLines, findingsFrom, findingsText } from './matchers/exchange-text.ts'
import { examine, type Judged, type MatcherCall, type MatcherResult } from './matchers/judged.ts'

export type { Judged, MatcherResult } from './matchers/judged.ts'

const behavedOptions = object(
  {
    /** Rules whose findings are of no account. */
    except: optional(list(oneOf(ruleNames)), []),
    /** How bad a finding has to be; `error` by default. */
    atLeast: optional(oneOf(severities), 'error'),
    ...findingOptions.properties,
  },
  {
    title: 'toHaveNoFindings',
    example: "{ except: ['deprecated-operation'], atLeast: 'warning' }",
  },
)

/** Which findings count. */
export type BehavedOptions = Input<typeof behavedOptions>

/** Says whether the audit has found nothing. */
function toHaveNoFindings(
  this: MatcherCall,
  received: Judged,
  options: BehavedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { except, atLeast, oneClient } = readInput(behavedOptions, options)
  const audit = definedOf({ oneClient })
  return examine(received, 'toHaveNoFindings', this, { audit }, ({ findings, entries }) => {
    const counted = findingsFrom(atLeast, findings).filter(
      ({ rule }) => !except.some((one) => one === rule),
    )
    const none = `The audit has found nothing of severity ${atLeast} or worse in ${entries.length} exchanges.`
    const pass = counted.length === 0
    return { pass, text: pass ? none : findingsText(counted, entries) }
  })
}

/** Says whether a client that was told to wait came back, and never before that time (spec 8). */
function toHaveSeenWait(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
): MatcherResult | Promise<MatcherResult> {
  return examine(received, 'toHaveSeenWait', this, { operation }, ({ entries, marks }) => {
    const refusals = entries.filter(isRefusal)
    const comebacks = comebacksAfter(refusals, entries, marks)
    const early = comebacks.find(({ waitedMs, toldMs }) => waitedMs < toldMs - toleranceMs)
    if (refusals.length === 0) {
      // Neither waited nor not: nothing is proved either way.
      const text = `was never refused with a time to wait; bring it about, such as with sandbox.keys.setRemaining('free-key', { minute: 0 })`
      return { pass: this.isNot === true, text }
    }
    if (early !== undefined) return { pass: false, text: earlyText(early) }
    const [first] = comebacks
    if (first === undefined) {
      const text = `was refused, and its client has not come back since:\n${exchangeLines(refusals)}`
      return { pass: false, text }
    }
    const { refusal, again, waitedMs } = first
    const lines = exchangeLines([refusal, again])
    return { pass: true, text: `came back after ${spanText(waitedMs)}, as it was told:\n${lines}` }
  })
}

function earlyText({ refusal, again, waitedMs, toldMs }: Comeback): string {
  return `came back after ${spanText(waitedMs)}, and was told to wait ${toldText(refusal, toldMs)}:\n${exchangeLines([refusal, again])}`
}

/** How long a refusal said to wait: the seconds that were sent, or how far away a date was. */
function toldText({ outcome }: RequestView, toldMs: number): string {
  const sent = 'headers' in outcome ? outcome.headers['retry-after'] : undefined
  const isSeconds =
    sent !== undefined && /^\d+$/.test(sent) && Math.abs(Number(sent) * 1000 - toldMs) <= 1000
  return isSeconds ? `${wholeText(Number(sent))} s` : spanText(toldMs)
}

/** A request of a client that had been told to wait. */
interface Comeback {
  readonly refusal: RequestView
  readonly again: RequestView
  /** By whichever clock it was longest, in milliseconds. */
  readonly waitedMs: number
  readonly toldMs: number
}

/** What moves the clock on is only time; any other mark changes what a refusal was worth. */
const harmless: ReadonlySet<StateChangeKind> = new Set(['clock-moved', 'clock-mode'])

/** Timers may fire a millisecond early. */
const toleranceMs = 1

/** Whether a client was told when to come back. */
function isRefusal({ decision, sequence }: RequestView): boolean {
  return decision.retryAt !== undefined && sequence.end !== undefined
}

/** Finds the first request of the same caller after each refusal, unless the world changed in between. */
function comebacksAfter(
  refusals: readonly RequestView[],
  entries: readonly RequestView[],
  marks: readonly StateChange[],
): readonly Comeback[] {
  const changes = marks.filter(({ kind }) => !harmless.has(kind)).map(({ order }) => order)
  const byStart = entries.toSorted((left, right) => left.sequence.start - right.sequence.start)
  return refusals.flatMap((refusal) => {
    const { end = 0 } = refusal.sequence
    const again = byStart.find(
      ({ client, sequence }) => client === refusal.client && sequence.start > end,
    )
    if (again === undefined) return []
    if (changes.some((order) => order > end && order < again.sequence.start)) return []
    const endedAt = Date.parse(refusal.at) + refusal.durationMs
    const { endedMs = 0, decision } = refusal
    return {
      refusal,
      again,
      waitedMs: Math.max(Date.parse(again.at) - endedAt, again.receivedMs - endedMs),
      toldMs: Date.parse(decision.retryAt ?? refusal.at) - endedAt,
    }
  })
}

/** A number of requests. */
const requestCount = whole(0, 1e9)

const retriedOptions = object(
  {
    /** How often exactly, over all requests; at least once by default. */
    times: optional(requestCount),
  },
  { title: 'toHaveSeenRetry', example: '{ times: 2 }' },
)

/** How often a client has to have tried again. */
export type RetriedOptions = Input<typeof retriedOptions>

/** Says whether the same request was sent again after it had failed. */
function toHaveSeenRetry(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
  options: RetriedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { times } = readInput(retriedOptions, options)
  return examine(received, 'toHaveSeenRetry', this, { operation }, ({ entries }) => {
    const count = sentAgain(entries, hasFailed).length
    const pass = times === undefined ? count > 0 : count === times
    if (entries.length === 0) return { pass, text: neverAsked }
    const wanted = times === undefined || this.isNot === true ? '' : `, not ${timesText(times)}`
    const text = `was ${doneText('sent again', count)} after a failure${wanted}:\n${exchangeLines(entries)}`
    return { pass, text }
  })
}

const neverAsked = 'was never asked'

/** The operations that add something. */
type AddingOperation = {
  [Name in keyof typeof endpoints]: (typeof endpoints)[Name]['method'] extends 'POST' ? Name : never
}[keyof typeof endpoints]

const addingOperation = oneOf<AddingOperation>(operationNames.filter(isAdding))

function isAdding(name: OperationName): name is AddingOperation {
  return endpoints[name].method === 'POST'
}

/** Says whether a request whose answer was lost was sent again, and took effect both times (spec 4.2). */
function toHaveSeenDuplicate(
  this: MatcherCall,
  received: Judged,
  operation: AddingOperation,
): MatcherResult | Promise<MatcherResult> {
  const name = 'toHaveSeenDuplicate'
  readInput(addingOperation, operation, `${name}.operation`)
  return examine(received, name, this, { operation }, ({ entries }) => {
    const [twice] = sentAgain(entries, (one) => hasAdded(one) && isInDoubt(one)).filter(
      ({ again }) => hasAdded(again),
    )
    if (entries.length === 0) return { pass: false, text: neverAsked }
    if (twice === undefined) {
      const text = `took effect no more than once for each request:\n${exchangeLines(entries)}`
      return { pass: false, text }
    }
    const text = `took effect twice: the client had no answer to the first request, and sent it again:\n${exchangeLines([twice.first, twice.again])}`
    return { pass: true, text }
  })
}

function hasAdded({ decision }: { readonly decision: { readonly petId?: unknown } }): boolean {
  return decision.petId !== undefined
}

/** A request that was sent again after the answer to it. */
interface Again {
  readonly first: RequestView
  readonly again: RequestView
}

/** Pairs each exchange that made its client send the request again with the next one of the same. */
function sentAgain(
  entries: readonly RequestView[],
  isReason: (entry: RequestView) => boolean,
): readonly Again[] {
  const open: RequestView[] = []
  const found: Again[] = []
  for (const again of entries.toSorted(
    (left, right) => left.sequence.start - right.sequence.start,
  )) {
    const place = open.findIndex((first) => isSame(first, again) && isInOrder(first, again))
    const [first] = place < 0 ? [] : open.splice(place, 1)
    if (first !== undefined) found.push({ first, again })
    if (isReason(again)) open.push(again)
  }
  return found
}

function isSame(one: RequestView, { client, request }: RequestView): boolean {
  return (
    one.client === client &&
    one.request.method === request.method &&
    one.request.url === request.url &&
    one.request.body === request.body &&
    one.request.bodyBytes === request.bodyBytes
  )
}

function isInOrder({ sequence: { end } }: RequestView, { sequence }: RequestView): boolean {
  return end !== undefined && end < sequence.start
}

/** Whether its client has no answer to build on: none, a broken one, or a refusal. */
function hasFailed(entry: RequestView): boolean {
  return isInDoubt(entry) || ('status' in entry.outcome && entry.outcome.status >= 400)
}

/** Whether its client can't know what became of the request. */
function isInDoubt({ outcome, delivery, faults }: RequestView): boolean {
  if (delivery !== 'delivered' || !('status' in outcome) || outcome.status >= 500) return true
  return faults.length > 0 && outcome.status < 300 && jsonIn(outcome.body) === undefined
}

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
  { title: 'toHaveReceived', example: "{ times: 1, status: 201, body: { name: 'Rex' } }" },
)

/** What a request has to be like, and how many of them there have to be. */
export type AskedOptions = Input<typeof askedOptions>

/** Says whether clients sent such requests. */
function toHaveReceived(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
  options: AskedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const wanted = readInput(askedOptions, options)
  const { times, key, status, query, headers, body } = wanted
  return examine(received, 'toHaveReceived', this, { operation, key }, ({ entries }) => {
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

type Wanted = Output<typeof askedOptions>

/** Says why an exchange doesn't count. */
function doubtOf(entry: RequestView, wanted: Wanted): string {
  const difference = differenceOf(entry, wanted)
  return difference === undefined ? '' : ` – ${difference}`
}

/** Says where an exchange is not as wanted. */
function differenceOf({ request, outcome }: RequestView, wanted: Wanted): string | undefined {
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

function queryOf({ url }: RequestView['request']): Readonly<Record<string, string>> {
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
function bodyOf({ body }: RequestView['request'], expected: unknown): unknown {
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

/** Matchers on the manners of clients, for `expect.extend()` of Vitest, Jest and Playwright. */
export const matchers = {
  toHaveNoFindings,
  toHaveSeenWait,
  toHaveSeenRetry,
  toHaveSeenDuplicate,
  toHaveReceived,
} as const

type Rest<Matcher> = Matcher extends (received: Judged, ...given: infer Given) => unknown
  ? Given
  : never

/** The matchers as `expect(sandbox)` has them: done at once for a sandbox, later for what `connectSandbox()` returns. */
export interface SandboxMatchers {
  /** Nothing that the audit finds; by default no error. */
  toHaveNoFindings(...given: Rest<typeof toHaveNoFindings>): Done
  /** Told to wait, a client came back, and never before that time (spec 8). */
  toHaveSeenWait(...given: Rest<typeof toHaveSeenWait>): Done
  /** What had failed was sent again. */
  toHaveSeenRetry(...given: Rest<typeof toHaveSeenRetry>): Done
  /** A request whose answer was lost was sent again, and took effect both times (spec 4.2). */
  toHaveSeenDuplicate(...given: Rest<typeof toHaveSeenDuplicate>): Done
  /** Such requests were sent. */
  toHaveReceived(...given: Rest<typeof toHaveReceived>): Done
}

type Done = void | Promise<void>

declare global {
  namespace jest {
    // Of `@types/jest`, and of Vitest 4.
    interface Matchers<R> extends SandboxMatchers {}
  }
}

// The other two need not be installed; type parameters that have defaults are left out, as Vitest 4 has others than 5.

// biome-ignore lint/suspicious/noTsIgnore: it is an error only where Vitest isn't installed
/** @ts-ignore */
declare module 'vitest' {
  interface Matchers extends SandboxMatchers {}
}

// biome-ignore lint/suspicious/noTsIgnore: it is an error only where Jest isn't installed
/** @ts-ignore */
declare module 'expect' {
  interface Matchers<R> extends SandboxMatchers {}
}
