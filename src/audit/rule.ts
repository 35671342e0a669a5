import type { ApiError } from '../contract/error.ts'
import type { GapChoices, gaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { Limits } from '../contract/plans.ts'
import type { Exchange } from '../state/exchange.ts'
import type { RequestFacts } from './facts.ts'
import type { Severity } from './finding.ts'

/** What a rule has found. */
export interface Found {
  /** A sentence with the numbers. */
  readonly verdict: string
  readonly exchanges: readonly RequestFacts[]
  /** Where it is not that of the rule. */
  readonly severity?: Severity
  /** Where it is not that of the rule. */
  readonly advice?: string
  /** Whether it holds only if all exchanges are one client's; otherwise it is for information only. */
  readonly needsOneClient?: true
}

/** Watches the exchanges of one client for what a rule is about. */
export interface Watch {
  /** Judges each exchange once, in the order of the answers. */
  see(next: RequestFacts, exchange: Exchange, sandbox: SandboxFacts): Found | undefined
  /** Forgets what nothing can be concluded from any more, since the world has changed. */
  forget?(): void
}

/** A sandbox, as rules know it. */
export interface SandboxFacts {
  /** What the interface leaves open. */
  readonly gapTable: typeof gaps
  /** The limits of a key; `undefined` for what is not a key. */
  limitsOf(text: string): Limits | undefined
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
  /** Whether the client must have known an earlier answer; then it holds within one connection only. */
  readonly needsKnowledge: boolean
  /**
   * Whether two tasks of a client that has several requests under way may do the same without being wrong; then it is for
   * information only.
   */
  readonly needsOneTask?: true
  /** Begins to watch a client. */
  watch(): Watch
}

/** Watches for what is found once of each client. */
export function watchOnce(see: Watch['see']): Watch {
  let isFound = false
  return {
    see(next, exchange, sandbox) {
      if (isFound) return undefined
      const found = see(next, exchange, sandbox)
      isFound = found !== undefined
      return found
    },
  }
}
