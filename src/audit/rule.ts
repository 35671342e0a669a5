import type { ApiError } from '../contract/error.ts'
import type { GapChoices, gaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { Limits } from '../contract/plans.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Trait } from './panel/traits.ts'
import type { Seen } from './seen.ts'
import type { Severity } from './severity.ts'

/** What a rule has found. */
export interface Found {
  /** A sentence with the numbers. */
  readonly verdict: string
  readonly exchanges: readonly Seen[]
  /** Where it is not that of the rule. */
  readonly severity?: Severity
  /** Where it is not that of the rule. */
  readonly advice?: string
  /** Whether it holds only if all exchanges are one client's; otherwise it is for information only. */
  readonly needsOneClient?: true
}

/** Watches the exchanges of a sandbox for what its rule is about. */
export interface Watch {
  /** Sees each exchange once, in the order of the answers. */
  see(exchange: Seen, whole: Exchange, ground: Ground): Found | undefined
  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget?(): void
}

/** The keys of a sandbox, as rules know them. */
export interface Keys {
  /** The limits of a key; `undefined` for what is no key. */
  limitsOf(text: string): Limits | undefined
  /** Whether a key may stand in a text, be it as a part of a word; quick. */
  mayBeIn(text: string): boolean
}

/** A sandbox, as rules know it. */
export interface Ground extends Keys {
  /** What the interface leaves open. */
  readonly gapTable: typeof gaps
  /** Whether a pet of the seed has a category. */
  isCategory(id: number): boolean
  /**
   * How a request would be refused for what it is, whatever the quota; `undefined` if it wouldn't.
   *
   * @param gaps The choices at all gaps.
   * @param at Unix milliseconds.
   */
  refusalUnder(request: ApiRequest, gaps: GapChoices, at: number): ApiError | undefined
}

/** A rule on the manners of clients. */
export interface Rule {
  readonly severity: Severity
  /** The clause of the interface, or the public source. */
  readonly clause: string
  /** What it finds, in one sentence. */
  readonly about: string
  /** What to do instead. */
  readonly advice: string
  /** Whether the client must have known an earlier answer; then it holds within one origin only. */
  readonly needsKnowledge: boolean
  /**
   * Whether two tasks of a client that has several requests under way may do the same without being wrong; then it is for
   * information only.
   */
  readonly needsOneTask?: true
  /** What the exchanges that it sees are like, in any of these ways; by default it sees all. */
  readonly sees?: readonly Trait[]
  /** Whether its verdicts have no words of the client, among which a key could stand that must be hidden. */
  readonly quotesNothing?: true
  watch(): Watch
}
