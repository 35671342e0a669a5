import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { performance } from 'node:perf_hooks'
import type { Finding, FindingOptions } from '../../checks/audit/finding.ts'
import { quietEnoughMs } from '../../checks/audit/request-relations.ts'
import { isTooEarly, type Wait, waitAfter, waitedBetween } from '../../checks/audit/waits.ts'
import type { CoverageFragment } from '../../checks/coverage/coverage-report.ts'
import { cut } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { isRecord } from '../../mock/input/record.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import { isFreeze, isLimited } from '../../sandbox/conditions.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { RunningServer } from '../../server/start-server.ts'

/** Maximum length of the text of a call that failed. */
const longestCall = 200

/** Maximum number of requests that are compared with the results of a script. */
const maxEntries = 1_000

/** Time before the end of a wait at which a request counts as early, in milliseconds: timers and clocks differ. */
const earlyMs = 100

/** Finding with the texts of the requests that show it. */
export interface ProvedFinding {
  readonly finding: Finding
  readonly proof: readonly string[]
}

/** Request that was sent again before the Retry-After of its rejection had passed. */
interface EarlyRetry {
  readonly call: string
  readonly status: number
  readonly isBan: boolean
  /** Pause between the response and the request, in real milliseconds. */
  readonly pauseMs: number
  /** `Retry-After` of the response, as it was sent. */
  readonly retryAfter: string
  /** Whether it wasn't sent beside the rejected one, as by a client that hedges: two after a wait. */
  readonly isKnowing: boolean
}

/** Requests to a sandbox, by their texts. */
interface SentRequests {
  /** Number of times that each was sent. */
  readonly sent: ReadonlyMap<string, number>
  /** Number of times that each encountered the condition. */
  readonly met: ReadonlyMap<string, number>
  /** Early repetitions of each. */
  readonly early: ReadonlyMap<string, readonly EarlyRetry[]>
}

/** Client's behaviour during a run, as a sandbox has seen it. */
export interface ClientBehaviour {
  /** Requests in the order of their responses. */
  readonly entries: readonly RequestView[]
  readonly requests: number
  /** Number of requests that encountered the condition. */
  readonly met: number
  /** Requests to each sandbox of the run. */
  readonly sandboxes: readonly SentRequests[]
  /** Calls that failed, and how they ended: a status, or what broke. */
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  /** Number of requests rejected for quota, or for a ban. */
  readonly rejected: number
  /** Longest wait that an error response asked for, in milliseconds. */
  readonly longestWaitMs: number
  readonly isBanned: boolean
  readonly findings: readonly ProvedFinding[]
}

/** Options of an observer. */
interface ObserverOptions {
  /** Rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** Returns whether a request has encountered the condition of the run. */
  readonly isMet?: ((entry: RequestView) => boolean) | undefined
  /** Called after such a request. */
  readonly onMet?: (() => void) | undefined
  /** Called after the suite has reset the sandbox. */
  readonly onReset?: () => void
  /** Called after the suite has frozen the clock. */
  readonly onFreeze?: () => void
}

/** Waits that a request was asked for. */
interface Waits {
  readonly open: Wait[]
  /** Whether the client has waited for once. */
  hasWaited: boolean
}

/** Creates the observation of one sandbox's requests. */
function observation({ isMet, onMet }: Pick<ObserverOptions, 'isMet' | 'onMet'>) {
  const counts = {
    ...{ requests: 0, met: 0, rejected: 0, longestWaitMs: 0 },
    isBanned: false,
  }
  const entries: RequestView[] = []
  const sent = new Map<string, number>()
  const met = new Map<string, number>()
  const broken = new Map<string, string>()
  const operations = new Set<OperationName>()
  const early = new Map<string, EarlyRetry[]>()
  /** Texts of requests by id, and the waits that each was asked for. */
  const known = new Map<number, string>()
  const waits = new Map<string, Waits>()
  const see = (entry: RequestView): void => {
    const { id, request, operation, outcome, decision } = entry
    counts.requests++
    if (entries.length < maxEntries) entries.push(entry)
    if (operation !== undefined) operations.add(operation)
    const call = `${request.method} ${request.url}`
    const text = `${call} ${request.body}`
    if (isMet?.(entry)) {
      counts.met++
      met.set(text, (met.get(text) ?? 0) + 1)
      // The request has to be logged before its condition changes the sandbox, since changes are logged, too.
      queueMicrotask(() => onMet?.())
    }
    const end = outcome.kind === 'response' ? String(outcome.status) : outcome.kind
    if (!/^[123]/.test(end)) broken.set(cut(call, longestCall), end)
    if (decision.code === 'key_banned') counts.isBanned = true
    if (isLimited(entry)) counts.rejected++
    const own = waits.get(text) ?? { open: [], hasWaited: false }
    waits.set(text, own)
    const retry = earlyRetry(entry, own)
    if (retry !== undefined) early.set(text, [...(early.get(text) ?? []), retry])
    const wait = outcome.kind === 'response' ? waitAfter(entry) : undefined
    if (wait !== undefined) {
      own.open.push(wait)
      counts.longestWaitMs = Math.max(counts.longestWaitMs, wait.ms)
    }
    known.set(id, text)
    sent.set(text, (sent.get(text) ?? 0) + 1)
  }
  const sandboxes = [{ sent, met, early }]
  return { see, known, result: () => ({ ...counts, entries, sandboxes, broken, operations }) }
}

