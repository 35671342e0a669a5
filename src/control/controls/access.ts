import type { State } from '../../state/state.ts'

/** How controls reach the state of their sandbox, which a reset or a restore puts another in the place of. */
export interface Access {
  state(): State
  replace(state: State): void
  /** Makes the state that the sandbox starts with. */
  fresh(): State
  /** Reads a snapshot of any sandbox as a state of this one. */
  restored(snapshot: unknown): State
}
