import { refusalUnder } from '../../mock/engine/admit.ts'
import { Listeners } from '../../mock/log/listeners.ts'
import type { LoggedRequest } from '../../mock/log/logged-request.ts'
import type { SandboxEvent } from '../../mock/log/request-log.ts'
import type { StateChange, StateChangeKind } from '../../mock/log/request-view.ts'
import { Breaks, type LateBetween } from '../../mock/spec/real-time.ts'
import type { State } from '../../mock/state/state.ts'
import { Client, KeyUse } from './client-history.ts'
import { AllClients, RequestFacts } from './facts.ts'
import { type Finding, type ReadAuditOptions, severities } from './finding.ts'
import type { Found, Rule, RuleState, SandboxFacts } from './rule.ts'
import { type RuleName, ruleNames, rules } from './rules.ts'

/** How many findings of each rule are kept between two resets, the first ones: none can keep another from being seen. */
const mostPerRule = 100

/** How many findings of each rule are kept in all, over however many resets. */
const mostPerRuleInAll = 1_000

/** How many clients are told apart; the one that came first is forgotten first. */
const keptClients = 500

/** Number of requests that are kept as the log has them, since their clients may still leave. */
const keptWhole = 200

/** The marks over which a verdict still holds: what moves the clock on is only time. */
const harmless: ReadonlySet<StateChangeKind> = new Set(['clock-moved', 'clock-mode'])

/** Why a finding is for information only that holds only if a key is one client's. */
const doubtOfConnections =
  'the requests came over several connections of a key that has had requests under way at the same time; if a single client uses the key, say so with --one-client, or oneClient: true in code'

/** Why a finding is for information only that holds only of a client that does one thing after the other. */
const doubtOfTasks = 'the client has had several requests under way: '

/** The marks after which the ids of exchanges may begin anew. */
const beginnings: ReadonlySet<StateChangeKind> = new Set(['reset', 'restored'])

const table: Readonly<Record<RuleName, Rule>> = rules

/** What came of judging clients. */
export interface AuditResult {
  readonly findings: readonly Finding[]
  /** How many exchanges were judged. */
  readonly requests: number
  /** Whether any key has had several requests under way at once; absent from a report that was read. */
  readonly isParallel?: boolean
}

/** What a rule has found, as it stands where its requests are one client's. */
interface Result {
  readonly finding: Finding
  /** Whether it holds where each connection may be another client. */
  readonly isSureApart: boolean
  /** What two tasks of a client may do without being wrong; `undefined` if it holds of several tasks, too. */
  readonly needsOneTask: string | undefined
}

/** What a rule has found of an exchange: of a key as one client, and of a connection by itself. */
interface Kept {
  readonly rule: RuleName
  readonly caller: number
  /** How often the sandbox had been reset or restored. */
  readonly resets: number
  ofKey: Result | undefined
  ofConnection: Result | undefined
  isTold: boolean
}

/** How many keys are kept of which it is known how they are used. */
const keptKeys = 1_000

/** What a rule has found. */
interface RuleFinding {
  readonly rule: RuleName
  readonly found: Found
}

/** Rules that judge the same clients. */
class RuleSet {
  /** Its latest requests. */
  readonly #recent: RequestFacts[] = []
  readonly #rules: readonly RuleName[]
  readonly #all = new AllClients()
  /** By key, or by key and connection. */
  readonly #clients = new Map<
    string | number,
    { readonly client: Client; watches: Map<RuleName, RuleState> }
  >()

  constructor(names: readonly RuleName[]) {
    this.#rules = names
  }

