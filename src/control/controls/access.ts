import type { Seed } from '../../seed/seed.ts'
import type { State } from '../../state/state.ts'

/** How controls reach the state of their sandbox, which a reset or a restore puts another in the place of. */
export interface Access {
  state(): State
  replace(state: State): void
  /** Takes another seed to start with. */
  reseed(seed: Seed): void
  /** Makes the state that the sandbox starts with. */
  fresh(): State
}
