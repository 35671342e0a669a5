import type { OperationName } from '../../contract/endpoints.ts'
import { wholeText } from '../../input/input-error.ts'
import { spanText } from '../../input/values.ts'
import type { JournalEntry, Mark, MarkKind } from '../../state/journal-entry.ts'
import { exchangeLines } from './exchange-text.ts'
import { examine, type Judged, type MatcherCall, type MatcherResult } from './judged.ts'

/** Says whether a client that was told to wait came back, and never before that time (spec 8). */
export function toHaveWaited(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
): MatcherResult | Promise<MatcherResult> {
  return examine(received, 'toHaveWaited', this, { operation }, ({ entries, marks }) => {
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
function toldText({ outcome }: JournalEntry, toldMs: number): string {
  const sent = 'headers' in outcome ? outcome.headers['retry-after'] : undefined
  return sent !== undefined && /^\d+$/.test(sent)
    ? `${wholeText(Number(sent))} s`
    : spanText(toldMs)
}

/** A request of a client that had been told to wait. */
interface Comeback {
  readonly refusal: JournalEntry
  readonly again: JournalEntry
  /** By whichever clock it was longest, in milliseconds. */
  readonly waitedMs: number
  readonly toldMs: number
}

/** What moves the clock on is only time; any other mark changes what a refusal was worth. */
const harmless: ReadonlySet<MarkKind> = new Set(['clock-moved', 'clock-mode'])

/** Timers may fire a millisecond early. */
const toleranceMs = 1

/** Whether a client was told when to come back. */
function isRefusal({ decision, order }: JournalEntry): boolean {
  return decision.retryAt !== undefined && order.answer !== undefined
}

/** Finds the first request of the same caller after each refusal, unless the world changed in between. */
function comebacksAfter(
  refusals: readonly JournalEntry[],
  entries: readonly JournalEntry[],
  marks: readonly Mark[],
): readonly Comeback[] {
  const changes = marks.filter(({ kind }) => !harmless.has(kind)).map(({ order }) => order)
  const byStart = entries.toSorted((left, right) => left.order.start - right.order.start)
  return refusals.flatMap((refusal) => {
    const { answer = 0 } = refusal.order
    const again = byStart.find(
      ({ caller, order }) => caller === refusal.caller && order.start > answer,
    )
    if (again === undefined) return []
    if (changes.some((order) => order > answer && order < again.order.start)) return []
    const endedAt = Date.parse(refusal.at) + refusal.durationMs
    const { answered = 0, decision } = refusal
    return {
      refusal,
      again,
      waitedMs: Math.max(Date.parse(again.at) - endedAt, again.received - answered),
      toldMs: Date.parse(decision.retryAt ?? refusal.at) - endedAt,
    }
  })
}
