import { type Headers, type Outcome, utf8Length } from '../../contract/message.ts'
import type { Counted, Keeper } from '../memory/shared-bytes.ts'
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

function isCut(message: object): boolean {
  return 'bodyBytes' in message && 'body' in message && String(message.body).length === keptBody + 1
}

/** A copy of a text that is a part of a long one, all of which it would keep alive. */
function copyOf(part: string): string {
  // Ten times as fast as joining its characters.
  return String(JSON.parse(JSON.stringify(part)))
}

/** Cuts the body of a message to the length that a journal keeps, and says how many bytes it had. */
export function bounded<Message extends object>(
  message: Message,
): Message & { readonly bodyBytes?: number } {
  if (!('body' in message) || typeof message.body !== 'string') return message
  const { body } = message
  // One that was cut before has a mark more.
  if (body.length <= keptBody || isCut(message)) return message
  const beginning = copyOf(body.slice(0, keptBody))
  // A restored one was cut before.
  const known = 'bodyBytes' in message ? Number(message.bodyBytes ?? 0) : 0
  return { ...message, body: `${beginning}…`, bodyBytes: Math.max(known, utf8Length(body)) }
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
    this.request = bounded(exchange.request)
    this.outcome = bounded(settled(exchange.outcome))
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
}

/** What an exchange takes beside its texts, in bytes. */
const plainBytes = 1_536

/** What a fault that struck takes, in bytes. */
const strikeBytes = 96

/** About how many bytes an exchange takes: rather too many, since no text takes more than two for a character. */
export function bytesOf(exchange: Exchange | JournalEntry): number {
  const { request, outcome } = exchange
  let characters = request.method.length + request.url.length + request.body.length
  characters += lengthOf(request.headers)
  if ('body' in outcome) characters += outcome.body.length + lengthOf(outcome.headers)
  if ('why' in exchange) characters += exchange.why.length + (exchange.key?.length ?? 0)
  const struck = 'why' in exchange ? exchange.faults.length : exchange.strikes.length
  return plainBytes + strikeBytes * struck + 2 * characters
}

/** The characters of headers, and some more for each. */
function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += 16 + name.length + (headers[name] ?? '').length
  return length
}

/** An exchange in a journal. */
export class KeptExchange implements Counted {
  readonly id: number
  /** The whole bearer token; `undefined` in a restored entry. */
  readonly token: string | undefined
  readonly bytes: number
  readonly keeper: Keeper
  older: Counted | undefined = undefined
  newer: Counted | undefined = undefined
  #exchange: Exchange | JournalEntry

  constructor(
    id: number,
    token: string | undefined,
    exchange: Exchange | JournalEntry,
    keeper: Keeper,
  ) {
    this.id = id
    this.token = token
    this.#exchange = 'why' in exchange ? exchange : new KeptCopy(exchange)
    this.bytes = bytesOf(this.#exchange)
    this.keeper = keeper
  }

  /** As the engine reported it, or only as the journal shows it, once no more may be kept. */
  get exchange(): Exchange | JournalEntry {
    return this.#exchange
  }

  /** Keeps only what the journal shows. */
  seal(shown: JournalEntry): void {
    this.#exchange = shown
  }
}
