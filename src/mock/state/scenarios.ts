import { gapSettings } from '../api/gaps.ts'
import { int64 } from '../api/int64.ts'
import { petSchema } from '../api/pet.ts'
import { maxLimit, windowNames } from '../api/plans.ts'
import { list, object, optional, variant } from '../input/object.ts'
import type { Output, Schema } from '../input/schema.ts'
import { instant, integer, nullable, oneOf, string } from '../input/values.ts'

/** A change that a scenario made, as what it replaced; stopping the scenario brings this back. */
const replaced = variant(
  'of',
  {
    /** Requests that were left to a key in a window, which the scenario exhausted. */
    quota: object({
      of: oneOf(['quota']),
      key: string,
      window: oneOf(windowNames),
      remaining: integer(0, maxLimit),
    }),
    /** The scenario banned a key. */
    ban: object({ of: oneOf(['ban']), key: string }),
    /** Instant at which a key expired before; `null` for never. */
    expiry: object({ of: oneOf(['expiry']), key: string, expiresAt: nullable(instant) }),
    /** The scenario revoked a key. */
    revocation: object({ of: oneOf(['revocation']), key: string }),
    fault: object({ of: oneOf(['fault']), id: integer(1, 1e12) }),
    gaps: object({ of: oneOf(['gaps']), gaps: gapSettings }),
    /** The time of the clock before; `null` if it was the system's. */
    clock: object({ of: oneOf(['clock']), now: nullable(instant) }),
    pets: object({
      of: oneOf(['pets']),
      /** The pets that the scenario took away. */
      removed: list(petSchema),
      /** The ids of those that it added. */
      added: list(int64),
    }),
  },
  '{ "of": "fault", "id": 1 }',
)

/** A change that a scenario made. */
export type Replaced = Output<typeof replaced>

const applied = object({
  name: string,
  /** The key to which it was applied; absent for all keys. */
  key: optional(string),
  replaced: list(replaced),
})

/** A scenario that was set up and not stopped. */
export interface AppliedScenario {
  readonly name: string
  /** The key to which it was applied; `undefined` for all keys. */
  readonly key: string | undefined
  readonly replaced: readonly Replaced[]
}

/** The applied scenarios in a snapshot, in the order in which they were set up. */
export const savedScenarios: Schema<unknown, readonly AppliedScenario[]> = list(applied)
