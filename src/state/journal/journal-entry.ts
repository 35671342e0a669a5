import type { OperationName } from '../../contract/endpoints.ts'
import { type ApiError, errorCodes } from '../../contract/error.ts'
import { formatChoice, type GapChoices } from '../../contract/gaps.ts'
import type { ApiRequest, Headers, Outcome } from '../../contract/message.ts'
import type { Limits } from '../../contract/plans.ts'
import { formatInstant } from '../../input/instant.ts'
import type { Strike } from '../faults.ts'
import { redactKey } from '../redact.ts'

/** An exchange as the engine tells it. */
export interface Exchange {
  readonly request: ApiRequest
  readonly outcome: Outcome
  readonly operation: OperationName | undefined
  /** The clause of the operation. */
  readonly spec: string | undefined
  /** The bearer token that was sent, whole; `''` for none. */
  readonly token: string
  /** Unix milliseconds. */
  readonly at: number
  readonly endedAt: number
  /** What the reply's headers say, and which window that is. */
  readonly quota: {
    readonly window: keyof Limits
    readonly limit: number
    readonly remaining: number
    /** Unix milliseconds. */
    readonly resetAt: number
  }
  readonly isSpent: boolean
  readonly refusal: Pick<ApiError, 'code' | 'message' | 'gap'> | undefined
  readonly gaps: GapChoices
  readonly strikes: readonly Strike[]
}

/** An exchange as the journal shows it: keys only by their beginning. */
export interface JournalEntry {
  /** Counts up from 1. */
  readonly id: number
  /** The sandbox's time, ISO 8601 in UTC. */
  readonly at: string
  /** On the sandbox's clock. */
  readonly durationMs: number
  readonly operation?: OperationName
  /** The key's beginning; absent without one. */
  readonly key?: string
  readonly request: Omit<ApiRequest, 'unreadable'>
  readonly outcome:
    | {
        readonly kind: 'reply' | 'broken-reply'
        readonly status: number
        readonly headers: Headers
        readonly body: string
      }
    | { readonly kind: 'disconnect' | 'timeout' }
  /** The window that the headers describe, and whether the request spent from both. */
  readonly quota: {
    readonly window: keyof Limits
    readonly limit: number
    readonly remaining: number
    /** ISO 8601 in UTC. */
    readonly resetAt: string
    readonly spent: boolean
  }
  /** The ids of the faults that struck it. */
  readonly faults: readonly number[]
  /** Why it was answered so, in words, with the clause or the gap. */
  readonly why: string
}

/** Which entries to give; what is left out doesn't matter. */
export interface JournalFilter {
  readonly operation?: string
  readonly method?: string
  /** A status, or `disconnect` or `timeout`. */
  readonly status?: number | 'disconnect' | 'timeout'
  /** A key, whole or as the journal shows it. */
  readonly key?: string
  /** Unix milliseconds, included. */
  readonly since?: number
  /** Unix milliseconds, not included. */
  readonly until?: number
  /** Only entries with a higher id. */
  readonly after?: number
  /** The latest ones, at most. */
  readonly limit?: number
}

/** The longest body that a journal keeps whole, in characters. */
const keptBody = 65_536

/** Cuts the body of a message to what a journal keeps. */
function bounded<Message extends object>(message: Message): Message {
  if (!('body' in message) || typeof message.body !== 'string') return message
  return message.body.length <= keptBody ? message : { ...message, body: cut(message.body) }
}

function cut(body: string): string {
  if (body.length <= keptBody) return body
  // A slice would keep all of the text alive; what was joined anew doesn't.
  return `${[...body.slice(0, keptBody)].join('')}…`
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

/** Whether an exchange fits a filter. */
export function fitsFilter({ id, token, exchange }: KeptExchange, filter: JournalFilter): boolean {
  const at = typeof exchange.at === 'number' ? exchange.at : Date.parse(exchange.at)
  const { outcome } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  return (
    (filter.after === undefined || id > filter.after) &&
    (filter.operation === undefined || filter.operation === exchange.operation) &&
    (filter.method === undefined || filter.method === exchange.request.method) &&
    (filter.status === undefined || filter.status === status) &&
    (filter.key === undefined || hasKey(exchange, token, filter.key)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  )
}

function hasKey(
  exchange: Exchange | JournalEntry,
  token: string | undefined,
  key: string,
): boolean {
  if (token !== undefined) return token === key || (token !== '' && redactKey(token) === key)
  return 'why' in exchange && (exchange.key === key || exchange.key === redactKey(key))
}

/**
 * Writes an exchange as the journal shows it.
 *
 * @param hide Hides the keys that may not stand in it whole.
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
      body: hide(request.body),
    },
    outcome: showOutcome(exchange.outcome, hide),
    quota: {
      window: quota.window,
      limit: quota.limit,
      remaining: quota.remaining,
      resetAt: formatInstant(quota.resetAt),
      spent: exchange.isSpent,
    },
    faults: exchange.strikes.map((strike) => strike.id),
    why: hide(whyOf(exchange)),
  }
}

function hideInHeaders(headers: Headers, hide: (text: string) => string): Headers {
  const shown = Object.entries(headers).map(([name, value]) => [
    hide(name),
    name === 'authorization' ? hideCredentials(value) : hide(value),
  ])
  return Object.fromEntries(shown) as Headers
}

const schemes = /^(?:basic|bearer|digest)$/i

/** Shows of an `Authorization`, well formed or not, the schemes and the beginning of all else. */
function hideCredentials(authorization: string): string {
  return authorization.replace(/[^\s,]+/g, (word) => (schemes.test(word) ? word : redactKey(word)))
}

function showOutcome(outcome: Outcome, hide: (text: string) => string): JournalEntry['outcome'] {
  if (!('status' in outcome)) return { kind: outcome.kind }
  const { kind, status, headers, body } = outcome
  return { kind, status, headers: { ...headers }, body: hide(body) }
}

/** Says why a request was answered as it was, with the clause or the gap that decided. */
function whyOf(exchange: Exchange): string {
  const { outcome, strikes } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  const struck = strikes.map(({ id, effect }) => `fault ${id} (${effect.kind})`)
  return [`${status}: ${decisionOf(exchange)}`, ...struck].join('; ')
}

function decisionOf({ refusal, operation, spec, quota, token, gaps, strikes }: Exchange): string {
  if (refusal === undefined) return `${operation ?? 'answered'}; spec ${spec ?? '4'}`
  // Whatever its code, no clause asks for it.
  if (strikes.some(({ effect }) => effect.kind === 'status')) return refusal.message
  if (refusal.code === 'rate_limit_exceeded') {
    return `the ${quota.window} window of key ${redactKey(token)} is full, ${quota.limit} of ${quota.limit}; spec 8`
  }
  const hasOwnClause = refusal.code === 'invalid_request' || refusal.code === 'not_found'
  const clause = (hasOwnClause ? spec : undefined) ?? errorCodes[refusal.code].spec
  const gap =
    refusal.gap === undefined
      ? ''
      : `, gap ${refusal.gap}=${formatChoice(refusal.gap, gaps[refusal.gap])}`
  return `${refusal.message}; spec ${clause}${gap}`
}
