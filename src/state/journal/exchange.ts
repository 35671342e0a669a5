import type { OperationName } from '../../contract/endpoints.ts'
import type { ApiError } from '../../contract/error.ts'
import type { GapChoices } from '../../contract/gaps.ts'
import type { Int64 } from '../../contract/int64.ts'
import type { ApiRequest, Outcome } from '../../contract/message.ts'
import type { Limits } from '../../contract/plans.ts'
import type { Strike } from '../../faults/apply-faults.ts'
import type { VisitFacts } from './facts/visit.ts'
import type { JournalEntry } from './journal-entry.ts'
import type { SentBody } from './sent-body.ts'

/** An exchange as the engine reports it. */
export interface Exchange {
  readonly request: ApiRequest
  /** With the size of its body, if that is cut. */
  readonly outcome: Outcome & { readonly bodyBytes?: number }
  readonly operation: OperationName | undefined
  /** The operation's clause. */
  readonly spec: string | undefined
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
    /** Unix milliseconds. */
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

/** An exchange that can show itself. */
export interface ShowableExchange extends Exchange {
  /**
   * Writes it as the journal shows it.
   *
   * @param hide Abbreviates the keys that may not stand in it whole.
   */
  show(id: number, hide: (text: string) => string): JournalEntry
}

/** An exchange that says what is kept of it. */
export interface KeepableExchange extends Exchange {
  /** Itself, or a copy with bodies cut and without references that keep more alive. */
  kept(): ShowableExchange
}

/** A request that was admitted. */
export interface AskedRequest {
  readonly request: ApiRequest
  /** The id of its exchange in the journal, by which everything names it; `undefined` until it is answered. */
  number: number | undefined
}

/** Who keeps the requests that a sandbox is asked, in the order in which they come. */
export interface Recorder {
  /**
   * Keeps a request, or an earlier one that is the same.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   */
  addRequest(request: ApiRequest, at: number): AskedRequest
}
