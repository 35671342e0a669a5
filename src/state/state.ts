import { definedOf, namesOf } from '../input/record.ts'
import type { Beginning, SeedPart } from './beginning.ts'
import type { Memory } from './memory/memory.ts'
import { type PartName, parts, type Stored } from './parts.ts'

/** Everything that a sandbox remembers, by part. */
export type State = Stored

/** Makes a state of the parts that a function makes. */
export function makeState(make: (name: PartName) => unknown): State {
  // Each part is made for its name, and so has its row's type.
  return Object.fromEntries(namesOf(parts).map((name) => [name, make(name)])) as State
}

/**
 * Makes the state that a sandbox begins with.
 *
 * @param seed That of a `reseed()`, which replaces the one in the beginning.
 */
export function freshState(beginning: Beginning, seed?: SeedPart): State {
  const begun = { ...beginning, seed: { ...beginning.seed, ...definedOf(seed ?? {}) } }
  return { ...makeState((name) => parts[name].fresh(begun)), seed }
}

/**
 * Puts a state in force, in the place of another; from then on what it holds takes memory.
 *
 * @param before The one that was in force, if any.
 * @throws {@link FullError} when there is no room for it; then nothing changes.
 */
export function begin(next: State, memory: Memory, before?: State): void {
  before?.journal.conclude()
  const changed = holders.filter((name) => next[name] !== before?.[name])
  const more = changed.map((name) => next[name].holding.bytes - (before?.[name].holding.bytes ?? 0))
  memory.held.expectRoom(more.reduce((sum, bytes) => sum + bytes, 0))
  for (const name of changed) {
    before?.[name].holding.end()
    next[name].holding.begin(memory.held)
  }
  if (next.quotas !== before?.quotas) {
    before?.quotas.join(undefined)
    next.quotas.join(memory.strangers)
  }
  if (next.journal === before?.journal) return
  if (before !== undefined) next.journal.adopt(before.journal)
  next.journal.join(memory.exchanges, memory.callers)
}

const holders = ['pets', 'keys', 'faults', 'quotas'] as const

/** Lets a state that is in force take other memory. */
export function move(state: State, memory: Memory): void {
  for (const name of holders) state[name].holding.begin(memory.held)
  state.quotas.join(memory.strangers)
  state.journal.join(memory.exchanges, memory.callers)
}
