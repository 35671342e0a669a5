import { findingOptions, severities } from '../checks/audit/finding.ts'
import { ruleNames } from '../checks/audit/rules.ts'
import { isTooEarly, type Wait, waitAfter, waitedBetween } from '../checks/audit/waits.ts'
import { countText, timesText } from '../checks/reports/text.ts'
import { endpoints, type OperationName, operationNames } from '../mock/api/endpoints.ts'
import { jsonIn } from '../mock/api/json.ts'
import { show, wholeText } from '../mock/input/input-error.ts'
import { list, object, optional } from '../mock/input/object.ts'
import { definedOf, isRecord } from '../mock/input/record.ts'
import { type Input, type Output, readInput } from '../mock/input/schema.ts'
import { custom, either, integer, oneOf, spanText, text } from '../mock/input/values.ts'
import { harmlessChanges, type RequestView, type StateChange } from '../mock/log/request-view.ts'
import { statusOf } from '../mock/log/show-request.ts'
import { doneText, findingsFrom, findingsText, requestLines } from './matchers/request-text.ts'
import {
  examine,
  type MatcherCall,
  type MatcherResult,
  type MatcherSubject,
} from './matchers/subject.ts'

export type { MatcherResult, MatcherSubject } from './matchers/subject.ts'

const noFindingsOptions = object(
  {
    /** Rules whose findings are ignored; by default an empty list. */
    except: optional(list(oneOf(ruleNames)), []),
    /** Minimum severity of findings; `error` by default. */
    atLeast: optional(oneOf(severities), 'error'),
    /**
     * Whether each key belongs to a single client (`true`) or to several (`false`). By default, a key belongs to
     * several clients once it has had two requests in flight at once.
     */
    oneClient: findingOptions.properties.oneClient,
  },
  {
    title: 'toHaveNoFindings',
    example: "{ except: ['deprecated-operation'], atLeast: 'warning' }",
  },
)

/** Options of `toHaveNoFindings()`. */
export interface NoFindingsOptions extends Input<typeof noFindingsOptions> {}

/** Passes if the audit has no findings. */
function toHaveNoFindings(
  this: MatcherCall,
  received: MatcherSubject,
  options: NoFindingsOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { except, atLeast, oneClient } = readInput(noFindingsOptions, options)
  const audit = definedOf({ oneClient })
  return examine(received, 'toHaveNoFindings', this, { audit }, ({ findings, entries }) => {
    const counted = findingsFrom(atLeast, findings).filter(
      ({ rule }) => !except.some((one) => one === rule),
    )
    const none = `The audit has found nothing of severity ${atLeast} or worse in ${countText(entries.length, 'request')}.`
    const pass = counted.length === 0
    return { pass, text: pass ? none : findingsText(counted, entries) }
  })
}

/** Passes if a client that got `Retry-After` retried, and never early (spec 8). */
function toHaveSeenWait(
  this: MatcherCall,
  received: MatcherSubject,
  operation: OperationName,
): MatcherResult | Promise<MatcherResult> {
  return examine(received, 'toHaveSeenWait', this, { operation }, ({ entries, marks }) => {
    const waits = entries.flatMap((entry) => waitAfter(entry) ?? [])
    const comebacks = comebacksAfter(waits, entries, marks)
    const early = comebacks.find(({ wait, again }) => isTooEarly(wait, again))
    if (waits.length === 0) {
      // Fails with and without `.not`, since the client never got a `Retry-After`.
      const text = `never got Retry-After; bring that about, for example with sandbox.keys.setRemaining('free-key', { minute: 0 })`
      return { pass: this.isNot === true, text }
    }
    if (early !== undefined) return { pass: false, text: earlyText(early) }
    const [first] = comebacks
    if (first === undefined) {
      const text = `was rejected, and its client has not sent it again since:\n${requestLines(waits.map(({ rejection }) => rejection))}`
      return { pass: false, text }
    }
    const { rejection } = first.wait
    const waitedMs = waitedBetween(rejection, first.again)
    const lines = requestLines([rejection, first.again])
    return {
      pass: true,
      text: `came back after ${spanText(waitedMs)}, as Retry-After said:\n${lines}`,
    }
  })
}

function earlyText({ wait, again }: Comeback): string {
  const { rejection, ms } = wait
  return `came back after ${spanText(waitedBetween(rejection, again))}; Retry-After was ${toldText(rejection, ms)}:\n${requestLines([rejection, again])}`
}

/** Formats the wait of an error response: the seconds in `Retry-After`, or the time until its date. */
function toldText({ outcome }: RequestView, toldMs: number): string {
  const sent = 'headers' in outcome ? outcome.headers['retry-after'] : undefined
  const isSeconds =
    sent !== undefined && /^\d+$/.test(sent) && Math.abs(Number(sent) * 1000 - toldMs) <= 1000
  return isSeconds ? `${wholeText(Number(sent))} s` : spanText(toldMs)
}

/** A wait that a client was asked for, and its next request. */
interface Comeback {
  readonly wait: Wait
  readonly again: RequestView
}