  /**
   * Has each rule judge an exchange.
   *
   * @param from What tells its client from others.
   */
  see(
    exchange: LoggedRequest,
    from: string | number,
    keyUse: KeyUse,
    sandbox: SandboxFacts,
  ): RuleFinding[] {
    const { client, watches } = this.#clientOf(from, keyUse, exchange)
    client.keyUse = keyUse
    const ms = client.arrive(exchange)
    const received = exchange.receivedUs / 1000
    const lateMs = client.isInProcess ? 0 : sandbox.lateBetween(received - ms, received)
    const next = new RequestFacts(client, exchange, { ms, lateMs })
    this.#recent.push(next)
    if (this.#recent.length > keptWhole) this.#recent.shift()?.settle()
    client.begin(next)
    const all: RuleFinding[] = []
    for (const [rule, watch] of watches) {
      const found = watch(next, exchange, sandbox)
      if (found === undefined) continue
      all.push({ rule, found })
      if (table[rule].oncePerClient) watches.delete(rule)
    }
    client.keep(next, exchange)
    return all
  }

  /** Concludes nothing any more from what it has seen, since the world has changed. */
  forget(): void {
    this.#all.forget()
    for (const { client, watches } of this.#clients.values()) {
      client.forget()
      for (const rule of watches.keys()) {
        if (!table[rule].survivesReset) watches.set(rule, table[rule].createState())
      }
    }
  }

  /** Finds again what is found once of a client. */
  beginAnew(): void {
    for (const known of this.#clients.values()) known.watches = this.#beginWatches()
  }

  #beginWatches(): Map<RuleName, RuleState> {
    return new Map(this.#rules.map((rule) => [rule, table[rule].createState()]))
  }

  #clientOf(from: string | number, keyUse: KeyUse, { caller, adapter }: LoggedRequest) {
    const known = this.#clients.get(from)
    if (known !== undefined) return known
    const client = new Client(keyUse, caller, adapter, this.#all)
    const begun = { client, watches: this.#beginWatches() }
    this.#clients.set(from, begun)
    if (this.#clients.size > keptClients) {
      const [first = from] = this.#clients.keys()
      this.#clients.delete(first)
    }
    return begun
  }
}

/** Judges the clients of a sandbox: is told of each exchange and each mark once, and keeps what it has found. */
export class Auditor {
  readonly #sandbox: SandboxFacts
  readonly #hide: (text: string) => string
  /** Each connection is a client. */
  readonly #byConnection = new RuleSet(ruleNames.filter((rule) => table[rule].requiresWarning))
  /** Each key is a client. */
  readonly #byKey = new RuleSet(ruleNames)
  readonly #kept: Kept[] = []
  readonly #counts = new Map<string, { sinceReset: number; inAll: number }>()
  /** The findings since the last mark, by rule and last exchange. */
  readonly #known = new Map<string, Kept>()
  readonly #keys = new Map<number, KeyUse>()
  /** The last key of which it isn't known any more how it was used; they are counted up. */
  #lastForgotten = 0
  readonly #listeners = new Listeners<Finding>()
  #judged = 0
  #resets = 0
  /** The name of the test that is running, if one was announced. */
  #test: string | undefined
  /** Where the latest change of the world stands in the sequence. */
  #changedOrder = 0

  /** @param hide Abbreviates the keys in a text, which may quote what a client sent. */
  constructor(sandbox: SandboxFacts, hide: (text: string) => string) {
    this.#sandbox = sandbox
    this.#hide = hide
  }

  /** Judges what has happened by what happened before. */
  record(event: SandboxEvent): void {
    if ('mark' in event) this.#mark(event.mark)
    else this.#see(event)
  }

  /** Judges in order what has happened, and yields to the event loop, which may add to it. */
  async recordAll(waiting: SandboxEvent[]): Promise<void> {
    const breaks = new Breaks()
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      this.record(next)
      await breaks.take()
    }
  }

  #see(seen: LoggedRequest): void {
    const { caller, connection } = seen
    this.#judged++
    const keyUse = this.#keyUseOf(caller)
    keyUse.arrive(seen)
    const ofKey = this.#byKey.see(seen, caller, keyUse, this.#sandbox)
    for (const one of ofKey) this.#keep(one, 'ofKey')
    if (connection !== undefined) {
      const from = `${caller} ${connection}`
      const ofConnection = this.#byConnection.see(seen, from, keyUse, this.#sandbox)
      for (const one of ofConnection) this.#keep(one, 'ofConnection')
    }
    if (this.#listeners.size > 0) this.#tellNews()
    // What began in another world says nothing of what comes next in this one.
    if (seen.startOrder < this.#changedOrder) this.#forget()
  }

  #keyUseOf(caller: number): KeyUse {
    const known = this.#keys.get(caller)
    if (known !== undefined) return known
    const begun = new KeyUse()
    // Its earlier requests may be forgotten.
    if (caller <= this.#lastForgotten) begun.isParallel = true
    this.#keys.set(caller, begun)
    if (this.#keys.size > keptKeys) {
      const [first = 0] = this.#keys.keys()
      this.#keys.delete(first)
      this.#lastForgotten = Math.max(this.#lastForgotten, first)
    }
    return begun
  }

  /** Concludes nothing across a change of the world. */
  #mark({ kind, order, name }: StateChange): void {
    if (kind === 'test-started') this.#test = name
    if (kind === 'test-ended') this.#test = undefined
    if (harmless.has(kind)) return
    this.#changedOrder = order
    this.#forget()
    // The ids of exchanges may begin anew.
    this.#known.clear()
    if (beginnings.has(kind)) this.#beginAnew()
  }

  /** Reports what is done again after a reset, apart from what was done before. */
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

  /** The findings, in the order in which they were proved. */
  findings(options: ReadAuditOptions): Finding[] {
    const kept = options.oneClient ? this.#withoutEchoes() : this.#kept
    return kept.flatMap((one) => this.#shown(one, options) ?? [])
  }

  /** A finding, as far as it holds by what is known now of how its key is used. */
  #shown(kept: Kept, { oneClient }: ReadAuditOptions): Finding | undefined {
    const { ofKey, ofConnection, resets, caller } = kept
    const isParallel = oneClient === false || this.#isParallel(caller)
    const proved = oneClient ? worst(ofKey, ofConnection) : (ofConnection ?? ofKey)
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

  /** Whether a key has ever had two requests under way, as far as is known. */
  #isParallel(caller: number): boolean {
    return this.#keys.get(caller)?.isParallel ?? true
  }

  /** Leaves out what is found on a connection by itself if its key is known to do it, and at least as surely. */
  #withoutEchoes(): Kept[] {
    const ranks = new Map<string, number>()
    for (const { rule, caller, ofKey } of this.#kept) {
      const client = `${rule} ${caller}`
      if (ofKey !== undefined) ranks.set(client, Math.min(rankOf(ofKey), ranks.get(client) ?? 9))
    }
    return this.#kept.filter(({ rule, caller, ofKey, ofConnection }) => {
      if (ofKey !== undefined || ofConnection === undefined) return true
      return rankOf(ofConnection) < (ranks.get(`${rule} ${caller}`) ?? 9)
    })
  }

  /** What came of it so far. */
  judgement(): AuditResult {
    const findings = this.findings({ oneClient: undefined })
    const isParallel = [...this.#keys.values()].some((key) => key.isParallel)
    return { findings, requests: this.#judged, isParallel }
  }

  /** Calls a listener with each new finding; returns a function that ends this. */
  subscribe(listener: (finding: Finding) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Tells listeners of what holds now, and was not told yet. */
  #tellNews(): void {
    for (const kept of this.#kept) {
      const finding = kept.isTold ? undefined : this.#shown(kept, { oneClient: undefined })
      if (finding === undefined) continue
      kept.isTold = true
      this.#listeners.tell(finding)
    }
  }

  /** Keeps a finding, unless its rule has found enough. */
  #keep(one: RuleFinding, of: 'ofKey' | 'ofConnection'): void {
    const counted = `${one.rule} ${of}`
    const { sinceReset, inAll } = this.#counts.get(counted) ?? { sinceReset: 0, inAll: 0 }
    if (sinceReset >= mostPerRule || inAll >= mostPerRuleInAll) return
    this.#counts.set(counted, { sinceReset: sinceReset + 1, inAll: inAll + 1 })
    this.#entryFor(one)[of] ??= this.#proved(one)
  }

  #entryFor({ rule, found }: RuleFinding): Kept {
    const name = `${rule} ${found.requests.at(-1)?.id}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const caller = found.requests[0]?.client.caller ?? 0
    const none = { ofKey: undefined, ofConnection: undefined, isTold: this.#listeners.size === 0 }
    const begun: Kept = { rule, caller, resets: this.#resets, ...none }
    this.#known.set(name, begun)
    this.#kept.push(begun)
    return begun
  }

  #proved({ rule, found }: RuleFinding): Result {
    const { severity, advice, source, requiresWarning } = table[rule]
    const { caveat } = found
    const [first, ...others] = found.requests
    const isOfOne = others.every(({ visit }) => visit.connection === first?.visit.connection)
    return {
      finding: {
        rule,
        severity: found.severity ?? (caveat === undefined ? severity : 'info'),
        message: this.#hide(found.message),
        advice: found.advice ?? (caveat === undefined ? advice : `${advice} ${doubtText(caveat)}`),
        source,
        client: first?.client.caller ?? 0,
        requests: found.requests.map(({ id }) => id),
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

function rankOf({ finding }: Result): number {
  return severities.indexOf(finding.severity)
}

function worst(ofKey: Result | undefined, ofConnection: Result | undefined): Result | undefined {
  if (ofKey === undefined || ofConnection === undefined) return ofKey ?? ofConnection
  return rankOf(ofConnection) < rankOf(ofKey) ? ofConnection : ofKey
}

/** Makes what judges the clients of a sandbox. */
export function createAuditor(state: () => State, lateBetween: LateBetween = () => 0): Auditor {
  const sandbox: SandboxFacts = {
    lateBetween,
    limitsOf: (key) => state().keys.find(key)?.limits,
    refusalUnder: (request, gaps, at) => refusalUnder(request, { ...state(), gaps }, at),
  }
  return new Auditor(sandbox, (text) => state().keys.hideIn(text))
}
