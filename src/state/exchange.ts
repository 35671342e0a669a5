import { endpoints, type OperationName } from '../contract/endpoints.ts'
import { type ApiError, errorCodes } from '../contract/error.ts'
import { formatChoice, type GapChoices } from '../contract/gaps.ts'
import { headersFrom } from '../contract/http.ts'
import type { Int64 } from '../contract/int64.ts'
import {
  type ApiRequest,
  type BrokenReply,
  type Disconnect,
  type DoorName,
  type Headers,
  hasLeft,
  type Outcome,
  type ReadBody,
  type Reply,
  type Timeout,
  utf8Length,
  type Visit,
} from '../contract/message.ts'
import type { Limits } from '../contract/plans.ts'
import { hostNow, realNow, Turns } from '../contract/real-time.ts'
import type { Strike } from '../faults/apply-faults.ts'
import { definedOf } from '../input/record.ts'
import { formatInstant } from '../input/values.ts'
import type { Delivery, JournalEntry } from './journal-entry.ts'
import { redactAuthorization, redactKey } from './redactor.ts'

/** What a request led to, as it looks afterwards: with the size of its body, if that is cut. */
type SeenOutcome = (Reply | Omit<BrokenReply, 'pieces'> | Disconnect | Omit<Timeout, 'ended'>) & {
  readonly bodyBytes?: number
}

/** An exchange as the engine reports it and the journal keeps it. */
export interface Exchange {
  readonly request: ApiRequest
  readonly outcome: SeenOutcome
  readonly operation: OperationName | undefined
  /** The whole bearer token; `''` for none. */
  readonly token: string
  /** The number of the token, by which callers are told apart. */
  readonly caller: number
  readonly visit: VisitFacts
  /** Unix milliseconds. */
  readonly at: number
  /** The same, unless a fault struck: nothing else takes time. */
  readonly endedAt: number
  /** What the reply's headers say, and of which window. */
  readonly quota: {
    readonly window: keyof Limits
    readonly limit: number
    readonly remaining: number
    /** Unix milliseconds, on a whole second. */
    readonly resetAt: number
  }
  readonly isSpent: boolean
  readonly refusal: Pick<ApiError, 'code' | 'message' | 'gap' | 'retryAt'> | undefined
  /** The pet that the request added. */
  readonly petId: Int64 | undefined
  /** How many pets fit what a list was asked for. */
  readonly total: number | undefined
  readonly gaps: GapChoices
  readonly strikes: readonly Strike[]
  /** What is known of a body in pieces; `undefined` if no fault struck. */
  readonly sent: SentBody | undefined
  /** What ended its waits before their time, such as `the client left`; `undefined` for nothing. */
  readonly cutShort: string | undefined
}

/** What is known of the sending of a body in pieces, which goes on when its exchange is in the journal already. */
export interface SentBody {
  /** How it ended; `undefined` while pieces are still to come. */
  end:
    | {
        readonly bytes: number
        /** When its last piece had been sent, or its client had left; Unix milliseconds. */
        readonly at: number
      }
    | undefined
}

/** The longest body that a journal keeps whole, in characters. */
const keptBody = 65_536

/** What a journal keeps of an exchange: bodies cut, and nothing of what its reply waits for or sends. */
export function keptOf(exchange: Exchange): Exchange {
  const { request, outcome } = exchange
  return { ...exchange, request: cutBody(request), outcome: cutBody(settled(outcome)) }
}

function settled(outcome: SeenOutcome | Outcome): SeenOutcome {
  if (outcome.kind === 'timeout') return { kind: 'timeout' }
  if (!('pieces' in outcome)) return outcome
  const { pieces: _, ...rest } = outcome
  return rest
}

/** Cuts the body of a message to the length that a journal keeps, and says how many bytes it had. */
export function cutBody<Message extends object>(
  message: Message,
): Message & { readonly bodyBytes?: number } {
  if (!('body' in message) || typeof message.body !== 'string') return message
  const { body } = message
  // One that is restored was cut before, and has a mark more.
  if (body.length <= keptBody + 1) return message
  const known = 'bodyBytes' in message ? Number(message.bodyBytes ?? 0) : 0
  // A copy, since a part of a long text would keep all of it alive.
  const kept: unknown = JSON.parse(JSON.stringify(body.slice(0, keptBody)))
  return { ...message, body: `${kept}…`, bodyBytes: Math.max(known, utf8Length(body)) }
}

/** What an exchange takes beside its texts, in bytes. */
const plainBytes = 1_536

/** About how many bytes an exchange takes: rather too many, since no text takes more than two for a character. */
export function bytesOf({ request, outcome }: Exchange | JournalEntry): number {
  let characters = request.url.length + request.body.length + lengthOf(request.headers)
  if ('body' in outcome) characters += outcome.body.length + lengthOf(outcome.headers)
  return plainBytes + 2 * characters
}

