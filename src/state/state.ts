import { definedOf, namesOf } from '../input/record.ts'
import type { Beginning, SeedPart } from './beginning.ts'
import type { SharedMemory } from './limits.ts'
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
 * Puts a state in force, in the place of another.
 *
 * @param before The one that was in force, if any.
 */
export function begin(next: State, memory: SharedMemory, before?: State): void {
  before?.journal.conclude()
  if (next.journal === before?.journal) return
  if (before !== undefined) next.journal.adopt(before.journal)
  next.journal.join(memory.exchanges)
}
