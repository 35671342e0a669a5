import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { ApiError } from '../../mock/spec/error.ts'
import type { GapValues } from '../../mock/spec/gaps.ts'
import type { ApiRequest } from '../../mock/spec/message.ts'
import type { Limits } from '../../mock/spec/plans.ts'
import type { LateBetween } from '../../mock/spec/real-time.ts'
import type { RequestFacts } from './facts.ts'
import type { Severity } from './finding.ts'

/** What a rule has found. */
export interface Found {
  /** A sentence with the numbers. */
  readonly message: string
  readonly requests: readonly RequestFacts[]
  /** Where it is not that of the rule. */
  readonly severity?: Severity
  /** Where it is not that of the rule. */
  readonly advice?: string
  /** What else may be behind it, after "since": then it is for information only. */
  readonly caveat?: string
  /** Whether it holds only if all exchanges are one client's; otherwise it is for information only. */
  readonly needsOneClient?: true
  /** Where it is not that of the rule. */
  readonly needsOneTask?: string
}

/** Watches a client for what a rule is about: judges each exchange once, in the order of the answers. */
export type RuleState = (
  next: RequestFacts,
  exchange: LoggedRequest,
  sandbox: SandboxFacts,
) => Found | undefined

/** A sandbox, as rules know it. */
export interface SandboxFacts {
  /** Lateness of the event loop of the server; 0 where there is none. */
  readonly lateBetween: LateBetween
  /** The limits of a key; `undefined` for what is not a key. */
  limitsOf(text: string): Limits | undefined
  /**
   * How a request would be refused for what it is, whatever the quota; `undefined` if it wouldn't.
   *
   * @param gaps The choices at all gaps.
   * @param at Unix milliseconds.
   */
  refusalUnder(request: ApiRequest, gaps: GapValues, at: number): ApiError | undefined
}

/** A rule on the manners of clients. */
export interface Rule {
  readonly severity: Severity
  /** The clause of the interface, or the public source. */
  readonly source: string
  /** What it finds, in one sentence. */
  readonly summary: string
  /** What to do instead. */
  readonly advice: string
  /** Whether the client must have known an earlier answer; then it holds within one connection only. */
  readonly requiresWarning?: true
  /**
   * What two tasks of a client that has several requests under way may do without being wrong; then it is for information
   * only.
   */
  readonly needsOneTask?: string
  /** Whether it is found at most once of a client until the next reset. */
  readonly oncePerClient?: true
  /** Whether a watch goes on until the next reset, whatever else changes the world. */
  readonly survivesReset?: true
  /** Begins to watch a client; again after each change of the world, from before which nothing is concluded any more. */
  createState(): RuleState
}