/** The characters of headers, and some more for each. */
function lengthOf(headers: Headers): number {
  let length = 0
  for (const name in headers) length += 16 + name.length + (headers[name] ?? '').length
  return length
}

/** Returns the decision behind an exchange; no clause is behind an error that a fault injected. */
function decisionOf({ refusal, operation, strikes }: Exchange) {
  const spec = operation === undefined ? undefined : endpoints[operation].spec
  if (refusal === undefined) return { code: undefined, clause: spec ?? '4', gap: undefined }
  const { code, gap } = refusal
  const isInjected = strikes.some(({ action }) => action.step === 'refuse')
  if (isInjected) return { code, clause: undefined, gap: undefined }
  const hasOwnClause = code === 'invalid_request' || code === 'not_found'
  return { code, clause: (hasOwnClause ? spec : undefined) ?? errorCodes[code].spec, gap }
}

/** Says why a request was answered this way, with the deciding clause or gap. */
function whyOf(exchange: Exchange): string {
  const { outcome, strikes, cutShort } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  const struck = strikes.map(({ id, fault }) => `fault ${id} (${fault})`)
  const ended = cutShort === undefined ? [] : [`${cutShort} before the answer`]
  return [`${status}: ${reasonOf(exchange)}`, ...struck, ...ended].join('; ')
}

function reasonOf(exchange: Exchange): string {
  const { refusal, operation, quota, token, gaps } = exchange
  const { clause, gap } = decisionOf(exchange)
  if (refusal === undefined) return `${operation ?? 'answered'}; spec ${clause}`
  if (clause === undefined) return refusal.message
  const choice = gap === undefined ? '' : `, gap ${gap}=${formatChoice(gap, gaps[gap])}`
  if (refusal.code === 'rate_limit_exceeded') {
    const owner = token === '' ? 'requests without a key' : `key ${redactKey(token)}`
    return `the ${quota.window} window of ${owner} is full, ${quota.limit} of ${quota.limit}; spec ${clause}${choice}`
  }
  return `${refusal.message}; spec ${clause}${choice}`
}

/**
 * Writes an exchange as the journal shows it.
 *
 * @param hide Abbreviates the keys that may not stand in it whole.
 */
export function showExchange(
  id: number,
  exchange: Exchange,
  hide: (text: string) => string,
): JournalEntry {
  const { request, at, endedAt, operation, token, quota } = exchange
  return {
    id,
    at: formatInstant(at),
    // The clock may have been set back meanwhile.
    durationMs: Math.max(0, endedAt - at),
    ...(operation === undefined ? {} : { operation }),
    ...(token === '' ? {} : { key: redactKey(token) }),
    request: {
      method: hide(request.method),
      url: hide(request.url),
      headers: hideInHeaders(request.headers, hide),
      ...showBody(request, hide),
    },
    outcome: showOutcome(exchange, hide),
    quota: {
      window: quota.window,
      limit: quota.limit,
      remaining: quota.remaining,
      resetAt: formatInstant(quota.resetAt),
      spent: exchange.isSpent,
    },
    faults: exchange.strikes.map((strike) => strike.id),
    why: hide(whyOf(exchange)),
    ...factsOf(exchange),
  }
}

/** Returns what is known of an exchange besides its messages. */
function factsOf(exchange: Exchange) {
  const { visit, refusal, petId, total, caller } = exchange
  const { door, connection, startOrder, answerOrder, received, answered, delivery } = visit
  const retryAt = refusal?.retryAt
  return {
    decision: definedOf({
      ...decisionOf(exchange),
      retryAt: retryAt === undefined ? undefined : formatInstant(retryAt),
      petId: petId === undefined ? undefined : String(petId),
      total,
    }),
    order: { start: startOrder, ...definedOf({ answer: answerOrder }) },
    received: toMicroseconds(received),
    caller,
    door,
    ...definedOf({
      answered: answered === undefined ? undefined : toMicroseconds(answered),
      connection,
      delivery,
    }),
  }
}

/** Rounds milliseconds to whole microseconds. */
export function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}

/** Headers that hold nothing but a secret, known or not. */
const credentials: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization'])

function hideInHeaders(headers: Headers, hide: (text: string) => string): Headers {
  const shown = Object.entries(headers).map(([name, value]): [string, string] => [
    hide(name),
    credentials.has(name) ? redactAuthorization(value) : hide(value),
  ])
  return Object.fromEntries(shown)
}

/** Shows a body, and how many bytes it has if that can't be seen. */
function showBody({ body, bodyBytes }: ReadBody, hide: (text: string) => string): ReadBody {
  const shown = hide(body)
  const bytes = bodyBytes ?? (shown === body ? undefined : utf8Length(body))
  return bytes === undefined ? { body: shown } : { body: shown, bodyBytes: bytes }
}

