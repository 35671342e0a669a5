import { namesOf } from '../input/record.ts'
import type { Beginning, SeedPart } from './beginning.ts'
import { type PartName, parts } from './parts.ts'

/** Everything that a sandbox remembers, by part. */
export type State = { [Name in PartName]: ReturnType<(typeof parts)[Name]['fresh']> }

/** Makes a state, each part as `make` says. */
export function makeState(make: (name: PartName) => unknown): State {
  // Each row's own type is that of the part that it makes.
  return Object.fromEntries(namesOf(parts).map((name) => [name, make(name)])) as State
}

/**
 * Makes the state that a sandbox begins with.
 *
 * @param seed That of a `reseed()`, which takes the place of the one in the beginning.
 */
export function freshState(beginning: Beginning, seed?: SeedPart): State {
  const { pets, keys } = { ...beginning.seed, ...seed }
  const begun = {
    ...beginning,
    seed: { pets: pets ?? beginning.seed.pets, keys: keys ?? beginning.seed.keys },
  }
  return { ...makeState((name) => parts[name].fresh(begun)), seed }
}
