import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { AuditOptions, Finding } from '../../audit/finding.ts'
import type { OperationName } from '../../contract/endpoints.ts'
import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { digestOfText } from '../../explore/digest.ts'
import { isRecord } from '../../input/record.ts'
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
export interface RunResult {
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

/** What an observer looks out for. */
export interface Watch {
  /** The rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** Whether an exchange shows what the run is for; by default each does. */
  readonly isMet?: (exchange: JournalEntry) => boolean
  /** Is called after such an exchange. */
  readonly onMet?: () => void
  /** Is called after the suite has reset the sandbox. */
  readonly onReset?: () => void
}

/** Sees what a client does at a sandbox, across resets. */
export class RunObserver {
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
  static async of(sandbox: Sandbox, watch: Watch): Promise<RunObserver> {
    const observer = new RunObserver(sandbox, watch)
    // From now on the rules are there, and a listener misses nothing.
    await sandbox.audit()
    sandbox.journal.subscribe((exchange) => observer.#see(exchange))
    sandbox.journal.subscribeMarks(({ kind }) => {
      // The reset has to be over first.
      if (kind === 'reset' || kind === 'restored') queueMicrotask(() => watch.onReset?.())
    })
    return observer
  }

  /** What it has seen so far. */
  async result(options: AuditOptions): Promise<RunResult> {
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
    if (this.#watch.isMet?.(exchange) ?? true) this.#meet()
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
    queueMicrotask(() => this.#watch.onMet?.())
  }
}

/** A request whose client left before it had an answer. */
export interface UnansweredRequest {
  /** Such as `GET /v1/pets`. */
  readonly call: string
  readonly waitedMs: number
  /** Whether the client waited until its process ended. */
  readonly isWaitingAtEnd: boolean
}

const channel = 'http.server.request.start'

/** After which wait the process of a client is looked for, since that takes some milliseconds. */
const lookUpAfterMs = 500

/** How long before the end of its command a client that wasn't found may leave to count as waiting until then. */
const marginMs = 50

/** Sees which requests to a sandbox in this process are left unanswered, and whether their client has ended. */
export class UnansweredRequests {
  readonly #path: string
  /** When those that wait have begun. */
  readonly #waiting = new Map<ServerResponse, { readonly call: string; readonly beganAt: number }>()
  readonly #left: {
    readonly call: string
    readonly waitedMs: number
    readonly at: number
    /** `undefined` where it isn't known. */
    readonly hasEnded: boolean | undefined
  }[] = []

  /** @param path Of the sandbox, such as `/sandboxes/row-1`. */
  constructor(path: string) {
    this.#path = path
    subscribe(channel, this.#listen)
  }

  /**
   * Stops listening.
   *
   * @param endedAt When the command ended or was told to, as `performance.now()` has it.
   */
  end(endedAt: number): readonly UnansweredRequest[] {
    unsubscribe(channel, this.#listen)
    const left = this.#left.map(({ call, waitedMs, at, hasEnded = at > endedAt - marginMs }) => ({
      call,
      waitedMs,
      isWaitingAtEnd: hasEnded || at > endedAt,
    }))
    const waiting = [...this.#waiting.values()].map(({ call, beganAt }) => ({
      call,
      waitedMs: endedAt - beganAt,
      isWaitingAtEnd: true,
    }))
    return [...left, ...waiting]
  }

  readonly #listen = (message: unknown): void => {
    const { request, response } = isRecord(message) ? message : {}
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
    const { method = '', url = '', socket } = request
    if (!url.startsWith(`${this.#path}/`)) return
    const call = `${method} ${url.slice(this.#path.length)}`
    const beganAt = performance.now()
    this.#waiting.set(response, { call, beganAt })
    let client: number | undefined
    const lookUp = setTimeout(() => {
      client = peerOf(socket)
    }, lookUpAfterMs)
    response.once('close', () => {
      clearTimeout(lookUp)
      this.#waiting.delete(response)
      if (response.headersSent) return
      const at = performance.now()
      const waitedMs = at - beganAt
      const known = client === undefined ? undefined : hasLostMemory(client)
      this.#left.push({ call, waitedMs, at, hasEnded: known })
    })
  }
}

/**
 * The process at the other end of a connection within this machine, by proc(5); `undefined` where the system doesn't say.
 * What can't be read has ended, or belongs to another user.
 */
function peerOf({ localPort, remotePort }: Socket): number | undefined {
  const ends = `${portIn(remotePort)} [\\dA-F]+${portIn(localPort)}`
  const row = new RegExp(`^ *\\d+: [\\dA-F]+${ends} (?:\\S+ +){6}(\\d+) `, 'm')
  const [, node] =
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => row.exec(textOf(file))).find(Boolean) ?? []
  if (node === undefined) return undefined
  const socket = `socket:[${node}]`
  const processes = namesIn('/proc').filter((name) => /^\d+$/.test(name))
  const found = processes.find((id) =>
    namesIn(`/proc/${id}/fd`).some(
      (name) => orElse('', () => readlinkSync(`/proc/${id}/fd/${name}`)) === socket,
    ),
  )
  return found === undefined ? undefined : Number(found)
}

function portIn(port = 0): string {
  return `:${port.toString(16).toUpperCase().padStart(4, '0')}`
}

/** Whether a process ends: Linux takes its memory from it before it closes its connections. */
function hasLostMemory(id: number): boolean {
  return /^(?:0 |$)/.test(textOf(`/proc/${id}/statm`))
}

function textOf(file: string): string {
  return orElse('', () => readFileSync(file, 'utf8'))
}

function namesIn(folder: string): readonly string[] {
  return orElse([], () => readdirSync(folder))
}

/** Reads what may be gone, or another user's. */
function orElse<Value>(fallback: Value, read: () => Value): Value {
  try {
    return read()
  } catch {
    return fallback
  }
}