/** Adds to findings that count the texts of their requests. */
function provedBy(
  known: ReadonlyMap<number, string>,
  findings: readonly Finding[],
  excepted: ReadonlySet<string>,
): readonly ProvedFinding[] {
  return findings
    .filter(({ rule }) => !excepted.has(rule))
    .map((finding) => ({
      finding,
      proof: finding.requests.flatMap((id) => known.get(id) ?? []),
    }))
}

/** Requests to a sandbox in one of a command's own processes, in the order of their responses, and all findings. */
export interface SandboxLog {
  readonly entries: readonly RequestView[]
  readonly findings: readonly Finding[]
}

/**
 * Adds what sandboxes in a command's own processes recorded. Their entries aren't compared with results, since ids
 * begin anew in each.
 */
export function withOwnSandboxes(
  seen: ClientBehaviour,
  runs: readonly { readonly logs: readonly SandboxLog[] }[],
  { excepted, isMet }: Pick<ObserverOptions, 'excepted' | 'isMet'>,
): ClientBehaviour {
  const own = runs.flatMap(({ logs }) =>
    logs.map(({ entries, findings }) => {
      const { see, known, result } = observation({ isMet })
      for (const entry of entries) see(entry)
      return { ...result(), findings: provedBy(known, findings, excepted) }
    }),
  )
  const all = [seen, ...own]
  const sum = (of: (one: (typeof all)[number]) => number): number =>
    all.reduce((total, one) => total + of(one), 0)
  return {
    ...seen,
    sandboxes: all.flatMap(({ sandboxes }) => sandboxes),
    requests: sum(({ requests }) => requests),
    met: sum(({ met }) => met),
    rejected: sum(({ rejected }) => rejected),
    longestWaitMs: Math.max(...all.map(({ longestWaitMs }) => longestWaitMs)),
    isBanned: all.some(({ isBanned }) => isBanned),
    broken: new Map(all.flatMap(({ broken }) => [...broken])),
    operations: new Set(all.flatMap(({ operations }) => [...operations])),
    findings: all.flatMap((one) => one.findings),
  }
}

/**
 * Starts watching the client of a sandbox, across resets.
 *
 * @returns A function that returns the results so far.
 */
export async function observeRun(
  sandbox: Sandbox,
  { excepted, isMet, onMet, onReset, onFreeze }: ObserverOptions,
): Promise<(options: FindingOptions) => Promise<ClientBehaviour>> {
  const { see, known, result } = observation({ isMet, onMet })
  // From now on the rules are active, and the listener misses nothing.
  await sandbox.findings()
  sandbox.requests.onRequest(see)
  sandbox.requests.onEvent((event) => {
    const isReset = event.kind === 'reset' || event.kind === 'restored'
    const react = isReset ? onReset : isFreeze(event, sandbox) ? onFreeze : undefined
    // The change has to be over first.
    if (react !== undefined) queueMicrotask(react)
  })
  return async (options) => {
    const findings = await sandbox.findings(options)
    return {
      ...result(),
      findings: provedBy(known, findings, excepted),
    }
  }
}

/**
 * Returns how early a request was sent; `undefined` if no wait is open, or one of them has passed, which this request
 * then ends.
 *
 * @param waits Waits of the same request.
 */
function earlyRetry(next: RequestView, waits: Waits): EarlyRetry | undefined {
  const { open, hasWaited } = waits
  const before = open.filter(({ rejection: { sequence } }) => {
    return (sequence.end ?? next.sequence.start) < next.sequence.start
  })
  const passed = before.find((wait) => !isTooEarly(wait, next, earlyMs))
  if (passed !== undefined) {
    open.splice(open.indexOf(passed), 1)
    waits.hasWaited = true
    return undefined
  }
  const latest = before.at(-1)
  if (latest === undefined) return undefined
  const { outcome, decision } = latest.rejection
  const pauseMs = waitedBetween(latest.rejection, next)
  return {
    call: `${next.request.method} ${next.request.url}`,
    status: 'status' in outcome ? outcome.status : 0,
    isBan: decision.code === 'key_banned',
    pauseMs,
    retryAfter: 'headers' in outcome ? (outcome.headers['retry-after'] ?? '') : '',
    isKnowing: !hasWaited || pauseMs >= quietEnoughMs,
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
  /** Whether the client still waited when the command ended, or was ended. */
  readonly isOpen: boolean
}

const channel = 'http.server.request.start'

/**
 * Starts watching for requests to a sandbox in this process that get no response.
 *
 * @param path Path of the sandbox, such as `/sandboxes/row-1`.
 * @returns A function that stops watching and returns these requests; its argument is the `performance.now()` at which
 * the command ended or got a signal to end.
 */
export function watchAbandoned(path: string): (endedAt: number) => readonly AbandonedRequest[] {
  const requests: { readonly call: string; readonly beganAt: number; leftAt: number }[] = []
  const listen = (message: unknown): void => {
    const { request, response } = isRecord(message) ? message : {}
    if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
    const { method = '', url = '' } = request
    if (!url.startsWith(`${path}/`)) return
    const call = `${method} ${url.slice(path.length)}`
    const one = { call, beganAt: performance.now(), leftAt: Number.POSITIVE_INFINITY }
    requests.push(one)
    response.once('close', () => {
      if (response.headersSent) requests.splice(requests.indexOf(one), 1)
      else one.leftAt = performance.now()
    })
  }
  subscribe(channel, listen)
  return (endedAt) => {
    unsubscribe(channel, listen)
    return requests.map(({ call, beganAt, leftAt }) => ({
      call,
      waitedMs: Math.min(leftAt, endedAt) - beganAt,
      isOpen: leftAt > endedAt,
    }))
  }
}
