import { type GivenOf, type NamedSchema, object, withDefault } from '../input/object.ts'
import { described, type Output } from '../input/schema.ts'
import { integer } from '../input/values.ts'

/** Maximum number of pets in a sandbox, including those of a seed or a snapshot. */
export const maxPets = 100_000

/** Maximum number of keys in a sandbox, including those of a seed or a snapshot. */
export const maxKeys = 10_000

const limitProperties = {
  /** Maximum number of pets: 100,000 by default, which is also the highest value. */
  pets: withDefault(
    described('Pets in a sandbox; more are rejected', integer(0, maxPets)),
    maxPets,
  ),
  /** Maximum number of keys: 10,000 by default, which is also the highest value. */
  keys: withDefault(
    described('Keys in a sandbox; more are rejected', integer(0, maxKeys)),
    maxKeys,
  ),
} as const

/** Limits of what can be added to each sandbox, as users write them. */
export interface LimitSettings extends GivenOf<typeof limitProperties> {}

/** Limits of what can be added to each sandbox. */
export const sandboxLimits: NamedSchema<typeof limitProperties, LimitSettings> = object(
  limitProperties,
  { title: 'limits' },
)

/** Parsed {@link LimitSettings}. */
export type SandboxLimits = Output<typeof sandboxLimits>

/** The default limits of a sandbox. */
export const defaultLimits: SandboxLimits = sandboxLimits.parse({})

/** Maximum total length of all pet names in a sandbox, in characters; it keeps a snapshot below 64 MiB. */
export const maxNameCharacters = 2_000_000

/** Maximum number of faults in a sandbox. */
export const maxFaults = 1_000

/** Number of invalid tokens whose quotas a sandbox tracks; the least recently used is evicted first. */
export const maxUnknownTokens = 1_000
