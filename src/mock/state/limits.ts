import { type GivenOf, type NamedSchema, object, withDefault } from '../input/object.ts'
import { described, type Output } from '../input/schema.ts'
import { integer } from '../input/values.ts'

/** The most pets of a sandbox, those of a seed or a snapshot included. */
export const mostPets = 100_000

/** The most keys of a sandbox, those of a seed or a snapshot included. */
export const mostKeys = 10_000

const limitProperties = {
  /** How many pets: 100,000 by default, which is also the most. */
  pets: withDefault(
    described('Pets in a sandbox; more are rejected', integer(0, mostPets)),
    mostPets,
  ),
  /** How many keys: 10,000 by default, which is also the most. */
  keys: withDefault(
    described('Keys in a sandbox; more are rejected', integer(0, mostKeys)),
    mostKeys,
  ),
} as const

/** How much can be added to each sandbox, as it is given. */
export interface LimitSettings extends GivenOf<typeof limitProperties> {}

/** How much can be added to each sandbox. */
export const sandboxLimits: NamedSchema<typeof limitProperties, LimitSettings> = object(
  limitProperties,
  { title: 'limits' },
)

/** How much can be added to each sandbox. */
export type SandboxLimits = Output<typeof sandboxLimits>

/** How much can be added where nothing else is said. */
export const defaultLimits: SandboxLimits = sandboxLimits.parse({})

/** How many characters the names of all pets of a sandbox may have together, so that a snapshot stays below 64 MiB. */
export const mostNameCharacters = 2_000_000

/** How many faults a sandbox may have. */
export const mostFaults = 1_000

/** Of how many invalid tokens a sandbox keeps the windows; the one unseen for longest goes first. */
export const mostUnknownTokens = 1_000
