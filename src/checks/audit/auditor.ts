import type { LateBetween } from '../../mock/api/real-time.ts'
import { rejectionUnder } from '../../mock/engine/admit.ts'
import { Listeners } from '../../mock/log/listeners.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { SandboxEvent } from '../../mock/log/request-log.ts'
import {
  harmlessChanges,
  type StateChange,
  type StateChangeKind,
} from '../../mock/log/request-view.ts'
import { outcomeBytes, requestBytes } from '../../mock/log/shared-memory.ts'
import type { State } from '../../mock/state/state.ts'
import { Client, KeyUse } from './client-history.ts'
import { AllClients, RequestFacts } from './facts.ts'
import { type Finding, type ReadAuditOptions, severities } from './finding.ts'
import type { Found, Rule, RuleState, SandboxFacts } from './rule.ts'
import { type RuleName, ruleNames, rules } from './rules.ts'

/**
 * Maximum number of findings per rule between two resets: only the first ones are kept, so one noisy rule can't crowd
 * out others.
 */
const maxPerRule = 100

/** Maximum number of findings per rule across all resets. */
const maxPerRuleInAll = 1_000

/** Maximum number of clients tracked; the oldest is evicted first. */
const keptClients = 500

/** Number of requests kept in full, since their clients may still disconnect. */
const keptWhole = 200

/** Maximum size of these requests, in bytes. */
const keptBytes = 4_194_304

/** Reason text for findings downgraded to `info` because the key may be shared by several clients. */
const doubtOfConnections =
  'the requests came over several connections of a key that has had requests under way at the same time; if a single client uses the key, say so with oneClient: true in code'

/** Reason text for findings downgraded to `info` because the client may run several tasks in parallel. */
const doubtOfTasks = 'the client has had several requests under way: '

/** State changes after which request ids may start again. */
const beginnings: ReadonlySet<StateChangeKind> = new Set(['reset', 'restored'])

const table: Readonly<Record<RuleName, Rule>> = rules

/** Findings about the clients of a sandbox. */
export interface AuditResult {
  readonly findings: readonly Finding[]
  /** Number of requests checked. */
  readonly requests: number
  /** Whether any key has had several requests in flight at once; absent from a report that was parsed. */
  readonly isParallel?: boolean
}

/** A rule's finding, on the assumption that its requests are one client's. */
interface Result {
  readonly finding: Finding
  /** Whether the finding also holds if each connection is another client. */
  readonly isSureApart: boolean
  /**
   * Harmless behaviour of two parallel tasks that looks the same; `undefined` if the finding holds despite parallel
   * tasks.
   */
  readonly needsOneTask: string | undefined
}

/** A rule's finding for one request: with its key as one client, and with its connection as one client. */
interface Kept {
  readonly rule: RuleName
  readonly clientNumber: number
  /** Number of resets and restores before the finding. */
  readonly resets: number
  ofKey: Result | undefined
  ofConnection: Result | undefined
  isEmitted: boolean
}

/** Maximum number of keys whose usage is tracked. */
const keptKeys = 1_000

interface RuleFinding {
  readonly rule: RuleName
  readonly found: Found
}

function bytesOf({ logged }: RequestFacts): number {
  return requestBytes(logged.request) + outcomeBytes(logged.outcome)
}

/** Rules that run over the same clients: one client per key, or one per connection. */
class RuleSet {
  /** Latest requests, kept in full. */
  readonly #recent: RequestFacts[] = []
  #recentBytes = 0
  readonly #rules: readonly RuleName[]
  readonly #all = new AllClients()
  /** Clients by key, or by key and connection. */
  readonly #clients = new Map<
    string | number,
    { readonly client: Client; watches: Map<RuleName, RuleState> }
  >()

  constructor(names: readonly RuleName[]) {
    this.#rules = names
  }

