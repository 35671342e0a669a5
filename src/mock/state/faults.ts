import type { OperationName } from '../api/endpoints.ts'
import type { AppliedFault } from '../faults/apply-faults.ts'
import {
  type AnyFaultRule,
  type FaultSettings,
  faultKinds,
  faultRule,
  isDue,
  startingAt,
} from '../faults/fault-rules.ts'
import { FullError } from '../input/input-error.ts'
import { list, object } from '../input/object.ts'
import { isRecord } from '../input/record.ts'
import { type Output, rejectValue, type Schema } from '../input/schema.ts'
import { integer } from '../input/values.ts'
import { maxFaults } from './limits.ts'
import { Random } from './random.ts'

/** A fault of a sandbox, with its counts so far. */
export type Fault = FaultSettings & {
  /** Id of the fault, for `faults.remove()`; counts up from 1. */
  readonly id: number
  /** Number of matching requests. */
  readonly matched: number
  /** Number of requests that it was applied to. */
  readonly applied: number
}

/** The properties of a request that faults match. */
export interface FaultTarget {
  readonly operation: OperationName | undefined
  readonly method: string
  readonly key: string | undefined
}

/** A fault and its counts as stored; a change replaces the entry. */
interface Entry {
  readonly id: number
  readonly rule: AnyFaultRule
  readonly matched: number
  readonly applied: number
}

const counts = {
  id: integer(1, 1e12),
  matched: integer(0, 1e12),
  applied: integer(0, 1e12),
} as const

const countsOnly = object(counts, { unknown: 'ignore' })

/** A fault as snapshots and the control API show it. */
export const savedFault: Schema<Fault, Entry> = {
  expected: 'a fault of a snapshot',
  jsonSchema: () => ({
    oneOf: Object.values(faultKinds).map(({ properties }) =>
      object({ ...counts, ...properties }).jsonSchema(),
    ),
  }),
  parse(found) {
    if (!isRecord(found)) return rejectValue(found, savedFault.expected)
    const { id: _id, matched: _seen, applied: _struck, ...settings } = found
    return { ...countsOnly.parse(found), rule: faultRule.parse(settings) }
  },
  encode: ({ id, rule, matched, applied }) => ({ id, ...rule.settings, matched, applied }),
}

/** The faults of a sandbox in a snapshot. */
export const savedFaults = object({
  lastId: integer(0, 1e12),
  random: integer(0, 2 ** 32 - 1),
  list: list(savedFault),
})

const noFaults: readonly AppliedFault[] = []

/** The faults of a sandbox, in the order in which they were added. */
export class Faults {
  #entries: Entry[] = []
  #lastId = 0
  readonly #random: Random

  constructor(randomSeed: number) {
    this.#random = new Random(randomSeed)
  }

  list(): Fault[] {
    return this.#entries.map(savedFault.encode)
  }

  /** @throws {@link FullError} if there would be too many. */
  add(rule: AnyFaultRule, now: number): Fault {
    this.#expectRoom(1)
    return this.#put(rule, now)
  }

  /**
   * Adds all faults or none.
   *
   * @throws {@link FullError} if there would be too many.
   */
  addAll(rules: readonly AnyFaultRule[], now: number): Fault[] {
    this.#expectRoom(rules.length)
    return rules.map((rule) => this.#put(rule, now))
  }

  /** @throws {@link FullError} if there would be too many. */
  #expectRoom(more: number): void {
    const count = this.#entries.length + more
    if (count <= maxFaults) return
    throw new FullError(
      `Cannot add faults: there would be ${count}, and ${maxFaults} are allowed; remove some`,
    )
  }

  #put(rule: AnyFaultRule, now: number): Fault {
    this.#lastId++
    const entry = { id: this.#lastId, rule: startingAt(rule, now), matched: 0, applied: 0 }
    this.#entries.push(entry)
    return savedFault.encode(entry)
  }

  /** Removes a fault; returns whether it existed. */
  remove(id: number): boolean {
    const place = this.#entries.findIndex((entry) => entry.id === id)
    if (place < 0) return false
    this.#entries.splice(place, 1)
    return true
  }

  clear(): void {
    this.#entries = []
  }

  /**
   * Returns the faults to apply to a request, and counts them. Latencies add up; of all other faults only the first
   * applies.
   *
   * @param now Unix milliseconds; a fault with times applies only then.
   * @param fate Whether the request is rejected anyway; then no fault replaces the operation.
   */
  match(target: FaultTarget, fate: 'admitted' | 'rejected', now: number): readonly AppliedFault[] {
    if (this.#entries.length === 0) return noFaults
    const appliedFaults: AppliedFault[] = []
    let hasMain = false
    for (const [place, entry] of this.#entries.entries()) {
      const { fault, action } = entry.rule
      const isMain = action.step !== 'wait'
      const isReplacing = action.step === 'reject' || action.step === 'use-up'
      const isOut = (isMain && hasMain) || (isReplacing && fate === 'rejected')
      if (isOut || !fits(entry.rule, target) || !isDue(entry.rule, now)) continue
      if (!this.#count(entry, place)) continue
      hasMain ||= isMain
      appliedFaults.push({ id: entry.id, fault, action, waitMs: this.#waitOf(entry) })
    }
    return appliedFaults
  }

  /** Counts a request that matches a fault; returns whether the fault is applied to it. */
  #count(entry: Entry, place: number): boolean {
    const matched = entry.matched + 1
    const isApplied = this.#appliedFaults(entry, matched)
    this.#entries[place] = { ...entry, matched, applied: entry.applied + (isApplied ? 1 : 0) }
    return isApplied
  }

  #appliedFaults({ rule, applied }: Entry, matched: number): boolean {
    const { times, skip, probability } = rule
    if (matched <= skip || applied >= (times ?? Number.POSITIVE_INFINITY)) return false
    return probability === 1 || this.#random.next() / 2 ** 32 < probability
  }

  #waitOf({ rule: { action } }: Entry): number {
    if (action.step !== 'wait') return 0
    const span = action.maxMs - action.minMs
    return span === 0 ? action.minMs : action.minMs + (this.#random.next() % (span + 1))
  }

  save(): Output<typeof savedFaults> {
    return { lastId: this.#lastId, random: this.#random.save(), list: [...this.#entries] }
  }

  /** @throws {@link FullError} if there are too many. */
  static restore({ lastId, random, list: entries }: Output<typeof savedFaults>): Faults {
    const faults = new Faults(random)
    faults.#expectRoom(entries.length)
    faults.#lastId = lastId
    faults.#entries = entries
    return faults
  }
}

function fits({ operation, method, key }: AnyFaultRule, target: FaultTarget): boolean {
  return (
    (operation === null || operation === target.operation) &&
    (method === null || method === target.method) &&
    (key === null || key === target.key)
  )
}
