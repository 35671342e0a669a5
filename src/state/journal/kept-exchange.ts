import { type Headers, utf8Length } from '../../contract/message.ts'
import type { Exchange, ShowableExchange } from './exchange.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { Counted, Keeper } from './shared-bytes.ts'

/** The longest body that a journal keeps whole, in characters. */
const keptBody = 65_536

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
  /** As the engine reported it, or only as the journal showed it, in one that was restored. */
  readonly exchange: ShowableExchange | JournalEntry

  constructor(
    id: number,
    token: string | undefined,
    exchange: ShowableExchange | JournalEntry,
    keeper: Keeper,
  ) {
    this.id = id
    this.token = token
    this.exchange = exchange
    this.bytes = bytesOf(this.exchange)
    this.keeper = keeper
  }
}
