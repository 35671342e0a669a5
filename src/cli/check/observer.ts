import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { Finding, FindingOptions } from '../../checks/audit/finding.ts'
import type { CoverageFragment } from '../../checks/coverage/coverage-report.ts'
import { cut } from '../../checks/reports/text.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { Sandbox } from '../../mock/sandbox.ts'
import type { OperationName } from '../../mock/spec/endpoints.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { isLimited } from './conditions.ts'

/** How long the texts of calls that were not served may be. */
const longestCall = 200

/** A finding, and the texts of the requests that prove it. */
export interface ProvedFinding {
  readonly finding: Finding
  readonly proof: readonly string[]
}

/** What a sandbox has seen of a client during a run. */
export interface RunResult {
  readonly requests: number
  /** Number of requests that met each condition that was watched, by its title. */
  readonly met: ReadonlyMap<string, number>
  /** How often each request came, by its text. */
  readonly sent: ReadonlyMap<string, number>
  /** The calls that were not served, and how they ended: a status, or what broke. */
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  /** Whether a page of another origin sent a request. */
  readonly isOfPage: boolean
  /** How many requests were refused for quota, or for a ban. */
  readonly refused: number
  /** Longest time that a refusal asked the client to wait, in milliseconds. */
  readonly longestWaitMs: number
  readonly isBanned: boolean
  /** Whether two requests were under way at the same time. */
  readonly isParallel: boolean
  /** When requests that had been refused for quota came again, in real milliseconds, in their order. */
  readonly comebacks: readonly number[]
  readonly findings: readonly ProvedFinding[]
}

/** A condition to watch for. */
export interface WatchedCondition {
  readonly title: string
  /** Returns whether a request has met it. */
  isMet(exchange: RequestView): boolean
  /** Is called after such a request. */
  onMet?(): void
}

/** What an observer looks out for. */
export interface RuleState {
  /** The rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** The conditions of the run. */
  readonly conditions?: readonly WatchedCondition[]
  /** Is called after the suite has reset the sandbox. */
  readonly onReset?: () => void
}

/**
 * Begins to watch what a client does at a sandbox, across resets.
 *
 * @returns What says what it has seen so far.
 */
export async function observeRun(
  sandbox: Sandbox,
  { excepted, conditions = [], onReset }: RuleState,
): Promise<(options: FindingOptions) => Promise<RunResult>> {
  const counts = {
    ...{ requests: 0, refused: 0, longestWaitMs: 0 },
    isBanned: false,
    isOfPage: false,
  }
  const met = new Map(conditions.map(({ title }) => [title, 0]))
  const sent = new Map<string, number>()
  const broken = new Map<string, string>()
  const operations = new Set<OperationName>()
  const comebacks: number[] = []
  /** The texts of the requests by id, and of those that were refused. */
  const known = new Map<number, string>()
  const refused = new Set<string>()
  const see = (exchange: RequestView): void => {
    const { id, at, request, operation, outcome, decision, receivedMs } = exchange
    counts.requests++
    if (operation !== undefined) operations.add(operation)
    if (request.headers.origin !== undefined) counts.isOfPage = true
    for (const one of conditions) {
      if (!one.isMet(exchange)) continue
      met.set(one.title, (met.get(one.title) ?? 0) + 1)
      // The exchange has to be in the journal first, since what follows may leave a mark.
      queueMicrotask(() => one.onMet?.())
    }
    const call = `${request.method} ${request.url}`
    const end = outcome.kind === 'reply' ? String(outcome.status) : outcome.kind
    if (!/^[123]/.test(end)) broken.set(cut(call, longestCall), end)
    if (decision.code === 'key_banned') counts.isBanned = true
    const isRefused = isLimited(exchange)
    if (isRefused) counts.refused++
    if (isRefused && decision.retryAt !== undefined) {
      const waitMs = Date.parse(decision.retryAt) - Date.parse(at)
      counts.longestWaitMs = Math.max(counts.longestWaitMs, waitMs)
    }
    const text = `${call} ${request.body}`
    if (refused.has(text)) comebacks.push(receivedMs)
    if (isRefused) refused.add(text)
    known.set(id, text)
    sent.set(text, (sent.get(text) ?? 0) + 1)
  }
  // From now on the rules are there, and a listener misses nothing.
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
  const { tiers } = await sandbox.coverage()
  return { requests: sandbox.resultSoFar()?.requests ?? 0, findings, tiers }
}

/**
 * Begins to collect findings and coverage of all sandboxes of a server, including those that the command creates.
 *
 * @returns A function that returns what was collected so far.
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
  // From now on each has rules to judge by.
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

/**
 * Begins to watch which requests to a sandbox in this process are left unanswered, and whether their client has ended.
 *
 * @param path Of the sandbox, such as `/sandboxes/row-1`.
 * @returns What stops that, and says which they were; it gets when the command ended or was told to, as
 * `performance.now()` has it.
 */
export function watchUnanswered(path: string): (endedAt: number) => readonly UnansweredRequest[] {
  /** When those that wait have begun. */
  const waiting = new Map<ServerResponse, { readonly call: string; readonly beganAt: number }>()
  const left: ((endedAt: number) => UnansweredRequest)[] = []
  const listen = (message: unknown): void => {
    const { request, response } = isRecord(message) ? message : {}
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
    const { method = '', url = '', socket } = request
    if (!url.startsWith(`${path}/`)) return
    const call = `${method} ${url.slice(path.length)}`
    const beganAt = performance.now()
    waiting.set(response, { call, beganAt })
    let client: number | undefined
    const lookUp = setTimeout(() => {
      client = peerOf(socket)
    }, lookUpAfterMs)
    response.once('close', () => {
      clearTimeout(lookUp)
      waiting.delete(response)
      if (response.headersSent) return
      const at = performance.now()
      const hasEnded = client === undefined ? undefined : hasLostMemory(client)
      left.push((endedAt) => ({
        call,
        waitedMs: at - beganAt,
        // A client that wasn't found may have left just before its command ended.
        isWaitingAtEnd: (hasEnded ?? at > endedAt - marginMs) || at > endedAt,
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
