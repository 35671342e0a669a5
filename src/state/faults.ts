import type { OperationName } from '../contract/endpoints.ts'
import {
  type FaultEffect,
  type FaultRule,
  type FaultSettings,
  formatFault,
  parseFault,
} from '../faults/fault-rule.ts'
import { InputError, isRecord, parseWhole, show } from '../input/input-error.ts'
import { Random } from './random.ts'

/** A fault of a sandbox, and what it has done. */
export type Fault = FaultSettings & {
  readonly id: number
  /** How many requests it fitted. */
  readonly seen: number
  /** How many of them it struck. */
  readonly struck: number
}

/** What a fault looks at. */
export interface FaultTarget {
  readonly operation: OperationName | undefined
  readonly method: string
  readonly key: string | undefined
}

/** An effect that strikes a request. */
export interface Strike {
  readonly id: number
  readonly effect: FaultEffect
  /** For a latency, how long it is this time. */
  readonly waitMs: number
}

interface Entry {
  readonly id: number
  readonly rule: FaultRule
  seen: number
  struck: number
}

/** Effects that take the operation's place; a request that is refused anyway is none of theirs. */
const replacing: readonly FaultEffect['kind'][] = ['status', 'rate-limit']

/** The faults of a sandbox, in the order in which they were added. */
export class Faults {
  #entries: Entry[] = []
  #lastId = 0
  readonly #random: Random

  constructor(randomSeed: number) {
    this.#random = new Random(randomSeed)
  }

  list(): Fault[] {
    return this.#entries.map(shown)
  }

  add(rule: FaultRule): Fault {
    this.#lastId++
    const entry = { id: this.#lastId, rule, seen: 0, struck: 0 }
    this.#entries = [...this.#entries, entry]
    return shown(entry)
  }

  /** Takes a fault away; tells whether there was one. */
  remove(id: number): boolean {
    const left = this.#entries.filter((entry) => entry.id !== id)
    const isFound = left.length < this.#entries.length
    this.#entries = left
    return isFound
  }

  clear(): void {
    this.#entries = []
  }

  /**
   * Says which effects strike a request, and counts them: latencies add up, of the others the first one counts.
   *
   * @param isLetIn Whether the operation would run.
   */
  strike(target: FaultTarget, isLetIn: boolean): readonly Strike[] {
    if (this.#entries.length === 0) return none
    const strikes: Strike[] = []
    let hasMain = false
    for (const entry of this.#entries) {
      const { effect } = entry.rule
      const isMain = effect.kind !== 'latency'
      const isOut = (isMain && hasMain) || (!isLetIn && replacing.includes(effect.kind))
      if (isOut || !fits(entry.rule, target) || !this.#strikes(entry)) continue
      hasMain ||= isMain
      strikes.push({ id: entry.id, effect, waitMs: this.#waitOf(effect) })
    }
    return strikes
  }

  #strikes(entry: Entry): boolean {
    const { times, after, probability } = entry.rule
    entry.seen++
    if (entry.seen <= after || entry.struck >= times) return false
    if (probability < 1 && this.#random.next() / 2 ** 32 >= probability) return false
    entry.struck++
    return true
  }

  #waitOf(effect: FaultEffect): number {
    if (effect.kind !== 'latency') return 0
    const span = effect.mostMs - effect.leastMs
    return span === 0 ? effect.leastMs : effect.leastMs + (this.#random.next() % (span + 1))
  }

  save() {
    return { lastId: this.#lastId, random: this.#random.save(), list: this.list() }
  }

  /** @throws {@link InputError} */
  static restore(value: unknown): Faults {
    if (!isRecord(value) || !Array.isArray(value.list)) {
      throw new InputError(`Cannot restore faults: found ${show(value)}; use what a snapshot has`)
    }
    const faults = new Faults(parseWhole(value.random, 0, 2 ** 32 - 1, "the faults' random state"))
    faults.#lastId = parseWhole(value.lastId, 0, 1e12, "the faults' last id")
    faults.#entries = value.list.map(parseEntry)
    return faults
  }
}

const none: readonly Strike[] = []

function fits({ operation, method, key }: FaultRule, target: FaultTarget): boolean {
  return (
    (operation === undefined || operation === target.operation) &&
    (method === undefined || method === target.method) &&
    (key === undefined || key === target.key)
  )
}

function shown({ id, rule, seen, struck }: Entry): Fault {
  return { id, ...formatFault(rule), seen, struck }
}

function parseEntry(value: unknown): Entry {
  if (!isRecord(value)) throw new InputError(`Cannot restore a fault: found ${show(value)}`)
  const { id, seen, struck, ...settings } = value
  return {
    id: parseWhole(id, 1, 1e12, "the fault's id"),
    seen: parseWhole(seen, 0, 1e12, "the fault's seen"),
    struck: parseWhole(struck, 0, 1e12, "the fault's struck"),
    rule: parseFault(settings),
  }
}
