import { type GapValues, gapSettings } from '../api/gaps.ts'
import { petSettings } from '../api/pet.ts'
import { type GivenOf, list, type NamedSchema, object, optional } from '../input/object.ts'
import { type Output, refined, type Schema, ValidationError } from '../input/schema.ts'
import { flag, integer, oneOf } from '../input/values.ts'
import type { Redactor } from '../log/redactor.ts'
import { type SharedLimits, type SharedMemory, sharedLimits } from '../log/shared-memory.ts'
import { type ClockStart, clockStart } from './clock.ts'
import { type ApiKey, keySettings } from './keys.ts'
import { type LimitSettings, type SandboxLimits, sandboxLimits } from './limits.ts'

/** Rejects lists in which two items have the same value of a property. */
function unique<Given, Name extends string, Item extends Readonly<Record<Name, unknown>>>(
  schema: Schema<Given, Item[]>,
  name: Name,
): Schema<Given, Item[]> {
  const check = (items: Item[]): Item[] => {
    const firstAt = new Map<unknown, number>()
    items.forEach((item, index) => {
      if (item[name] === undefined) return
      const earlier = firstAt.get(item[name])
      if (earlier !== undefined) {
        throw new ValidationError(`item ${earlier} has the same; use another`, [index, name])
      }
      firstAt.set(item[name], index)
    })
    return items
  }
  return refined(schema, check, (items) => items)
}

/** The pets of a seed, with unique ids; pets without an id get the next one of the sequence. */
export const seedPets = unique(list(petSettings), 'id')

/** A parsed pet of a seed. */
type SeedPet = Output<typeof petSettings>

/** The keys of a seed, with unique texts. */
export const seedKeys = unique(list(keySettings), 'key')

const seedProperties = {
  /** The pets; by default those of the default seed. Pets without an id get the next one of the sequence. */
  pets: optional(seedPets),
  /** The keys; by default those of the default seed. */
  keys: optional(seedKeys),
} as const

/**
 * The initial data of a sandbox. An omitted part is that of the default seed; in a `replaceSeed()`, that of the
 * options.
 */
export interface Seed extends GivenOf<typeof seedProperties> {}

/** A seed from outside. */
export const seedSettings: NamedSchema<typeof seedProperties, Seed> = object(seedProperties, {
  title: 'seed',
  example: '{ "pets": [], "keys": [] }',
})

/** A parsed seed. */
export type SeedPart = Output<typeof seedSettings>

/** The rate-limit modes: `report-only` counts requests and sends the headers as `enforce` does, but rejects nothing. */
export const rateLimitModes = ['enforce', 'report-only'] as const

/** The rate-limit mode: `enforce`, or `report-only` to avoid 429 for an exhausted quota. */
export type RateLimitMode = (typeof rateLimitModes)[number]

/** The rate-limit mode. */
export const rateLimitMode: Schema<RateLimitMode> = oneOf(rateLimitModes)

/** The options of every sandbox. */
const options = {
  /** Pets and keys; by default 30 pets and nine test keys. */
  seed: optional(seedSettings),
  /** Seed of random ids, shuffled lists and random faults: a 32-bit integer, 1 by default. */
  randomSeed: optional(integer(-(2 ** 31), 2 ** 32 - 1)),
  /** Values of gaps, which the spec leaves open; each has a default. */
  gaps: optional(gapSettings),
  /** Clock settings, or the instant from which the clock runs; by default the system's time. */
  clock: optional(clockStart),
  /**
   * The rate-limit mode: `enforce` by default; `report-only` counts requests and sends the headers, but rejects
   * nothing.
   */
  rateLimits: optional(rateLimitMode),
  /** Number of requests that the request log keeps: 1,000 by default, 0 to keep none. */
  maxRequests: optional(integer(0, 1_000_000)),
  /**
   * Whether to record coverage from the first request on; by default only if the variable `PETSTORE_CHECK_DIR` names a
   * folder. Otherwise the first call of `coverage()` counts the requests in the log.
   */
  coverage: optional(flag),
} as const

const allLimits = { ...sandboxLimits.properties, ...sharedLimits.properties } as const

/** Limits of the contents and the memory of a sandbox. */
export interface OwnLimits extends LimitSettings, SharedLimits {}

const ownLimits: NamedSchema<typeof allLimits, OwnLimits> = object(allLimits, { title: 'limits' })

const ownOptions = {
  ...options,
  /** Maximum numbers of pets and keys, and the memory for requests. */
  limits: optional(ownLimits),
} as const

/** The options of a sandbox that shares its memory with others, by name. */
export const sharedOptions = {
  ...options,
  /** Maximum numbers of pets and keys. */
  limits: optional(sandboxLimits),
} as const

/** The options of a sandbox; `reset()` returns to the state that they describe. */
export interface SandboxOptions extends GivenOf<typeof ownOptions> {}

/** The options of a sandbox in a pool. */
export interface SharedSandboxOptions extends GivenOf<typeof sharedOptions> {}

/** The options of a sandbox. */
export const sandboxOptions: NamedSchema<typeof ownOptions, SandboxOptions> = object(ownOptions)

/** The options of a sandbox that shares its memory with others. */
export const sharedSandboxOptions: NamedSchema<typeof sharedOptions, SharedSandboxOptions> =
  object(sharedOptions)

/** Parsed {@link SharedSandboxOptions}. */
export type ReadSandboxOptions = Output<typeof sharedSandboxOptions>

/** The parsed configuration of a sandbox; `reset()` returns to the state that it describes. */
export interface SandboxConfig {
  readonly seed: { readonly pets: readonly SeedPet[]; readonly keys: readonly ApiKey[] }
  readonly randomSeed: number
  readonly gaps: GapValues
  readonly clock: ClockStart
  readonly rateLimits: RateLimitMode
  readonly maxRequests: number
  readonly limits: SandboxLimits
  /** The memory that it shares with other sandboxes. */
  readonly memory: SharedMemory
  readonly redactor: Redactor
  /** Secrets to hide besides keys; may grow. */
  readonly secrets: ReadonlySet<string>
}
