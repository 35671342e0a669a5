import type { Outcome } from '../../contract/message.ts'
import type { Exchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'

/** The longest body that a journal keeps whole, in characters. */
const keptBody = 65_536

const over: Promise<void> = Promise.resolve()

const noPieces: AsyncIterable<string> = {
  async *[Symbol.asyncIterator]() {},
}

/** An outcome without what hangs on the way of its reply: pieces to send, or an end to wait for. */
function settled(outcome: Outcome): Outcome {
  if (outcome.kind === 'broken-reply') return { ...outcome, pieces: noPieces }
  return outcome.kind === 'timeout' ? { kind: 'timeout', ended: over } : outcome
}

/** Cuts the body of a message to the length that a journal keeps. */
function bounded<Message extends object>(message: Message): Message {
  if (!('body' in message) || typeof message.body !== 'string') return message
  if (message.body.length <= keptBody) return message
  // A slice would keep the whole string alive; a joined copy doesn't.
  return { ...message, body: `${[...message.body.slice(0, keptBody)].join('')}…` }
}

/**
 * An exchange as the engine reported it, with bodies cut and without references that keep more alive.
 *
 * A class like {@link KeptExchange}, not a literal: once V8 has seen a literal's objects live long, it makes the next
 * ones in old space, where each keeps all it points to until the next full collection (decisions/009).
 */
class KeptCopy implements Exchange {
  readonly request
  readonly outcome
  readonly operation
  readonly spec
  readonly token
  readonly at
  readonly endedAt
  readonly quota
  readonly isSpent
  readonly refusal
  readonly gaps
  readonly strikes
  readonly cutShort

  constructor(exchange: Exchange) {
    this.request = bounded(exchange.request)
    this.outcome = bounded(settled(exchange.outcome))
    this.operation = exchange.operation
    this.spec = exchange.spec
    this.token = exchange.token
    this.at = exchange.at
    this.endedAt = exchange.endedAt
    this.quota = exchange.quota
    this.isSpent = exchange.isSpent
    this.refusal = withoutStack(exchange.refusal)
    this.gaps = exchange.gaps
    this.strikes = exchange.strikes
    this.cutShort = exchange.cutShort
  }
}

/** An error's stack keeps alive what was on it: the connection and the raw body. */
function withoutStack(refusal: Exchange['refusal']): Exchange['refusal'] {
  if (refusal === undefined) return undefined
  const { code, message, gap } = refusal
  return { code, message, gap }
}

/** An exchange in a journal. */
export class KeptExchange {
  readonly id: number
  /** The whole bearer token; `undefined` in a restored entry. */
  readonly token: string | undefined
  /** As the engine reported it, or only as the journal shows it, once no more may be kept. */
  readonly exchange: Exchange | JournalEntry

  constructor(id: number, token: string | undefined, exchange: Exchange | JournalEntry) {
    this.id = id
    this.token = token
    this.exchange = 'why' in exchange ? exchange : new KeptCopy(exchange)
  }
}
