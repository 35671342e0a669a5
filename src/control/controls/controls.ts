import {
  formatChoice,
  type GapName,
  type GapSettings,
  gapNames,
  parseGaps,
} from '../../contract/gaps.ts'
import { checkOptions, InputError, parseOneOf, show } from '../../input/input-error.ts'
import type { Seed } from '../../seed/seed.ts'
import { parseRateLimitMode, type RateLimitMode, type State } from '../../state/state.ts'
import type { Access } from './access.ts'
import { type ClockControls, clockControls } from './clock-controls.ts'
import { type FaultControls, faultControls } from './fault-controls.ts'
import { type JournalControls, journalControls } from './journal-controls.ts'
import { type KeyControls, keyControls } from './key-controls.ts'
import { type PetControls, petControls } from './pet-controls.ts'
import { applyScenario, type ScenarioName } from './scenarios.ts'
import { readSnapshot, type Snapshot, takeSnapshot } from './snapshot.ts'

/** The parts of a sandbox that can be reset by themselves. */
export const resetParts = ['pets', 'keys', 'quotas', 'clock', 'faults', 'journal', 'gaps'] as const

export type ResetPart = (typeof resetParts)[number]

/** What to reset. */
export interface ResetOptions {
  /** Only these parts; all, and how limits act, by default. */
  readonly only?: readonly ResetPart[]
}

/** The choices in force, in the form in which they are set. */
export type GapView = { readonly [Name in GapName]: string | number }

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
  /** Goes back to the seed at once; requests under way end in the old state. */
  reset(options?: ResetOptions): void
  /** Takes another seed, and puts its pets and keys in the place of those that there are; the rest stays. */
  reseed(seed: Seed): void
  /** The whole state as plain JSON. */
  snapshot(): Snapshot
  /** Goes on from a snapshot: every further request is answered as the original would have. */
  restore(snapshot: Snapshot): void
  /**
   * Shows only the beginning of each key that stands in a text, and of a token that was sent.
   *
   * @internal For logs.
   */
  hideKeys(text: string, token?: string): string
}

/** Makes the controls of a sandbox. */
export function createControls(access: Access): Controls {
  const { state } = access
  const replace = (next: State): void => {
    const before = state()
    if (next.journal !== before.journal) next.journal.adopt(before.journal)
    else if (next.keys !== before.keys) before.journal.seal()
    access.replace(next)
    // Nobody can move a clock that is no longer the sandbox's.
    if (next.clock !== before.clock) before.clock.releaseAll()
  }
  const controls: Controls = {
    clock: clockControls(access),
    pets: petControls(access),
    keys: keyControls(access),
    faults: faultControls(access),
    journal: journalControls(access),
    get gaps() {
      return viewOf(state())
    },
    get rateLimit() {
      return state().rateLimit
    },
    setGaps(settings) {
      state().gaps = parseGaps(settings, state().gaps)
      return viewOf(state())
    },
    setRateLimit(mode) {
      state().rateLimit = parseRateLimitMode(mode)
    },
    scenario: (name) => applyScenario(name, controls),
    reset(options = {}) {
      const parts = parseParts(options)
      const fresh = access.fresh()
      replace(parts === undefined ? fresh : { ...state(), ...partsOf(fresh, parts) })
    },
    reseed(seed) {
      access.reseed(seed)
      replace({ ...state(), ...partsOf(access.fresh(), ['pets', 'keys']) })
    },
    snapshot: () => takeSnapshot(state()),
    restore: (snapshot) => replace(readSnapshot(snapshot, access.fresh())),
    hideKeys: (text, token) => state().keys.hideIn(text, token),
  }
  return controls
}

function viewOf({ gaps }: State): GapView {
  return Object.fromEntries(
    gapNames.map((name) => [name, formatChoice(name, gaps[name])]),
  ) as GapView
}

function parseParts(options: unknown): readonly ResetPart[] | undefined {
  checkOptions(options, ['only'], 'reset')
  const { only } = options as { readonly only?: unknown }
  if (only === undefined) return undefined
  if (Array.isArray(only))
    return only.map((part: unknown) => parseOneOf(part, resetParts, 'the part to reset'))
  throw new InputError(
    `Cannot reset: found ${show(only)}; use an array of ${resetParts.join(', ')}`,
  )
}

function partsOf(state: State, parts: readonly ResetPart[]): Partial<State> {
  return Object.fromEntries(parts.map((part) => [part, state[part]]))
}
