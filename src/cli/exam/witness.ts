import type { AuditOptions, Finding } from '../../audit/finding.ts'
import type { OperationName } from '../../contract/endpoints.ts'
import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { digestOfText } from '../../explore/digest.ts'
import { cut } from '../../reports/text.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'

/** How many different requests are told apart; of more, nothing is said to have been sent again. */
const mostRequests = 50_000

/** How many calls that were not served are kept, and how long their texts may be. */
const mostBroken = 1_000
const longestCall = 200

/** A request: a digest of its text, so that those that are alike are the same. */
export type RequestDigest = number

/** A finding, and the requests that prove it. */
export interface ProvedFinding {
  readonly finding: Finding
  readonly proof: readonly RequestDigest[]
}

/** What a sandbox has seen of a client during a run. */
export interface Testimony {
  readonly requests: number
  /** How many of them met what the run is for. */
  readonly met: number
  /** How often each request came. */
  readonly sent: ReadonlyMap<RequestDigest, number>
  /** The calls that were not served, and how they ended: a status, or what broke. */
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  /** How many requests were refused for quota, or for a ban. */
  readonly refused: number
  readonly isBanned: boolean
  /** When requests that had been refused for quota came again, in real milliseconds, in their order. */
  readonly comebacks: readonly number[]
  readonly findings: readonly ProvedFinding[]
  readonly coverage: CoverageReport
}

/** What a witness looks out for. */
export interface Watch {
  /** The rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** Whether an exchange shows what the run is for. */
  isMet(exchange: JournalEntry): boolean
  /** Is called after such an exchange. */
  onMet(sandbox: Sandbox): void
  /** Is called after the suite has reset the sandbox. */
  onReset(sandbox: Sandbox): void
}

/** Sees what a client does at a sandbox, across resets. */
export class Witness {
  readonly #sandbox: Sandbox
  readonly #watch: Watch
  readonly #sent = new Map<RequestDigest, number>()
  readonly #broken = new Map<string, string>()
  readonly #operations = new Set<OperationName>()
  /** The requests by id. */
  readonly #known = new Map<number, RequestDigest>()
  readonly #refused = new Set<RequestDigest>()
  readonly #comebacks: number[] = []
  #requests = 0
  #met = 0
  #refusals = 0
  #isBanned = false

  private constructor(sandbox: Sandbox, watch: Watch) {
    this.#sandbox = sandbox
    this.#watch = watch
  }

  /** Begins to watch a sandbox. */
  static async of(sandbox: Sandbox, watch: Watch): Promise<Witness> {
    const witness = new Witness(sandbox, watch)
    // From now on the rules are there, and a listener misses nothing.
    await sandbox.audit()
    sandbox.journal.subscribe((exchange) => witness.#see(exchange))
    sandbox.journal.subscribeMarks(({ kind }) => {
      // The reset has to be over first.
      if (kind === 'reset' || kind === 'restored') queueMicrotask(() => watch.onReset(sandbox))
    })
    return witness
  }

  /** What it has seen so far. */
  async testify(options: AuditOptions): Promise<Testimony> {
    const findings = await this.#sandbox.audit(options)
    return {
      requests: this.#requests,
      met: this.#met,
      sent: this.#sent,
      broken: this.#broken,
      operations: this.#operations,
      refused: this.#refusals,
      isBanned: this.#isBanned,
      comebacks: this.#comebacks.toSorted((one, other) => one - other),
      findings: findings
        .filter(({ rule }) => !this.#watch.excepted.has(rule))
        .map((finding) => ({
          finding,
          proof: finding.exchanges.flatMap((id) => this.#known.get(id) ?? []),
        })),
      coverage: await this.#sandbox.coverage(),
    }
  }

  #see(exchange: JournalEntry): void {
    const { id, request, operation, outcome, decision, received } = exchange
    this.#requests++
    if (operation !== undefined) this.#operations.add(operation)
    if (this.#watch.isMet(exchange)) this.#meet()
    const call = `${request.method} ${request.url}`
    const end = outcome.kind === 'reply' ? String(outcome.status) : outcome.kind
    const isServed = /^[123]/.test(end)
    if (!isServed && this.#broken.size < mostBroken) this.#broken.set(cut(call, longestCall), end)
    if (decision.code === 'key_banned') this.#isBanned = true
    const isRefused = decision.code === 'rate_limit_exceeded' || decision.code === 'key_banned'
    if (isRefused) this.#refusals++
    if (this.#known.size >= mostRequests) return
    const digest = digestOfText(`${call} ${request.body}`)
    if (this.#refused.has(digest)) this.#comebacks.push(received)
    if (isRefused) this.#refused.add(digest)
    this.#known.set(id, digest)
    this.#sent.set(digest, (this.#sent.get(digest) ?? 0) + 1)
  }

  #meet(): void {
    this.#met++
    // The exchange has to be in the journal first, since what follows may leave a mark.
    queueMicrotask(() => this.#watch.onMet(this.#sandbox))
  }
}
