import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Finding, FindingOptions } from '../../checks/audit/finding.ts'
import type { CoverageFragment } from '../../checks/coverage/coverage-report.ts'
import { cut } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { isLimited } from './conditions.ts'

/** Maximum length of the text of a call that failed. */
const longestCall = 200

/** Finding with the texts of the requests that show it. */
export interface ProvedFinding {
  readonly finding: Finding
  readonly proof: readonly string[]
}

/** Client's behaviour during a run, as a sandbox has seen it. */
export interface RunResult {
  readonly requests: number
  /** Number of requests that encountered each watched condition, by its title. */
  readonly met: ReadonlyMap<string, number>
  /** Number of times that each request was sent, by its text. */
  readonly sent: ReadonlyMap<string, number>
  /** Calls that failed, and how they ended: a status, or what broke. */
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  /** Whether a page of another origin sent a request. */
  readonly isOfPage: boolean
  /** Number of requests rejected for quota, or for a ban. */
  readonly rejected: number
  /** Longest wait that an error response asked for, in milliseconds. */
  readonly longestWaitMs: number
  readonly isBanned: boolean
  /** Whether two requests were in flight at the same time. */
  readonly isParallel: boolean
  /** Times at which rate-limited requests were retried, in real milliseconds, in order. */
  readonly comebacks: readonly number[]
  readonly findings: readonly ProvedFinding[]
}

/** Condition to watch for. */
export interface WatchedCondition {
  readonly title: string
  /** Returns whether a request has encountered it. */
  isMet(entry: RequestView): boolean
  /** Called after such a request. */
  onMet?(): void
}

/** Options of an observer. */
export interface RuleState {
  /** Rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** Conditions of the run. */
  readonly conditions?: readonly WatchedCondition[]
  /** Called after the suite has reset the sandbox. */
  readonly onReset?: () => void
}

/**
 * Starts watching the client of a sandbox, across resets.
 *
 * @returns A function that returns the results so far.
 */
export async function observeRun(
  sandbox: Sandbox,
  { excepted, conditions = [], onReset }: RuleState,
): Promise<(options: FindingOptions) => Promise<RunResult>> {
  const counts = {
    ...{ requests: 0, rejected: 0, longestWaitMs: 0 },
    isBanned: false,
    isOfPage: false,
  }
  const met = new Map(conditions.map(({ title }) => [title, 0]))
  const sent = new Map<string, number>()
  const broken = new Map<string, string>()
  const operations = new Set<OperationName>()
  const comebacks: number[] = []
  /** Texts of requests by id, and texts of those that were rejected. */
  const known = new Map<number, string>()
  const rejected = new Set<string>()
  const see = (entry: RequestView): void => {
    const { id, at, request, operation, outcome, decision, receivedMs } = entry
    counts.requests++
    if (operation !== undefined) operations.add(operation)
    if (request.headers.origin !== undefined) counts.isOfPage = true
    for (const one of conditions) {
      if (!one.isMet(entry)) continue
      met.set(one.title, (met.get(one.title) ?? 0) + 1)
      // The request has to be logged before its condition changes the sandbox, since changes are logged, too.
      queueMicrotask(() => one.onMet?.())
    }
    const call = `${request.method} ${request.url}`
    const end = outcome.kind === 'response' ? String(outcome.status) : outcome.kind
    if (!/^[123]/.test(end)) broken.set(cut(call, longestCall), end)
    if (decision.code === 'key_banned') counts.isBanned = true
    const isRejected = isLimited(entry)
    if (isRejected) counts.rejected++
    if (isRejected && decision.retryAt !== undefined) {
      const waitMs = Date.parse(decision.retryAt) - Date.parse(at)
      counts.longestWaitMs = Math.max(counts.longestWaitMs, waitMs)
    }
    const text = `${call} ${request.body}`
    if (rejected.has(text)) comebacks.push(receivedMs)
    if (isRejected) rejected.add(text)
    known.set(id, text)
    sent.set(text, (sent.get(text) ?? 0) + 1)
  }
  // From now on the rules are active, and the listener misses nothing.
  await sandbox.findings()
  sandbox.requests.onRequest(see)
  sandbox.requests.onEvent(({ kind }) => {
    // The reset has to be over first.
    if (kind === 'reset' || kind === 'restored') queueMicrotask(() => onReset?.())
  })
  return async (options) => {
    const findings = await sandbox.findings(options)
    return {
      ...counts,
      isParallel: sandbox.resultSoFar()?.isParallel ?? false,
      ...{ met, sent, broken, operations },
      comebacks: comebacks.toSorted((one, other) => one - other),
      findings: findings
        .filter(({ rule }) => !excepted.has(rule))
        .map((finding) => ({
          finding,
          proof: finding.requests.flatMap((id) => known.get(id) ?? []),
        })),
    }
  }
}