  /**
   * Runs each rule on a request.
   *
   * @param from Identifies the client: its key, or its key and connection.
   */
  see(
    logged: LoggedRequest,
    from: string | number,
    keyUse: KeyUse,
    sandbox: SandboxFacts,
  ): RuleFinding[] {
    const { client, watches } = this.#clientOf(from, keyUse, logged)
    client.keyUse = keyUse
    const ms = client.arrive(logged)
    const received = logged.receivedUs / 1000
    const lateMs = client.isInProcess ? 0 : sandbox.lateBetween(received - ms, received)
    const next = new RequestFacts(client, logged, { ms, lateMs })
    client.begin(next)
    const all: RuleFinding[] = []
    for (const [rule, watch] of watches) {
      const found = watch(next, sandbox)
      if (found === undefined) continue
      all.push({ rule, found })
      if (table[rule].oncePerClient) watches.delete(rule)
    }
    client.keep(next)
    this.#recent.push(next)
    this.#recentBytes += bytesOf(next)
    while (this.#recent.length > keptWhole || this.#recentBytes > keptBytes) this.#settleOldest()
    return all
  }

  #settleOldest(): void {
    const oldest = this.#recent.shift()
    if (oldest === undefined) return
    this.#recentBytes -= bytesOf(oldest)
    oldest.settle()
  }

  /** Clears facts invalidated by a state change. */
  forget(): void {
    this.#all.forget()
    for (const { client, watches } of this.#clients.values()) {
      client.forget()
      for (const rule of watches.keys()) {
        if (!table[rule].survivesReset) watches.set(rule, table[rule].createState())
      }
    }
  }

