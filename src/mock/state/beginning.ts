import { type GivenOf, list, type NamedSchema, object, optional } from '../input/object.ts'
import { type Input, type Output, refined, type Schema, ValidationError } from '../input/schema.ts'
import { flag, integer, oneOf } from '../input/values.ts'
import { type SharedLimits, type SharedMemory, sharedLimits } from '../log/byte-budget.ts'
import type { Redactor } from '../log/redactor.ts'
import { type GapValues, gapSettings } from '../spec/gaps.ts'
import { petSettings } from '../spec/pet.ts'
import { type ClockStart, clockStart } from './clock.ts'
import { type ApiKey, keySettings } from './keys.ts'
import { type LimitSettings, type SandboxLimits, sandboxLimits } from './limits.ts'

/** Refuses two items that have the same in a property. */
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

/** The pets of a seed, no two with the same id; those without one get the next of the sequence. */
export const seedPets = unique(list(petSettings), 'id')

/** A parsed pet of a seed. */
type SeedPet = Output<typeof petSettings>

/** The keys of a seed, no two with the same text. */
export const seedKeys = unique(list(keySettings), 'key')

const seedProperties = {
  /** The pets; by default those of the default seed. One without an id gets the next of the sequence. */
  pets: optional(seedPets),
  /** The keys; by default those of the default seed. */
  keys: optional(seedKeys),
} as const

/** What a sandbox starts with. A part left out is that of the default seed; in a replaceSeed(), that of the options. */
export interface Seed extends GivenOf<typeof seedProperties> {}

/** A seed from outside. */
export const seedSettings: NamedSchema<typeof seedProperties, Seed> = object(seedProperties, {
  title: 'seed',
  example: '{ "pets": [], "keys": [] }',
})

/** A parsed seed. */
export type SeedPart = Output<typeof seedSettings>

/** `report-only` counts requests and sends the headers as `enforce` does, but refuses nothing. */
export const rateLimitModes = ['enforce', 'report-only'] as const

/** How limits act: `enforce`, or `report-only` to have no 429 for a used-up quota. */
export type RateLimitMode = (typeof rateLimitModes)[number]

/** How limits act. */
export const rateLimitMode: Schema<RateLimitMode> = oneOf(rateLimitModes)

/** What every sandbox takes as options. */
const options = {
  /** Pets and keys; by default those of `fixtures/`. */
  seed: optional(seedSettings),
  /** Makes random ids, shuffled lists and random faults repeatable: a 32-bit integer, 1 by default. */
  randomSeed: optional(integer(-(2 ** 31), 2 ** 32 - 1)),
  /** Values where the spec leaves something open. */
  gaps: optional(gapSettings),
  /** Clock settings, or an instant to run on from; by default the system's time. */
  clock: optional(clockStart),
  /** `enforce` by default; `report-only` counts requests and sends the headers, but refuses nothing. */
  rateLimits: optional(rateLimitMode),
  /** How many exchanges the journal keeps: 1,000 by default, 0 for none. */
  maxRequests: optional(integer(0, 1_000_000)),
  /**
   * Whether to record coverage from the first request on: `false` by default, but `true` where the variable
   * `PETSTORE_CHECK_DIR` names a folder. Otherwise the first call of `coverage()` counts the requests in the journal, but
   * not their gap values.
   */
  coverage: optional(flag),
} as const

const allLimits = { ...sandboxLimits.properties, ...sharedLimits.properties } as const

/** How much a sandbox may hold, and take in memory. */
export interface OwnLimits extends LimitSettings, SharedLimits {}

const ownLimits: NamedSchema<typeof allLimits, OwnLimits> = object(allLimits, { title: 'limits' })

/** The options of a sandbox. */
export const sandboxOptions = object({
  ...options,
  /** How much it may hold, and take in memory. */
  limits: optional(ownLimits),
})

/** The options of a sandbox that shares its memory with others. */
export const sharedSandboxOptions = object({
  ...options,
  /** How much it may hold. */
  limits: optional(sandboxLimits),
})

/** How a sandbox starts, and what `reset()` returns it to. */
export type SandboxOptions = Input<typeof sandboxOptions>

/** How a sandbox of a pool starts. */
export type SharedSandboxOptions = Input<typeof sharedSandboxOptions>

/** Parsed {@link SharedSandboxOptions}. */
export type ReadSandboxOptions = Output<typeof sharedSandboxOptions>

/** What a sandbox begins with, and `reset()` returns it to. */
export interface SandboxConfig {
  readonly seed: { readonly pets: readonly SeedPet[]; readonly keys: readonly ApiKey[] }
  readonly randomSeed: number
  readonly gaps: GapValues
  readonly clock: ClockStart
  readonly rateLimits: RateLimitMode
  readonly maxRequests: number
  readonly limits: SandboxLimits
  /** What it shares with other sandboxes. */
  readonly memory: SharedMemory
  readonly redactor: Redactor
  /** What is hidden beside keys; may grow. */
  readonly secrets: ReadonlySet<string>
}