/** Finds the first request of the same client after each wait, unless the state changed in between. */
function comebacksAfter(
  waits: readonly Wait[],
  entries: readonly RequestView[],
  marks: readonly StateChange[],
): readonly Comeback[] {
  const changes = marks
    .filter(({ kind }) => !harmlessChanges.has(kind))
    .map(({ sequence }) => sequence)
  const byStart = entries.toSorted((left, right) => left.sequence.start - right.sequence.start)
  return waits.flatMap((wait) => {
    const { client, sequence } = wait.rejection
    const { end = 0 } = sequence
    const again = byStart.find((one) => one.client === client && one.sequence.start > end)
    if (again === undefined) return []
    const isChanged = changes.some((place) => place > end && place < again.sequence.start)
    return isChanged ? [] : [{ wait, again }]
  })
}

/** A number of requests. */
const requestCount = integer(0, 1e9)

const retriedOptions = object(
  {
    /** Exact number of retries over all requests; at least one by default. */
    times: optional(requestCount),
  },
  { title: 'toHaveSeenRetry', example: '{ times: 2 }' },
)

/** Options of `toHaveSeenRetry()`. */
export interface RetriedOptions extends Input<typeof retriedOptions> {}

/** Passes if a failed request was retried. */
function toHaveSeenRetry(
  this: MatcherCall,
  received: MatcherSubject,
  operation: OperationName,
  options: RetriedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { times } = readInput(retriedOptions, options)
  return examine(received, 'toHaveSeenRetry', this, { operation }, ({ entries }) => {
    const count = sentAgain(entries, hasFailed).length
    const pass = times === undefined ? count > 0 : count === times
    if (entries.length === 0) return { pass, text: neverCalled }
    const wanted = times === undefined || this.isNot === true ? '' : `, not ${timesText(times)}`
    const text = `was ${doneText('sent again', count)} after a failure${wanted}:\n${requestLines(entries)}`
    return { pass, text }
  })
}

const neverCalled = 'was never called'

/** The operations that create something. */
type AddingOperation = {
  [Name in keyof typeof endpoints]: (typeof endpoints)[Name]['method'] extends 'POST' ? Name : never
}[keyof typeof endpoints]

const addingOperation = oneOf<AddingOperation>(operationNames.filter(isAdding))

function isAdding(name: OperationName): name is AddingOperation {
  return endpoints[name].method === 'POST'
}

/** Passes if a request whose response was lost was retried, and took effect both times (spec 4.2). */
function toHaveSeenDuplicate(
  this: MatcherCall,
  received: MatcherSubject,
  operation: AddingOperation,
): MatcherResult | Promise<MatcherResult> {
  const name = 'toHaveSeenDuplicate'
  readInput(addingOperation, operation, `${name}.operation`)
  return examine(received, name, this, { operation }, ({ entries }) => {
    const [twice] = sentAgain(entries, (one) => hasAdded(one) && isInDoubt(one)).filter(
      ({ again }) => hasAdded(again),
    )
    if (entries.length === 0) return { pass: false, text: neverCalled }
    if (twice === undefined) {
      const text = `took effect no more than once for each request:\n${requestLines(entries)}`
      return { pass: false, text }
    }
    const text = `took effect twice: the client got no response to the first request, and sent it again:\n${requestLines([twice.first, twice.again])}`
    return { pass: true, text }
  })
}

function hasAdded({ decision }: { readonly decision: { readonly petId?: unknown } }): boolean {
  return decision.petId !== undefined
}

/** A request and its retry. */
interface Again {
  readonly first: RequestView
  readonly again: RequestView
}

/** Pairs each request that gave its client a reason to retry with the next identical one. */
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

/** Returns whether its client got no usable response: none, a broken one, or an error response. */
function hasFailed(entry: RequestView): boolean {
  return isInDoubt(entry) || ('status' in entry.outcome && entry.outcome.status >= 400)
}

/** Returns whether its client can't know if the request took effect. */
function isInDoubt({ outcome, delivery, faults }: RequestView): boolean {
  if (delivery !== 'delivered' || !('status' in outcome) || outcome.status >= 500) return true
  return faults.length > 0 && outcome.status < 300 && jsonIn(outcome.body) === undefined
}

const some = (example: string) => custom(`an object such as ${example}`, isRecord)

const receivedOptions = object(
  {
    /** Exact number of such requests; at least one by default. */
    times: optional(requestCount),
    /** The response status, or the kind of broken connection. */
    status: optional(either(integer(100, 599), oneOf(['disconnect', 'timeout']))),
    /** The key, whole or abbreviated as the log shows it. */
    key: optional(text()),
    /** Parameters of the query; `undefined` means that the parameter must be absent. */
    query: optional(some('{ limit: 2 }')),
    /** Headers of the request, by name in any letter case. */
    headers: optional(some("{ accept: 'application/json' }")),
    /** The JSON body, or some of its properties; a string is compared with the body's text. */
    body: optional(custom<unknown>('any value', (_found): _found is unknown => true)),
  },
  { title: 'toHaveReceived', example: "{ times: 1, status: 201, body: { name: 'Rex' } }" },
)

