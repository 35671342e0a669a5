import { endpoints, type OperationName, operationNames } from '../../contract/endpoints.ts'
import { jsonIn } from '../../contract/json.ts'
import { object, optional } from '../../input/object.ts'
import { type Given, readInput } from '../../input/schema.ts'
import { oneOf, whole } from '../../input/values.ts'
import { timesText } from '../../reports/text.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { doneText, exchangeLines } from './exchange-text.ts'
import { examine, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'

/** A number of requests. */
export const requestCount = whole(0, 1e9)

const retriedOptions = object(
  {
    /** How often exactly, over all requests; at least once by default. */
    times: optional(requestCount),
  },
  { title: 'toHaveRetried', example: '{ times: 2 }' },
)

/** How often a client has to have tried again. */
export type RetriedOptions = Given<typeof retriedOptions>

/** Says whether the same request was sent again after it had failed. */
export function toHaveRetried(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
  options: RetriedOptions = {},
): MatcherResult | Promise<MatcherResult> {
  const { times } = readInput(retriedOptions, options)
  return examine(received, 'toHaveRetried', this, { operation }, ({ entries }) => {
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
export type AddingOperation = {
  [Name in keyof typeof endpoints]: (typeof endpoints)[Name]['method'] extends 'POST' ? Name : never
}[keyof typeof endpoints]

const addingOperation = oneOf<AddingOperation>(operationNames.filter(isAdding))

function isAdding(name: OperationName): name is AddingOperation {
  return endpoints[name].method === 'POST'
}

/** Says whether a request whose answer was lost was sent again, and took effect both times (spec 4.2). */
export function toHaveDuplicated(
  this: MatcherCall,
  received: Judged,
  operation: AddingOperation,
): MatcherResult | Promise<MatcherResult> {
  const name = 'toHaveDuplicated'
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
  readonly first: JournalEntry
  readonly again: JournalEntry
}

/** Pairs each exchange that made its client send the request again with the next one of the same. */
function sentAgain(
  entries: readonly JournalEntry[],
  isReason: (entry: JournalEntry) => boolean,
): readonly Again[] {
  const open: JournalEntry[] = []
  const found: Again[] = []
  for (const again of entries.toSorted((left, right) => left.order.start - right.order.start)) {
    const place = open.findIndex((first) => isSame(first, again) && isInOrder(first, again))
    const [first] = place < 0 ? [] : open.splice(place, 1)
    if (first !== undefined) found.push({ first, again })
    if (isReason(again)) open.push(again)
  }
  return found
}

function isSame(one: JournalEntry, { caller, request }: JournalEntry): boolean {
  return (
    one.caller === caller &&
    one.request.method === request.method &&
    one.request.url === request.url &&
    one.request.body === request.body &&
    one.request.bodyBytes === request.bodyBytes
  )
}

function isInOrder({ order: { answer } }: JournalEntry, { order }: JournalEntry): boolean {
  return answer !== undefined && answer < order.start
}

/** Whether its client has no answer to build on: none, a broken one, or a refusal. */
function hasFailed(entry: JournalEntry): boolean {
  return isInDoubt(entry) || ('status' in entry.outcome && entry.outcome.status >= 400)
}

/** Whether its client can't know what became of the request. */
function isInDoubt({ outcome, delivery, faults }: JournalEntry): boolean {
  if (delivery !== 'delivered' || !('status' in outcome) || outcome.status >= 500) return true
  return faults.length > 0 && outcome.status < 300 && jsonIn(outcome.body) === undefined
}
