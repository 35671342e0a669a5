import type { ApiError } from '../contract/error.ts'
import type { gaps as allGaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import { paceOf } from '../state/clock/pace.ts'
import type { Exchange } from '../state/journal/exchange.ts'
import type { Happening } from '../state/journal/facts/history.ts'
import type { Mark, MarkKind } from '../state/journal/mark.ts'
import { Listeners } from '../state/listeners.ts'
import type { State } from '../state/state.ts'
import type { ReadAuditOptions } from './audit-options.ts'
import type { Finding } from './finding.ts'
import { Panel, type PanelFinding } from './panel/panel.ts'
import { everyRule, rulesOfKnowledge } from './panel/seers.ts'
import type { Ground, Rule } from './rule.ts'
import { type RuleName, rules } from './rules.ts'
import { severities } from './severity.ts'

/** How many findings of each rule are kept, the first ones: none can keep another from being seen. */
const keptOfRule = 100

/** How much is judged together, in exchanges and characters: alone, each takes a third more of a processor's time. */
const mostTogether = { exchanges: 32, characters: 65_536 }

/** How much of the past is judged before it is looked whether others are due. */
const mostAtOnce = 8

/** The marks over which a verdict still holds: what moves the clock on is only time. */
const harmless: ReadonlySet<MarkKind> = new Set(['clock-moved', 'clock-mode'])

/** What is added to the advice of a finding that holds only if a key is one client's. */
const doubt =
  ' This is for information only, since the requests came on several connections; if a single client uses the key, judge it so: with --one-client, or oneClient: true in code.'

/** What is added to the advice of a finding that holds only of a client that does one thing after the other. */
const doubtOfTasks =
  ' This is for information only, since the client has had several requests under way: two of its tasks may add the same pet.'

/** The marks after which the ids of exchanges may begin anew. */
const beginnings: ReadonlySet<MarkKind> = new Set(['reset', 'restored'])

const table: Readonly<Record<RuleName, Rule>> = rules

/** What came of judging clients. */
export interface Judgement {
  readonly findings: readonly Finding[]
  /** How many exchanges were judged. */
  readonly judged: number
}

/** A finding, and what it would be if each key were one client's. */
interface Kept {
  readonly finding: Finding
  /** How often the sandbox had been reset or restored. */
  readonly resets: number
  readonly ofOneClient: Pick<Finding, 'severity' | 'advice'>
  /** Whether it is found where each key is a client; the same manner may be found elsewhere on a connection by itself. */
  isOfCaller: boolean
}

/** Judges the clients of a sandbox: is told of each exchange and each mark once, and keeps what it has found. */
export class Auditor {
  readonly #ground: Ground
  readonly #hide: (text: string) => string
  /** Each connection is a client; made once a connection is known. */
  #byConnection: Panel | undefined
  /** Each key is a client. */
  readonly #byCaller = new Panel(everyRule)
  readonly #kept: Kept[] = []
  readonly #counts = new Map<RuleName, number>()
  /** The findings that there are, by rule and last exchange. */
  readonly #known = new Map<string, Kept>()
  readonly #listeners = new Listeners<Finding>()
  /** What has happened and isn't judged yet, for want of a reader. */
  #waiting: Happening[] = []
  /** How long its texts are. */
  #characters = 0
  #judged = 0
  #resets = 0
  /** Where the latest change of the world stands in the sequence. */
  #changedOrder = 0

  /** @param hide Abbreviates the keys in a text, which may quote what a client sent. */
  constructor(ground: Ground, hide: (text: string) => string) {
    this.#ground = ground
    this.#hide = hide
  }

  /** Hears what has happened; judges it at once where somebody waits for findings, and else with some that follow. */
  hear(happening: Happening): void {
    this.#waiting.push(happening)
    if ('exchange' in happening) {
      const { request, outcome } = happening.exchange
      this.#characters += request.body.length + ('body' in outcome ? outcome.body.length : 0)
    }
    const isFull =
      this.#waiting.length >= mostTogether.exchanges || this.#characters >= mostTogether.characters
    if (isFull || this.#listeners.size > 0) this.conclude()
  }

  /** Hears in order what has happened, and lets others have their turn, who may add to it. */
  async hearInTurns(waiting: Happening[], nextTurn: () => Promise<void>): Promise<void> {
    const pace = paceOf(nextTurn)
    while (waiting.length > 0) {
      for (const happening of waiting.splice(0, mostAtOnce)) this.hear(happening)
      this.conclude()
      await pace()
    }
  }

  /** Judges all that has happened: what it is judged by is about to change, or somebody wants to know. */
  conclude(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#characters = 0
    for (const happening of waiting) {
      if ('mark' in happening) this.#mark(happening.mark)
      else this.#see(happening.id, happening.exchange)
    }
  }

  /** Judges an exchange by those before it. */
  #see(id: number, exchange: Exchange): void {
    const { caller, visit } = exchange
    this.#judged++
    if (visit.connection !== undefined) {
      const from = `${caller} ${visit.connection}`
      this.#byConnection ??= new Panel(rulesOfKnowledge)
      this.#byConnection.see(id, exchange, from, this.#ground, this.#tell)
    }
    this.#byCaller.see(id, exchange, caller, this.#ground, this.#tellOfCaller)
    // What began in another world says nothing of what comes next in this one.
    if (visit.startOrder < this.#changedOrder) this.#forget()
  }

  /** Concludes nothing across a change of the world. */
  #mark({ kind, order }: Mark): void {
    if (harmless.has(kind)) return
    if (beginnings.has(kind)) this.#resets++
    this.#changedOrder = order
    this.#forget()
    // The ids of exchanges may begin anew.
    if (this.#known.size > 0) this.#known.clear()
  }

  #forget(): void {
    this.#byConnection?.forget()
    this.#byCaller.forget()
  }

  /** The findings, in the order in which they were proved. */
  findings({ oneClient }: ReadAuditOptions): Finding[] {
    this.conclude()
    const kept = oneClient ? withoutEchoes(this.#kept) : this.#kept
    return kept.map(({ finding, ofOneClient, resets }) => ({
      ...finding,
      ...(oneClient ? ofOneClient : {}),
      ...(resets < this.#resets ? { beforeReset: true } : {}),
    }))
  }

  /** What came of it so far, where each connection is a client. */
  judgement(): Judgement {
    const findings = this.findings({ oneClient: false })
    return { findings, judged: this.#judged }
  }

  /** Calls a listener with each new finding; returns a function that ends this. */
  subscribe(listener: (finding: Finding) => void): () => void {
    this.conclude()
    return this.#listeners.add(listener)
  }

  readonly #tellOfCaller = (one: PanelFinding): void => {
    this.#tell(one)
    const kept = this.#known.get(nameOf(one))
    if (kept !== undefined) kept.isOfCaller = true
  }

  readonly #tell = (one: PanelFinding): void => {
    const { rule, found } = one
    const name = nameOf(one)
    const count = this.#counts.get(rule) ?? 0
    if (count >= keptOfRule || this.#known.has(name)) return
    this.#counts.set(rule, count + 1)
    const usual = table[rule]
    const [first, ...others] = found.exchanges
    const caller = first?.origin.caller ?? 0
    const isOfTasks =
      usual.needsOneTask === true &&
      (first?.origin.isParallel === true || this.#byCaller.isParallel(caller))
    const advised = found.advice ?? usual.advice
    const advice = isOfTasks ? advised + doubtOfTasks : advised
    const severity = isOfTasks ? 'info' : (found.severity ?? usual.severity)
    const isOfOne = others.every((one) => one.visit.connection === first?.visit.connection)
    const isSure = isOfOne || !(usual.needsKnowledge || found.needsOneClient === true)
    const finding: Finding = {
      rule,
      severity: isSure ? severity : 'info',
      verdict: usual.quotesNothing ? found.verdict : this.#hide(found.verdict),
      advice: isSure ? advice : advice + doubt,
      clause: usual.clause,
      caller,
      exchanges: found.exchanges.map(({ id }) => id),
    }
    const ofOneClient = { severity, advice }
    const kept: Kept = { finding, resets: this.#resets, ofOneClient, isOfCaller: false }
    this.#known.set(name, kept)
    this.#kept.push(kept)
    this.#listeners.tell(finding)
  }
}

/** Leaves out what is found on a connection by itself if its client is known to do it, and at least as surely. */
function withoutEchoes(all: readonly Kept[]): Kept[] {
  const worst = new Map<string, number>()
  const clientOf = ({ finding }: Kept): string => `${finding.rule} ${finding.caller}`
  const rankOf = ({ ofOneClient }: Kept): number => severities.indexOf(ofOneClient.severity)
  for (const one of all.filter(({ isOfCaller }) => isOfCaller)) {
    const client = clientOf(one)
    worst.set(client, Math.min(rankOf(one), worst.get(client) ?? severities.length))
  }
  return all.filter((one) => {
    const known = worst.get(clientOf(one)) ?? severities.length
    return one.isOfCaller || rankOf(one) < known
  })
}

function nameOf({ rule, found }: PanelFinding): string {
  return `${rule} ${found.exchanges.at(-1)?.id}`
}

/** Finds how a state would refuse a request, at a time in Unix milliseconds. */
type RefusalUnder = (request: ApiRequest, state: State, at: number) => ApiError | undefined

/**
 * Makes what judges the clients of a sandbox.
 *
 * @param refusalUnder The engine's: given, and not imported, since it is there already once anything is judged.
 */
export function createAuditor(
  state: () => State,
  gapTable: typeof allGaps,
  refusalUnder: RefusalUnder,
): Auditor {
  const hide = (text: string): string => state().keys.hideIn(text)
  const ground: Ground = {
    gapTable,
    isCategory: (id) => state().pets.hasCategory(id),
    limitsOf: (key) => state().keys.find(key)?.limits,
    mayBeIn: (text) => hide(text) !== text,
    refusalUnder: (request, gaps, at) => refusalUnder(request, { ...state(), gaps }, at),
  }
  return new Auditor(ground, hide)
}
