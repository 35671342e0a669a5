import type { ApiError } from '../../mock/api/error.ts'
import type { GapValues } from '../../mock/api/gaps.ts'
import type { ApiRequest } from '../../mock/api/message.ts'
import type { Limits } from '../../mock/api/plans.ts'
import type { LateBetween } from '../../mock/api/real-time.ts'
import type { RequestFacts } from './facts.ts'
import type { Severity } from './finding.ts'

/** Result of a rule for one request. */
export interface Found {
  /** Sentence with numbers. */
  readonly message: string
  readonly requests: readonly RequestFacts[]
  /** Severity, if it differs from the rule's. */
  readonly severity?: Severity
  /** Advice, if it differs from the rule's. */
  readonly advice?: string
  /** Innocent explanation, to follow "since"; if set, the finding is downgraded to `info`. */
  readonly caveat?: string
  /** Whether the finding requires all requests to be one client's; if they may not be, it is downgraded to `info`. */
  readonly needsOneClient?: true
  /** Harmless behaviour of two parallel tasks, if it differs from the rule's. */
  readonly needsOneTask?: string
}

/** Checks each request of a client once, in the order of responses. */
export type RuleState = (next: RequestFacts, sandbox: SandboxFacts) => Found | undefined

/** Facts about a sandbox that rules use. */
export interface SandboxFacts {
  /** Whether no test is running, and the sandbox's clock wasn't moved. */
  readonly isLive: boolean
  /** Lateness of the server's event loop; 0 without a server. */
  readonly lateBetween: LateBetween
  /** Returns the limits of a key; `undefined` if the text isn't a key. */
  limitsOf(text: string): Limits | undefined
  /**
   * Returns the error that would reject a request regardless of quota; `undefined` if the request would succeed.
   *
   * @param gaps Values of all gaps.
   * @param at Unix milliseconds.
   */
  rejectionUnder(request: ApiRequest, gaps: GapValues, at: number): ApiError | undefined
}

/** A rule about the behaviour of clients. */
export interface Rule {
  readonly severity: Severity
  /** Spec clause, or public source, of the rule. */
  readonly source: string
  /** Description of what the rule detects, in one sentence. */
  readonly summary: string
  /** Recommended fix. */
  readonly advice: string
  /** Whether the client must have known an earlier response; then the rule holds within one connection only. */
  readonly requiresWarning?: true
  /**
   * Harmless behaviour of two parallel tasks that looks the same. If the client has had several requests in flight, the
   * finding is downgraded to `info`.
   */
  readonly needsOneTask?: string
  /** Whether a client gets at most one such finding until the next reset. */
  readonly oncePerClient?: true
  /** Whether a rule's state lasts until the next reset, despite other state changes. */
  readonly survivesReset?: true
  /** Creates the state for a client; called again after each state change, which invalidates what came before. */
  createState(): RuleState
}
