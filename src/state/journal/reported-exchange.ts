import type { Outcome } from '../../contract/message.ts'
import type { Exchange, KeepableExchange, ShowableExchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'
import { bounded } from './kept-exchange.ts'
import { showExchange } from './show-exchange.ts'

const over: Promise<void> = Promise.resolve()

const noPieces: AsyncIterable<string> = {
  async *[Symbol.asyncIterator]() {},
}

/** An outcome without what hangs on the way of its reply: pieces to send, or an end to wait for. */
function settled(outcome: Outcome): Outcome {
  if (outcome.kind === 'broken-reply') return { ...outcome, pieces: noPieces }
  return outcome.kind === 'timeout' ? { kind: 'timeout', ended: over } : outcome
}

/**
 * An exchange as the engine reports it.
 *
 * A class like `KeptExchange`, not a literal: once V8 has seen a literal's objects live long, it makes the next
 * ones in old space, where each keeps all it points to until the next full collection (decisions/009).
 */
export class ReportedExchange implements KeepableExchange, ShowableExchange {
  readonly request
  readonly outcome
  readonly operation
  readonly spec
  readonly token
  readonly caller
  readonly visit
  readonly at
  readonly endedAt
  readonly quota
  readonly isSpent
  readonly refusal
  readonly petId
  readonly total
  readonly gaps
  readonly strikes
  readonly sent
  readonly cutShort

  constructor(exchange: Exchange) {
    this.request = exchange.request
    this.outcome = exchange.outcome
    this.operation = exchange.operation
    this.spec = exchange.spec
    this.token = exchange.token
    this.caller = exchange.caller
    this.visit = exchange.visit
    this.at = exchange.at
    this.endedAt = exchange.endedAt
    this.quota = exchange.quota
    this.isSpent = exchange.isSpent
    this.refusal = exchange.refusal
    this.petId = exchange.petId
    this.total = exchange.total
    this.gaps = exchange.gaps
    this.strikes = exchange.strikes
    this.sent = exchange.sent
    this.cutShort = exchange.cutShort
  }
  kept(): ReportedExchange {
    const [request, outcome] = [bounded(this.request), bounded(settled(this.outcome))]
    const isShort = request === this.request && outcome === this.outcome
    return isShort ? this : new ReportedExchange({ ...this, request, outcome })
  }

  show(id: number, hide: (text: string) => string): JournalEntry {
    return showExchange(id, this, hide)
  }
}
