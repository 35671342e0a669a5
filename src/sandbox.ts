import { defaultGaps, type GapChoices, type GapSettings, parseGaps } from './contract/gaps.ts'
import { checkOptions, InputError, parseWhole, show } from './contract/input.ts'
import type { Instant } from './contract/instant.ts'
import type { Handler } from './contract/message.ts'
import type { PerWindow } from './contract/plans.ts'
import { handle } from './engine/handle.ts'
import { defaultSeed } from './seed/default-seed.ts'
import { type ParsedSeed, parseSeed, type Seed } from './seed/seed.ts'
import { Clock, type ClockSettings } from './state/clock.ts'
import { type ApiKey, Keys, parseRemaining } from './state/keys.ts'
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
}

/** One isolated pet store. */
export interface Sandbox {
  /** Answers a request of the API, whose paths are under `/v1`. */
  readonly handle: Handler
  /** The only source of time. */
  readonly clock: Clock
  readonly keys: {
    /** All keys, in the order of the seed. */
    list(): ApiKey[]
    /** Sets how many requests a key has left in its current windows. */
    setRemaining(key: string, remaining: PerWindow): void
  }
  readonly pets: {
    /** How many pets there are. */
    readonly size: number
  }
  /** The choices in force. */
  readonly gaps: GapChoices
  readonly rateLimit: RateLimitMode
  /** Changes choices; those left out stay. */
  setGaps(settings: GapSettings): void
  setRateLimit(mode: RateLimitMode): void
  /** Goes back to the start at once; requests under way end in the old state. */
  reset(): void
}

const optionNames = ['seed', 'randomSeed', 'gaps', 'clock', 'rateLimit']

/**
 * Makes a sandbox, which shares nothing with any other.
 *
 * @throws {@link InputError} naming the option, what was found and what would do.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  checkOptions(options, optionNames, 'create a sandbox')
  const begin = { ...options, seed: options.seed === undefined ? {} : parseSeed(options.seed) }
  let state = createState(begin)
  return {
    handle: (request) => handle(request, state),
    get clock() {
      return state.clock
    },
    keys: {
      list: () => state.keys.all(),
      setRemaining(key, remaining) {
        const { keys, quotas, clock, gaps } = state
        const found = keys.find(key)
        if (found === undefined) {
          throw new InputError(
            `Cannot set the remaining requests of ${show(key)}: there is no such key`,
          )
        }
        const usage = quotas.ofKey(found, clock.now(), gaps.quotaWindow)
        usage.setRemaining(parseRemaining(remaining, found.limits), found.limits)
      },
    },
    pets: {
      get size() {
        return state.pets.size
      },
    },
    get gaps() {
      return state.gaps
    },
    get rateLimit() {
      return state.rateLimit
    },
    setGaps(settings) {
      state.gaps = parseGaps(settings, state.gaps)
    },
    setRateLimit(mode) {
      state.rateLimit = parseRateLimitMode(mode)
    },
    reset() {
      state = createState(begin)
    },
  }
}

type BeginOptions = Omit<SandboxOptions, 'seed'> & { readonly seed: ParsedSeed }

function createState({ seed, randomSeed = 1, gaps, clock, rateLimit }: BeginOptions): State {
  const number = parseWhole(randomSeed, -(2 ** 31), 2 ** 32 - 1, 'randomSeed')
  return {
    clock: new Clock(clock),
    pets: new Pets(seed.pets ?? defaultSeed.pets, number),
    keys: new Keys(seed.keys ?? defaultSeed.keys),
    quotas: new Quotas(),
    gaps: gaps === undefined ? defaultGaps : parseGaps(gaps),
    rateLimit: rateLimit === undefined ? 'enforced' : parseRateLimitMode(rateLimit),
  }
}