  /** Lets rules that report once per client report again. */
  beginAnew(): void {
    for (const known of this.#clients.values()) known.watches = this.#beginWatches()
  }

  #beginWatches(): Map<RuleName, RuleState> {
    return new Map(this.#rules.map((rule) => [rule, table[rule].createState()]))
  }

  #clientOf(
    from: string | number,
    keyUse: KeyUse,
    { client: clientNumber, adapter }: LoggedRequest,
  ) {
    const known = this.#clients.get(from)
    if (known !== undefined) return known
    const client = new Client(keyUse, clientNumber, adapter, this.#all)
    const begun = { client, watches: this.#beginWatches() }
    this.#clients.set(from, begun)
    if (this.#clients.size > keptClients) {
      const [first = from] = this.#clients.keys()
      this.#clients.delete(first)
    }
    return begun
  }
}

/** Audits the clients of a sandbox: receives each request and each state change once, and keeps the findings. */
export class Auditor {
  readonly #sandbox: Omit<SandboxFacts, 'isLive'>
  readonly #hide: (text: string) => string
  /** Treats each connection as a client. */
  readonly #byConnection = new RuleSet(ruleNames.filter((rule) => table[rule].requiresWarning))
  /** Treats each key as a client. */
  readonly #byKey = new RuleSet(ruleNames)
  readonly #kept: Kept[] = []
  readonly #counts = new Map<string, { sinceReset: number; inAll: number }>()
  /** Findings since the latest state change, by rule and last request. */
  readonly #known = new Map<string, Kept>()
  readonly #keys = new Map<number, KeyUse>()
  /** Highest number of an evicted key; numbers are assigned in ascending order. */
  #lastForgotten = 0
  readonly #listeners = new Listeners<Finding>()
  #checked = 0
  #resets = 0
  /** Name of the running test, if tests are announced. */
  #test: string | undefined
  #isTested = false
  /** Whether the clock was moved since the latest reset. */
  #isClockMoved = false
  /** Position of the latest state change in the sequence. */
  #changedOrder = 0

  /** @param hide Abbreviates the keys in a text, which may quote a request. */
  constructor(sandbox: Omit<SandboxFacts, 'isLive'>, hide: (text: string) => string) {
    this.#sandbox = sandbox
    this.#hide = hide
  }

  /** Audits a request or a state change, based on what came before it. */
  record(event: SandboxEvent): void {
    if ('mark' in event) this.#mark(event.mark)
    else this.#see(event)
  }

  #see(seen: LoggedRequest): void {
    const { client: clientNumber, connection } = seen
    this.#checked++
    const keyUse = this.#keyUseOf(clientNumber)
    keyUse.arrive(seen)
    const isLive = !this.#isTested && !this.#isClockMoved
    const sandbox = { ...this.#sandbox, isLive }
    const ofKey = this.#byKey.see(seen, clientNumber, keyUse, sandbox)
    for (const one of ofKey) this.#keep(one, 'ofKey')
    if (connection !== undefined) {
      const from = `${clientNumber} ${connection}`
      const ofConnection = this.#byConnection.see(seen, from, keyUse, sandbox)
      for (const one of ofConnection) this.#keep(one, 'ofConnection')
    }
    if (this.#listeners.size > 0) this.#emitNew()
    // A request that started before a state change proves nothing about the requests after it.
    if (seen.startOrder < this.#changedOrder) this.#forget()
  }

  #keyUseOf(clientNumber: number): KeyUse {
    const known = this.#keys.get(clientNumber)
    if (known !== undefined) return known
    const begun = new KeyUse()
    // Its earlier requests are forgotten, and may have overlapped.
    if (clientNumber <= this.#lastForgotten) begun.isParallel = true
    this.#keys.set(clientNumber, begun)
    if (this.#keys.size > keptKeys) {
      const [first = 0] = this.#keys.keys()
      this.#keys.delete(first)
      this.#lastForgotten = Math.max(this.#lastForgotten, first)
    }
    return begun
  }

  /** Records a test's start or end, and clears facts that the state change invalidates. */
  #mark({ kind, sequence, name }: StateChange): void {
    if (kind === 'test-started' || kind === 'test-ended') {
      this.#test = name
      this.#isTested = kind === 'test-started'
    }
    if (kind === 'clock-moved' || kind === 'clock-set-back') this.#isClockMoved = true
    if (beginnings.has(kind)) this.#isClockMoved = false
    if (harmlessChanges.has(kind)) return
    this.#changedOrder = sequence
    this.#forget()
    // Request ids may start again.
    this.#known.clear()
    if (beginnings.has(kind)) this.#beginAnew()
  }

  /** Allows the same findings again after a reset, apart from the earlier ones. */
  #beginAnew(): void {
    this.#resets++
    for (const count of this.#counts.values()) count.sinceReset = 0
    this.#byConnection.beginAnew()
    this.#byKey.beginAnew()
  }

  #forget(): void {
    this.#byConnection.forget()
    this.#byKey.forget()
  }

  /** Returns the findings in the order of detection. */
  findings(options: ReadAuditOptions): Finding[] {
    const kept = options.oneClient ? this.#withoutEchoes() : this.#kept
    return kept.flatMap((one) => this.#shown(one, options) ?? [])
  }

  /** Returns a finding, adjusted to the known usage of its key; `undefined` if it doesn't hold. */
  #shown(kept: Kept, { oneClient }: ReadAuditOptions): Finding | undefined {
    const { ofKey, ofConnection, resets, clientNumber } = kept
    const isParallel = oneClient === false || this.#isParallel(clientNumber)
    const proved = oneClient ? this.#worst(kept) : (ofConnection ?? ofKey)
    const found = isParallel ? proved : ofKey
    if (found === undefined) return undefined
    const { finding, isSureApart, needsOneTask } = found
    const isOfTasks = isParallel && needsOneTask !== undefined
    const isApart = isParallel && !oneClient && !isSureApart
    return {
      ...finding,
      severity: isOfTasks || isApart ? 'info' : finding.severity,
      advice: [
        finding.advice,
        ...(isOfTasks ? [doubtText(doubtOfTasks + needsOneTask)] : []),
        ...(isApart ? [doubtText(doubtOfConnections)] : []),
      ].join(' '),
      ...(resets < this.#resets ? { beforeReset: true } : {}),
    }
  }

  /** Returns whether a key has ever had two requests in flight; `true` if its usage is no longer known. */
  #isParallel(clientNumber: number): boolean {
    return this.#keys.get(clientNumber)?.isParallel ?? true
  }

  /** Drops a connection's finding if its key has a finding of the same rule that is at least as severe. */
  #withoutEchoes(): Kept[] {
    const ranks = new Map<string, number>()
    for (const { rule, clientNumber, ofKey } of this.#kept) {
      const client = `${rule} ${clientNumber}`
      if (ofKey === undefined) continue
      ranks.set(client, Math.min(this.#rankOf(ofKey, clientNumber), ranks.get(client) ?? 9))
    }
    return this.#kept.filter(({ rule, clientNumber, ofKey, ofConnection }) => {
      if (ofKey !== undefined || ofConnection === undefined) return true
      return this.#rankOf(ofConnection, clientNumber) < (ranks.get(`${rule} ${clientNumber}`) ?? 9)
    })
  }

  #worst({ ofKey, ofConnection, clientNumber }: Kept): Result | undefined {
    if (ofKey === undefined || ofConnection === undefined) return ofKey ?? ofConnection
    const isWorse = this.#rankOf(ofConnection, clientNumber) < this.#rankOf(ofKey, clientNumber)
    return isWorse ? ofConnection : ofKey
  }