/** The headers of a reply as its host sends them. */
function sentHeaders(
  { headers, body, bodyBytes }: ReadBody & { readonly headers: Headers },
  { addedLines }: ApiRequest,
): Headers {
  if (addedLines === undefined) return { ...headers }
  const length = headers['content-length'] ?? String(bodyBytes ?? utf8Length(body))
  return { ...headers, 'content-length': length, ...headersFrom(addedLines) }
}

function showOutcome(
  { request, outcome, endedAt, sent }: Exchange,
  hide: (text: string) => string,
): JournalEntry['outcome'] {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { status } = outcome
  const reply = {
    status,
    headers: hideInHeaders(sentHeaders(outcome, request), hide),
    ...showBody(outcome, hide),
  }
  if (outcome.kind === 'reply') return { kind: 'reply', ...reply }
  const { end } = outcome
  if (sent?.end === undefined) return { kind: 'broken-reply', ...reply, end }
  const { bytes, at } = sent.end
  const bodyMs = Math.max(0, at - endedAt)
  return { kind: 'broken-reply', ...reply, end, sentBytes: bytes, bodyMs }
}

/** Counts what happens to a sandbox: starts of requests, ends of answers, and marks. */
export class Sequence {
  last = 0
  readonly turns = new Turns()

  next(): number {
    return ++this.last
  }

  /** Goes on after a number, if it isn't further already. */
  goOnFrom(last: number): void {
    this.last = Math.max(this.last, last)
  }
}

/** What is known of a request's way in and its answer's way out. */
export type VisitFacts = Readonly<Omit<KeptVisit, keyof Visit | keyof SettledVisit>>

/** A visit as the engine takes it along. */
export interface SettledVisit {
  readonly facts: VisitFacts
  /**
   * Notes what the request led to.
   *
   * @param at The sandbox's time.
   * @returns The sandbox's time at which the outcome was known.
   */
  settle(outcome: Outcome, owner: AbortSignal | undefined, at: number): number
}

/** A visit of a sandbox that is played again: nothing changes what is known of it. */
export class PastVisit implements Visit, SettledVisit {
  readonly facts: VisitFacts

  constructor(facts: VisitFacts) {
    this.facts = facts
  }

  settle(_outcome: Outcome, _owner: AbortSignal | undefined, at: number): number {
    return this.facts.endedAt ?? at
  }

  end(): void {}

  leave(): void {}
}

/** A request's way in and its answer's way out, as the journal keeps it. */
export class KeptVisit implements Visit, SettledVisit {
  readonly door: DoorName
  /** Its connection; only servers know one. */
  readonly connection: number | undefined
  /** Real milliseconds ({@link realNow}). */
  readonly received: number
  /** What the host's clock showed then, for clients that wait by faked timers; Unix milliseconds. */
  readonly receivedAt: number
  /** In which turn of the event loop that was. */
  readonly receivedTurn: number
  /** Where its start stands in the sequence. */
  readonly startOrder: number
  /** Where the end of its answer stands in the sequence; `undefined` while it is on its way. */
  answerOrder: number | undefined = undefined
  answered: number | undefined = undefined
  answeredAt: number | undefined = undefined
  answeredTurn: number | undefined = undefined
  delivery: Delivery | undefined = undefined
  /** The sandbox's time at which its outcome was known; `undefined` until it is. Unix milliseconds. */
  endedAt: number | undefined = undefined
  readonly #sequence: Sequence
  /** What becomes of the answer, unless its client leaves. */
  #fate: Delivery = 'broken'

  constructor(door: DoorName, connection: number | undefined, sequence: Sequence) {
    this.door = door
    this.connection = connection
    this.#sequence = sequence
    this.startOrder = sequence.next()
    this.received = realNow()
    this.receivedAt = hostNow()
    this.receivedTurn = sequence.turns.now
  }

  get facts(): VisitFacts {
    return this
  }

  /** A plain reply is with its client, all else only when its door says so. */
  settle(outcome: Outcome, owner: AbortSignal | undefined, at: number): number {
    this.endedAt = at
    if (this.delivery !== undefined) return at
    if (hasLeft(owner)) {
      this.leave()
      return at
    }
    const isWhole =
      outcome.kind === 'reply' || (outcome.kind === 'broken-reply' && outcome.end === 'whole')
    this.#fate = isWhole ? 'delivered' : 'broken'
    if (outcome.kind === 'reply') this.end()
    return at
  }

  end(): void {
    if (this.delivery === undefined) this.#close(this.#fate)
  }

  leave(): void {
    if (this.delivery === undefined || this.delivery === 'delivered') this.#close('left')
  }

  #close(delivery: Delivery): void {
    this.delivery = delivery
    this.answerOrder = this.#sequence.next()
    this.answered = realNow()
    this.answeredAt = hostNow()
    this.answeredTurn = this.#sequence.turns.now
  }
}
