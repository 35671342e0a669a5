import type { Exchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'

/** The longest body that a journal keeps whole, in characters. */
const keptBody = 65_536

/** Cuts the body of a message to what a journal keeps. */
function bounded<Message extends object>(message: Message): Message {
  if (!('body' in message) || typeof message.body !== 'string') return message
  if (message.body.length <= keptBody) return message
  // A slice would keep all of the text alive; what was joined anew doesn't.
  return { ...message, body: `${[...message.body.slice(0, keptBody)].join('')}…` }
}

/**
 * An exchange as the engine told it, bodies cut to what a journal keeps, and nothing that keeps more alive.
 *
 * A class, as {@link KeptExchange}, and no literal: V8, once it has seen objects of a literal live long, makes the
 * next ones where only a full collection of garbage looks, and until then each keeps all that it points to.
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
  readonly isAbandoned

  constructor(exchange: Exchange) {
    this.request = bounded(exchange.request)
    this.outcome = bounded(exchange.outcome)
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
    this.isAbandoned = exchange.isAbandoned
  }
}

/** An error's stack keeps alive what was on it: the connection, and the body as it came. */
function withoutStack(refusal: Exchange['refusal']): Exchange['refusal'] {
  if (refusal === undefined) return undefined
  const { code, message, gap } = refusal
  return { code, message, gap }
}

/** An exchange in a journal. */
export class KeptExchange {
  readonly id: number
  /** The bearer token that was sent, whole; unknown of an entry that was restored. */
  readonly token: string | undefined
  /** As the engine told it; or as it shows, once that is all that may be known of it. */
  readonly exchange: Exchange | JournalEntry

  constructor(id: number, token: string | undefined, exchange: Exchange | JournalEntry) {
    this.id = id
    this.token = token
    this.exchange = 'why' in exchange ? exchange : new KeptCopy(exchange)
  }
}
