import { defaultGaps, type GapSettings, parseGaps } from './contract/gaps.ts'
import type { ApiRequest, Handler, Reply } from './contract/message.ts'
import { type Controls, createControls } from './control/controls/controls.ts'
import { handle } from './engine/handle.ts'
import { checkOptions, parseWhole } from './input/input-error.ts'
import type { Instant } from './input/instant.ts'
import { defaultSeed } from './seed/default-seed.ts'
import { type ParsedSeed, parseSeed, type Seed } from './seed/seed.ts'
import { Clock, type ClockSettings, parseClockSettings } from './state/clock.ts'
import { Faults } from './state/faults.ts'
import { defaultJournalSize, type HideKeys, Journal } from './state/journal/journal.ts'
import { Keys } from './state/keys.ts'
import { Pets } from './state/pets.ts'
import { Quotas } from './state/quotas.ts'
import { parseRateLimitMode, type RateLimitMode, type State } from './state/state.ts'

/** How a sandbox starts, and what `reset()` brings it back to. */
export interface SandboxOptions {
  /** Pets and keys; by default those of `fixtures/`. */
  readonly seed?: Seed
  /** Makes random ids, shuffled lists and random faults repeatable: an integer of 32 bits, 1 by default. */
  readonly randomSeed?: number
  /** What to do where the spec leaves something open. */
  readonly gaps?: GapSettings
  /** An instant to run on from, or settings; by default the system's time. */
  readonly clock?: ClockSettings | Instant
  /** `enforced` by default; `reported` counts and shows quota but refuses nothing. */
  readonly rateLimit?: RateLimitMode
  /** How many exchanges the journal keeps: 1,000 by default, 0 for none. */
  readonly journalSize?: number
}

/** One isolated pet store, and everything that can be done to it. */
export interface Sandbox extends Controls {
  /** Answers a request of the API, whose paths are under `/v1`. */
  readonly handle: Handler
  /**
   * Answers a request of the control API, whose paths are under `/_sandbox`.
   *
   * @param origin Where the sandbox is served, for the addresses in its answers.
   */
  handleControl(request: ApiRequest, origin?: string): Promise<Reply>
}

const optionNames = ['seed', 'randomSeed', 'gaps', 'clock', 'rateLimit', 'journalSize']

/**
 * Makes a sandbox, which shares nothing with any other.
 *
 * @throws {@link InputError} naming the option, what was found and what would do.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options, optionNames, 'create a sandbox')
  let beginning = readOptions(options)
  const hide: HideKeys = (text, token) => state.keys.hideIn(text, token)
  let state = createState(beginning, hide)
  const controls = createControls({
    state: () => state,
    replace: (next) => {
      state = next
    },
    reseed: (seed) => {
      beginning = { ...beginning, seed: { ...defaultSeed, ...parseSeed(seed) } }
    },
    fresh: () => createState(beginning, hide),
  })
  return Object.assign(controls, {
    handle: (request: ApiRequest) => handle(request, state),
    async handleControl(request: ApiRequest, origin = 'http://localhost') {
      // Loaded when it is used, since a browser seldom does.
      const { handleControl } = await import('./control/http/handle-control.ts')
      return await handleControl(request, { controls, origin })
    },
  })
}

/** What a sandbox begins with. */
interface Beginning {
  readonly seed: Required<ParsedSeed>
  readonly randomSeed: number
  readonly gaps: State['gaps']
  readonly clock: ClockSettings | Instant
  readonly rateLimit: RateLimitMode
  readonly journalSize: number
}

function readOptions(options: SandboxOptions): Beginning {
  const { seed, randomSeed, gaps, clock, rateLimit, journalSize } = options
  return {
    seed: seed === undefined ? defaultSeed : { ...defaultSeed, ...parseSeed(seed) },
    randomSeed: parseWhole(randomSeed ?? 1, -(2 ** 31), 2 ** 32 - 1, 'randomSeed'),
    gaps: gaps === undefined ? defaultGaps : parseGaps(gaps),
    clock: checkedClock(clock ?? {}),
    rateLimit: rateLimit === undefined ? 'enforced' : parseRateLimitMode(rateLimit),
    journalSize: parseWhole(journalSize ?? defaultJournalSize, 0, 1_000_000, 'journalSize'),
  }
}

/** Checks a clock's settings, and keeps them as they are now. */
function checkedClock(clock: ClockSettings | Instant): ClockSettings | Instant {
  parseClockSettings(clock)
  return structuredClone(clock)
}

function createState(beginning: Beginning, hide: HideKeys): State {
  const { seed, randomSeed, gaps, clock, rateLimit, journalSize } = beginning
  return {
    clock: new Clock(clock),
    pets: new Pets(seed.pets, randomSeed),
    keys: new Keys(seed.keys),
    quotas: new Quotas(),
    faults: new Faults(randomSeed),
    journal: new Journal(journalSize, hide),
    gaps,
    rateLimit,
  }
}
