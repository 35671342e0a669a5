import { type GapSettings, type GapView, parseGaps, viewGaps } from '../../contract/gap-settings.ts'
import { list } from '../../input/collections.ts'
import { object, optional } from '../../input/object.ts'
import { mapTable } from '../../input/record.ts'
import { type Given, readInput } from '../../input/schema.ts'
import { nameIn } from '../../input/values.ts'
import {
  type RateLimitMode,
  rateLimitMode,
  type Seed,
  seedSettings,
} from '../../state/beginning.ts'
import { parts } from '../../state/parts.ts'
import { type Snapshot, takeSnapshot } from '../../state/snapshot.ts'
import { makeState, type State } from '../../state/state.ts'
import type { Access } from './access.ts'
import { type ClockControls, clockControls } from './clock-controls.ts'
import { type FaultControls, faultControls } from './fault-controls.ts'
import { type JournalControls, journalControls } from './journal-controls.ts'
import { type KeyControls, keyControls } from './key-controls.ts'
import { type PetControls, petControls } from './pet-controls.ts'
import { applyScenario, type ScenarioName } from './scenarios.ts'

const { seed: _seed, ...resettable } = parts

/** A part that can be reset alone. */
export const resetPart = nameIn(resettable)

/** What to reset. */
export const resetOptions = object(
  {
    /** Only these parts; all by default. */
    only: optional(list(resetPart)),
  },
  { title: 'reset', example: '{ "only": ["quotas"] }' },
)

export type ResetOptions = Given<typeof resetOptions>

/** Everything that can be done to a sandbox behind the API's back; over HTTP it is under `/_sandbox`. */
export interface Controls {
  readonly clock: ClockControls
  readonly pets: PetControls
  readonly keys: KeyControls
  readonly faults: FaultControls
  readonly journal: JournalControls
  readonly gaps: GapView
  readonly rateLimit: RateLimitMode
  /** Changes choices; those left out stay. */
  setGaps(settings: GapSettings): GapView
  setRateLimit(mode: RateLimitMode): void
  /** Brings a ready-made situation about, on top of what there is. */
  scenario(name: ScenarioName): void
  /** Goes back to the seed at once; what waits for an answer gets it now. */
  reset(options?: ResetOptions): void
  /** Takes another seed, and puts its pets and keys in the place of those that there are; the rest stays. */
  reseed(seed: Seed): void
  /** The whole state as plain JSON. */
  snapshot(): Snapshot
  /**
   * Goes on from a snapshot: every further request is answered as the original would have.
   *
   * @throws {@link InputError} with the place, for anything that `snapshot()` has not made.
   */
  restore(snapshot: unknown): void
}

/** Makes the controls of a sandbox. */
export function createControls(access: Access): Controls {
  const { state } = access
  const replace = (next: State): void => {
    const before = state()
    if (next.journal !== before.journal) next.journal.adopt(before.journal)
    // The journal hides the keys of the state in force: those that go are hidden for good, before they go.
    else if (next.keys !== before.keys) before.journal.seal()
    access.replace(next)
    if (next.clock !== before.clock) before.clock.end()
  }
  const controls: Controls = {
    clock: clockControls(access),
    pets: petControls(access),
    keys: keyControls(access),
    faults: faultControls(access),
    journal: journalControls(access),
    get gaps() {
      return viewGaps(state().gaps)
    },
    get rateLimit() {
      return state().rateLimit
    },
    setGaps(settings) {
      state().gaps = parseGaps(settings, state().gaps)
      return viewGaps(state().gaps)
    },
    setRateLimit(mode) {
      state().rateLimit = readInput(rateLimitMode, mode, 'rateLimit')
    },
    scenario: (name) => applyScenario(name, controls),
    reset(options = {}) {
      const { only } = readInput(resetOptions, options)
      const fresh = access.fresh()
      const isReset = mapTable(parts, (name) => only?.some((one) => one === name) ?? true)
      replace(makeState((name) => (isReset[name] ? fresh : state())[name]))
    },
    reseed(seed) {
      state().seed = readInput(seedSettings, seed)
      const { pets, keys } = access.fresh()
      replace({ ...state(), pets, keys })
    },
    snapshot: () => takeSnapshot(state()),
    restore: (snapshot) => replace(access.restored(snapshot)),
  }
  return controls
}