/** Collects findings and coverage of a sandbox. */
export async function collectFrom(
  sandbox: Sandbox,
  options: FindingOptions,
): Promise<CoverageFragment> {
  const findings = await sandbox.findings(options)
  const { categories } = await sandbox.coverage()
  return { requests: sandbox.resultSoFar()?.requests ?? 0, findings, categories }
}

/**
 * Starts collecting findings and coverage of all sandboxes of a server, including those that the command creates.
 *
 * @returns A function that returns the results so far.
 */
export async function observeServer(
  { sandbox, pool }: Pick<RunningServer, 'sandbox' | 'pool'>,
  options: FindingOptions,
): Promise<() => Promise<readonly CoverageFragment[]>> {
  const collect = (one: Sandbox): Promise<CoverageFragment> => collectFrom(one, options)
  const living = (): Sandbox[] => [
    sandbox,
    ...pool.names().flatMap((name) => pool.find(name) ?? []),
  ]
  // From now on the rules are active in each sandbox.
  await Promise.all(living().map(collect))
  const deleted: Promise<CoverageFragment>[] = []
  const endCreated = pool.onCreate((created) => void collect(created))
  const endDeleted = pool.onDelete((one) => void deleted.push(collect(one)))
  return async () => {
    endCreated()
    endDeleted()
    return await Promise.all([...deleted, ...living().map(collect)])
  }
}

/** Request whose client left before it had a response. */
export interface AbandonedRequest {
  /** Method and path, such as `GET /v1/pets`. */
  readonly call: string
  readonly waitedMs: number
  /** Whether the client waited until its process ended. */
  readonly isWaitingAtEnd: boolean
}

const channel = 'http.server.request.start'

/** Grace period: a client that disconnects this shortly before its command ends counts as waiting. */
const marginMs = 50

/**
 * Starts watching for requests to a sandbox in this process that get no response, and whether their client has ended.
 *
 * @param path Path of the sandbox, such as `/sandboxes/row-1`.
 * @returns A function that stops watching and returns these requests; its argument is the `performance.now()` at which
 * the command ended or got a signal to end.
 */
export function watchAbandoned(path: string): (endedAt: number) => readonly AbandonedRequest[] {
  /** Waiting requests, with the time at which they began. */
  const waiting = new Map<ServerResponse, { readonly call: string; readonly beganAt: number }>()
  const left: ((endedAt: number) => AbandonedRequest)[] = []
  const listen = (message: unknown): void => {
    const { request, response } = isRecord(message) ? message : {}
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
    const { method = '', url = '' } = request
    if (!url.startsWith(`${path}/`)) return
    const call = `${method} ${url.slice(path.length)}`
    const beganAt = performance.now()
    waiting.set(response, { call, beganAt })
    response.once('close', () => {
      waiting.delete(response)
      if (response.headersSent) return
      const at = performance.now()
      left.push((endedAt) => ({
        call,
        waitedMs: at - beganAt,
        isWaitingAtEnd: at > endedAt - marginMs,
      }))
    })
  }
  subscribe(channel, listen)
  return (endedAt) => {
    unsubscribe(channel, listen)
    const stillWaiting = [...waiting.values()].map(({ call, beganAt }) => {
      return { call, waitedMs: endedAt - beganAt, isWaitingAtEnd: true }
    })
    return [...left.map((one) => one(endedAt)), ...stillWaiting]
  }
}
