import type { ApiError } from '../contract/error.ts'
import type { gaps as allGaps } from '../contract/gaps.ts'
import type { ApiRequest } from '../contract/message.ts'
import { paceOf } from '../state/clock.ts'
import type { Exchange } from '../state/exchange.ts'
import type { Happening } from '../state/journal.ts'
import type { Mark, MarkKind } from '../state/journal-entry.ts'
import { Listeners } from '../state/listeners.ts'
import type { State } from '../state/state.ts'
import type { ReadAuditOptions } from './audit-options.ts'
import type { Finding } from './finding.ts'
import { KeyUse } from './panel/key-use.ts'
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
  ' This is for information only, since the requests came over several connections of a key that has had requests under way at the same time; if a single client uses the key, judge it so: with --one-client, or oneClient: true in code.'

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

/** What a rule has found, as it stands where its requests are one client's. */
interface Proved {
  readonly finding: Finding
  /** Whether it holds where each connection may be another client. */
  readonly isSureApart: boolean
}

/** What a rule has found of an exchange: of a key as one client, and of a connection by itself. */
interface Kept {
  readonly rule: RuleName
  readonly caller: number
  /** How often the sandbox had been reset or restored. */
  readonly resets: number
  ofKey: Proved | undefined
  ofConnection: Proved | undefined
  isTold: boolean
}

/** How many keys are kept of which it is known how they are used. */
const keptKeys = 1_000

/** Judges the clients of a sandbox: is told of each exchange and each mark once, and keeps what it has found. */
export class Auditor {
  readonly #ground: Ground
  readonly #hide: (text: string) => string
  /** Each connection is a client; made once a connection is known. */
  #byConnection: Panel | undefined
  /** Each key is a client. */
  readonly #byKey = new Panel(everyRule)
  readonly #kept: Kept[] = []
  readonly #counts = new Map<string, number>()
  /** The findings that there are since the last mark, by rule and last exchange. */
  readonly #known = new Map<string, Kept>()
  readonly #keys = new Map<number, KeyUse>()
  /** The last key of which it isn't known any more how it was used; they are counted up. */
  #lastForgotten = 0
  /** Whether there may be something new for listeners. */
  #hasNews = false
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
    const keyUse = this.#keyUseOf(caller)
    const wasParallel = keyUse.isParallel
    keyUse.arrive(visit)
    this.#hasNews ||= keyUse.isParallel !== wasParallel
    this.#byKey.see(id, exchange, caller, keyUse, this.#ground, this.#keepOfKey)
    if (visit.connection !== undefined) {
      const from = `${caller} ${visit.connection}`
      this.#byConnection ??= new Panel(rulesOfKnowledge)
      this.#byConnection.see(id, exchange, from, keyUse, this.#ground, this.#keepOfConnection)
    }
    if (this.#hasNews && this.#listeners.size > 0) this.#tellNews()
    this.#hasNews = false
    // What began in another world says nothing of what comes next in this one.
    if (visit.startOrder < this.#changedOrder) this.#forget()
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
    this.#byKey.forget()
  }

  /** The findings, in the order in which they were proved. */
  findings(options: ReadAuditOptions): Finding[] {
    this.conclude()
    const kept = options.oneClient ? this.#withoutEchoes() : this.#kept
    return kept.flatMap((one) => this.#shown(one, options) ?? [])
  }

  /** A finding, as far as it holds by what is known now of how its key is used. */
  #shown(kept: Kept, { oneClient }: ReadAuditOptions): Finding | undefined {
    const { ofKey, ofConnection, resets, caller, rule } = kept
    const isParallel = this.#isParallel(caller)
    const proved = oneClient ? worst(ofKey, ofConnection) : (ofConnection ?? ofKey)
    const found = isParallel ? proved : ofKey
    if (found === undefined) return undefined
    const { finding, isSureApart } = found
    const isOfTasks = isParallel && table[rule].needsOneTask === true
    const isApart = isParallel && !oneClient && !isSureApart
    return {
      ...finding,
      severity: isOfTasks || isApart ? 'info' : finding.severity,
      advice: `${finding.advice}${isOfTasks ? doubtOfTasks : ''}${isApart ? doubt : ''}`,
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
  judgement(): Judgement {
    const findings = this.findings({ oneClient: false })
    return { findings, judged: this.#judged }
  }

  /** Calls a listener with each new finding; returns a function that ends this. */
  subscribe(listener: (finding: Finding) => void): () => void {
    this.conclude()
    return this.#listeners.add(listener)
  }

  /** Tells listeners of what holds now, and was not told yet. */
  #tellNews(): void {
    for (const kept of this.#kept) {
      const finding = kept.isTold ? undefined : this.#shown(kept, { oneClient: false })
      if (finding === undefined) continue
      kept.isTold = true
      this.#listeners.tell(finding)
    }
  }

  readonly #keepOfKey = (one: PanelFinding): void => {
    const kept = this.#keptOf(one, 'key')
    if (kept !== undefined) kept.ofKey ??= this.#proved(one)
  }

  readonly #keepOfConnection = (one: PanelFinding): void => {
    const kept = this.#keptOf(one, 'connection')
    if (kept !== undefined) kept.ofConnection ??= this.#proved(one)
  }

  /** What is kept of an exchange by a rule; `undefined` if the rule has found enough. */
  #keptOf({ rule, found }: PanelFinding, of: 'key' | 'connection'): Kept | undefined {
    const counted = `${rule} ${of}`
    const count = this.#counts.get(counted) ?? 0
    if (count >= keptOfRule) return undefined
    this.#counts.set(counted, count + 1)
    this.#hasNews = true
    const name = `${rule} ${found.exchanges.at(-1)?.id}`
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const caller = found.exchanges[0]?.origin.caller ?? 0
    const none = { ofKey: undefined, ofConnection: undefined, isTold: this.#listeners.size === 0 }
    const begun: Kept = { rule, caller, resets: this.#resets, ...none }
    this.#known.set(name, begun)
    this.#kept.push(begun)
    return begun
  }

  #proved({ rule, found }: PanelFinding): Proved {
    const { severity, advice, clause, needsKnowledge, quotesNothing }: Rule = table[rule]
    const [first, ...others] = found.exchanges
    const isOfOne = others.every(({ visit }) => visit.connection === first?.visit.connection)
    return {
      finding: {
        rule,
        severity: found.severity ?? severity,
        verdict: quotesNothing ? found.verdict : this.#hide(found.verdict),
        advice: found.advice ?? advice,
        clause,
        caller: first?.origin.caller ?? 0,
        exchanges: found.exchanges.map(({ id }) => id),
      },
      isSureApart: isOfOne || !(needsKnowledge || found.needsOneClient === true),
    }
  }
}

function rankOf({ finding }: Proved): number {
  return severities.indexOf(finding.severity)
}

function worst(ofKey: Proved | undefined, ofConnection: Proved | undefined): Proved | undefined {
  if (ofKey === undefined || ofConnection === undefined) return ofKey ?? ofConnection
  return rankOf(ofConnection) < rankOf(ofKey) ? ofConnection : ofKey
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