/** The expected properties and the number of requests. */
export interface ReceivedOptions extends Input<typeof receivedOptions> {}

/** Passes if clients sent such requests. */
function toHaveReceived(
  this: MatcherCall,
  received: MatcherSubject,
  operation: OperationName,
  options: ReceivedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const wanted = readInput(receivedOptions, options)
  const { times, key, status, query, headers, body } = wanted
  return examine(received, 'toHaveReceived', this, { operation, key }, ({ entries }) => {
    const matching = entries.filter((entry) => differenceOf(entry, wanted) === undefined)
    const count = matching.length
    const isAny = [status, query, headers, body].every((part) => part === undefined)
    const shown = count > 0 && this.isNot === true ? matching : entries
    const text = [
      `was ${doneText('called', entries.length)}`,
      key === undefined ? '' : ' with this key',
      isAny || entries.length === 0 ? '' : `, ${timesText(count)} like this`,
      times === undefined || this.isNot === true ? '' : `, not ${timesText(times)}`,
      shown.length === 0 ? '' : `:\n${requestLines(shown, (entry) => doubtOf(entry, wanted))}`,
    ]
    return { pass: times === undefined ? count > 0 : count === times, text: text.join('') }
  })
}

type Wanted = Output<typeof receivedOptions>

/** Returns the reason why a request doesn't count. */
function doubtOf(entry: RequestView, wanted: Wanted): string {
  const difference = differenceOf(entry, wanted)
  return difference === undefined ? '' : ` – ${difference}`
}

/** Returns the first difference between a request and the expectation. */
function differenceOf(entry: RequestView, wanted: Wanted): string | undefined {
  const { status, query, headers, body } = wanted
  const { request } = entry
  return (
    (status === undefined ? undefined : differenceIn(status, statusOf(entry), 'status')) ??
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

/** Converts the numbers and booleans of a query to text, as in a URL. */
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

/** Returns the body in the form of the expected value: text for a string, otherwise JSON if it parses. */
function bodyOf({ body }: RequestView['request'], expected: unknown): unknown {
  if (typeof expected === 'string') return body
  const found = jsonIn(body)
  return found === undefined ? body : found
}

/** The common part of `expect.any(String)` and similar objects in every runner. */
interface AsymmetricMatcher {
  asymmetricMatch(found: unknown): boolean
}

/**
 * Returns the first difference between a value and the expected one; `undefined` if they match. Only the expected
 * properties of an object are compared, and the expectation `undefined` means that the property is absent.
 *
 * @param place The name of the value, such as `body`.
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

/** Returns whether two primitive values are equal; a bigint equals the same number. */
function isEqual(expected: unknown, found: unknown): boolean {
  if (Object.is(expected, found)) return true
  const areNumbers = [expected, found].every((one) => ['bigint', 'number'].includes(typeof one))
  return areNumbers && String(expected) === String(found)
}

function isAsymmetric(expected: unknown): expected is AsymmetricMatcher {
  return isRecord(expected) && typeof expected.asymmetricMatch === 'function'
}

/** Matchers for the behaviour of clients, for `expect.extend()` of Vitest, Jest and Playwright. */
export const matchers = {
  /** Passes if the audit has no findings; by default only errors count. */
  toHaveNoFindings,
  /** Passes if a client that got `Retry-After` retried, and never early (spec 8). */
  toHaveSeenWait,
  /** Passes if a failed request was retried. */
  toHaveSeenRetry,
  /** Passes if a request whose response was lost was retried, and took effect both times (spec 4.2). */
  toHaveSeenDuplicate,
  /** Passes if clients sent such requests. */
  toHaveReceived,
} as const

/** Arguments of a matcher after the subject. */
type Rest<Matcher> = Matcher extends (received: MatcherSubject, ...given: infer Given) => unknown
  ? Given
  : never

/** The matchers of `expect(sandbox)`: synchronous for a sandbox, asynchronous for the result of `connectSandbox()`. */
export interface SandboxMatchers {
  /** Passes if the audit has no findings; by default only errors count. */
  toHaveNoFindings(...given: Rest<typeof toHaveNoFindings>): Done
  /** Passes if a client that got `Retry-After` retried, and never early (spec 8). */
  toHaveSeenWait(...given: Rest<typeof toHaveSeenWait>): Done
  /** Passes if a failed request was retried. */
  toHaveSeenRetry(...given: Rest<typeof toHaveSeenRetry>): Done
  /** Passes if a request whose response was lost was retried, and took effect both times (spec 4.2). */
  toHaveSeenDuplicate(...given: Rest<typeof toHaveSeenDuplicate>): Done
  /** Passes if clients sent such requests. */
  toHaveReceived(...given: Rest<typeof toHaveReceived>): Done
}

/** Result of a matcher: a promise for the result of `connectSandbox()`. */
type Done = void | Promise<void>

declare global {
  namespace jest {
    // From `@types/jest`, and from Vitest 4.
    interface Matchers<R> extends SandboxMatchers {}
  }
}

// Neither of the other two has to be installed. Type parameters with defaults are omitted, since those of Vitest 4 and
// 5 differ.

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
