import { countText, spanText } from '../../audit/words.ts'
import type { OperationName } from '../../contract/endpoints.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { type Comeback, comebacksIn, isEarly, refusalsIn } from './comebacks.ts'
import { exchangeLines } from './exchange-text.ts'
import { examine, type Judged, type MatcherResult } from './judged.ts'
import { headline, type MatcherCall, readOperation } from './matcher-call.ts'

const name = 'toHaveWaited'

/** Says whether a client that was told to wait came back, and never before that time (spec 8). */
export function toHaveWaited(
  this: MatcherCall,
  received: Judged,
  operation: OperationName,
): MatcherResult | Promise<MatcherResult> {
  const exchanges = { operation: readOperation(name, operation) }
  return examine(received, { exchanges }, ({ entries, marks }) => {
    const all = entries()
    const refusals = refusalsIn(all)
    const comebacks = comebacksIn(all, marks())
    const early = comebacks.find(isEarly)
    const tell = (text: string) => (): string =>
      `${headline(name, this, operation)}\n\n${operation} ${text}`
    if (refusals.length === 0) {
      // Neither waited nor not: nothing is proved either way.
      const text = `was never refused with a time to wait; bring it about, such as with sandbox.keys.setRemaining('free-key', { minute: 0 })`
      return { pass: this.isNot === true, message: tell(text) }
    }
    if (early !== undefined) return { pass: false, message: tell(earlyText(early)) }
    const [first] = comebacks
    if (first === undefined) {
      const text = `was refused, and its client has not come back since:\n${exchangeLines(refusals)}`
      return { pass: false, message: tell(text) }
    }
    return { pass: true, message: tell(waitedText(first)) }
  })
}

function earlyText({ refusal, again, waitedMs, toldMs }: Comeback): string {
  return `came back after ${spanText(waitedMs)}, and was told to wait ${toldText(refusal, toldMs)}:\n${exchangeLines([refusal, again])}`
}

/** How long a refusal said to wait: the seconds that were sent, or how far away a date was. */
function toldText({ outcome }: JournalEntry, toldMs: number): string {
  const sent = 'headers' in outcome ? outcome.headers['retry-after'] : undefined
  return sent !== undefined && /^\d+$/.test(sent)
    ? `${countText(Number(sent))} s`
    : spanText(toldMs)
}

function waitedText({ refusal, again, waitedMs }: Comeback): string {
  return `came back after ${spanText(waitedMs)}, as it was told:\n${exchangeLines([refusal, again])}`
}
