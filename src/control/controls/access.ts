import type { SeedPart } from '../../state/beginning.ts'
import type { State } from '../../state/state.ts'

/** How controls reach their sandbox's state, which a change of a part, a reset or a restore replaces. */
export interface Access {
  state(): State
  replace(state: State): void
  /** Makes the state that the sandbox starts with, with another seed if one is given. */
  fresh(seed?: SeedPart): State
  /** Reads a snapshot of any sandbox as a state of this one. */
  restored(snapshot: unknown): State
}
