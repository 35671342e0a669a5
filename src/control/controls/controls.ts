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
    /** Only these parts; by default everything. */
    only: optional(list(resetPart)),
  },
  { title: 'reset', example: '{ "only": ["quotas"] }' },
)

export type ResetOptions = Given<typeof resetOptions>

/** Everything that can be done to a sandbox behind the API's back; over HTTP, under `/_sandbox`. */
export interface Controls {
  readonly clock: ClockControls
  readonly pets: PetControls
  readonly keys: KeyControls
  readonly faults: FaultControls
  readonly journal: JournalControls
  readonly gaps: GapView
  readonly rateLimit: RateLimitMode
  /** Changes some choices; the others stay. */
  setGaps(settings: GapSettings): GapView
  setRateLimit(mode: RateLimitMode): void
  /** Sets up a ready-made situation, on top of the present state. */
  scenario(name: ScenarioName): void
  /** Goes back to the seed at once; requests in progress end in the old state. */
  reset(options?: ResetOptions): void
  /** Replaces the seed, and with it all pets and keys; the rest stays. */
  reseed(seed: Seed): void
  /** The whole state as plain JSON. */
  snapshot(): Snapshot
  /**
   * Continues from a snapshot: further requests are answered as the original would have answered them.
   *
   * @throws {@link InputError} with the place, for anything that `snapshot()` has not made.
   */
  restore(snapshot: unknown): void
}

/** The controls, and what logs and refusals need of a sandbox beyond them. */
export interface SandboxControls extends Controls {
  /**
   * Abbreviates each key that stands in a text, and a token that was sent.
   *
   * @internal For logs.
   */
  hideKeys(text: string, token?: string): string
}

/** Makes the controls of a sandbox. */
export function createControls(access: Access): SandboxControls {
  const { state } = access
  const replace = (next: State): void => {
    const before = state()
    if (next.journal !== before.journal) next.journal.adopt(before.journal)
    // The journal hides the keys of the state in force: those that go are hidden for good before they go.
    else if (next.keys !== before.keys) before.journal.seal()
    access.replace(next)
    if (next.clock !== before.clock) before.clock.end()
  }
  const controls: SandboxControls = {
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
      const gaps = parseGaps(settings, state().gaps)
      replace({ ...state(), gaps })
      return viewGaps(gaps)
    },
    setRateLimit(mode) {
      replace({ ...state(), rateLimit: readInput(rateLimitMode, mode, 'rateLimit') })
    },
    scenario: (name) => applyScenario(name, controls),
    reset(options = {}) {
      const { only } = readInput(resetOptions, options)
      const fresh = access.fresh()
      const isReset = mapTable(parts, (name) => only?.some((one) => one === name) ?? true)
      replace(makeState((name) => (isReset[name] ? fresh : state())[name]))
    },
    reseed(settings) {
      const seed = readInput(seedSettings, settings)
      const { pets, keys } = access.fresh(seed)
      replace({ ...state(), seed, pets, keys })
    },
    snapshot: () => takeSnapshot(state()),
    restore: (snapshot) => replace(access.restored(snapshot)),
    hideKeys: (text, token) => state().keys.hideIn(text, token),
  }
  return controls
}