  /** Returns the place of a result's severity, as far as it holds: lower is worse. */
  #rankOf({ finding, needsOneTask }: Result, clientNumber: number): number {
    const isOfTasks = needsOneTask !== undefined && this.#isParallel(clientNumber)
    return severities.indexOf(isOfTasks ? 'info' : finding.severity)
  }

  /** Returns the result so far. */
  result(): AuditResult {
    const findings = this.findings({ oneClient: undefined })
    const isParallel = [...this.#keys.values()].some((key) => key.isParallel)
    return { findings, requests: this.#checked, isParallel }
  }

  /** Calls a listener with each new finding; returns a function that removes the listener. */
  subscribe(listener: (finding: Finding) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Sends listeners the findings that hold now and weren't sent before. */
  #emitNew(): void {
    for (const kept of this.#kept) {
      const finding = kept.isEmitted ? undefined : this.#shown(kept, { oneClient: undefined })
      if (finding === undefined) continue
      kept.isEmitted = true
      this.#listeners.emit(finding)
    }
  }

  /** Keeps a finding unless its rule has reached its limit. */
  #keep(one: RuleFinding, of: 'ofKey' | 'ofConnection'): void {
    const counted = `${one.rule} ${of}`
    const { sinceReset, inAll } = this.#counts.get(counted) ?? { sinceReset: 0, inAll: 0 }
    if (sinceReset >= maxPerRule || inAll >= maxPerRuleInAll) return
    this.#counts.set(counted, { sinceReset: sinceReset + 1, inAll: inAll + 1 })
    this.#entryFor(one)[of] ??= this.#proved(one)
  }

  #entryFor({ rule, found }: RuleFinding): Kept {
    const name = `${rule} ${found.requests.at(-1)?.logged.id}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const clientNumber = found.requests[0]?.client.number ?? 0
    const none = {
      ofKey: undefined,
      ofConnection: undefined,
      isEmitted: this.#listeners.size === 0,
    }
    const begun: Kept = { rule, clientNumber, resets: this.#resets, ...none }
    this.#known.set(name, begun)
    this.#kept.push(begun)
    return begun
  }

  #proved({ rule, found }: RuleFinding): Result {
    const { severity, advice, source, requiresWarning } = table[rule]
    const { caveat } = found
    const [first, ...others] = found.requests
    const isOfOne = others.every(({ logged }) => logged.connection === first?.logged.connection)
    return {
      finding: {
        rule,
        severity: found.severity ?? (caveat === undefined ? severity : 'info'),
        message: this.#hide(found.message),
        advice: found.advice ?? (caveat === undefined ? advice : `${advice} ${doubtText(caveat)}`),
        source,
        client: first?.client.number ?? 0,
        requests: found.requests.map(({ logged }) => logged.id),
        ...(this.#test === undefined ? {} : { test: this.#test }),
      },
      needsOneTask: found.needsOneTask ?? table[rule].needsOneTask,
      isSureApart: isOfOne || !(requiresWarning || found.needsOneClient === true),
    }
  }
}

function doubtText(doubt: string): string {
  return `This is for information only, since ${doubt}.`
}

/** Creates the auditor of a sandbox. */
export function createAuditor(state: () => State, lateBetween: LateBetween = () => 0): Auditor {
  const sandbox: Omit<SandboxFacts, 'isLive'> = {
    lateBetween,
    limitsOf: (key) => state().keys.find(key)?.limits,
    rejectionUnder: (request, gaps, at) => rejectionUnder(request, { ...state(), gaps }, at),
  }
  return new Auditor(sandbox, (text) => state().keys.hideIn(text))
}
