import { spanText } from '../../audit/words.ts'
import type { OperationName } from '../../contract/endpoints.ts'
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
  return `came back after ${spanText(waitedMs)}, and was told to wait ${spanText(toldMs)}:\n${exchangeLines([refusal, again])}`
}

function waitedText({ refusal, again, waitedMs }: Comeback): string {
  return `came back after ${spanText(waitedMs)}, as it was told:\n${exchangeLines([refusal, again])}`
}
