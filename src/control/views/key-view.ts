import { maxLimit, plans } from '../../contract/plans.ts'
import { instantText } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { described, type Given, named } from '../../input/schema.ts'
import { nameIn, oneOf, string, whole } from '../../input/values.ts'

const count = whole(0, 1e15)

/** What a window has left. */
const windowView = object(
  {
    limit: count,
    remaining: count,
    /** ISO 8601 in UTC. */
    resetAt: instantText,
    /** How many were refused because it was full; one more than the gap banAfter allows bans the key. */
    refused: count,
  },
  { unknown: 'ignore' },
)

/** Limits as they are shown. */
export const limitsView = named(
  'Limits',
  object({ minute: whole(1, maxLimit), day: whole(1, maxLimit) }),
)

const keyStates = ['active', 'exhausted', 'banned', 'expired', 'revoked'] as const

/** A key, and what it has left. */
export const keyView = named(
  'Key',
  object(
    {
      key: string,
      plan: nameIn(plans),
      limits: limitsView,
      /** Whether it is served (`active`), or why not. */
      state: described('Whether it is served (`active`), or why not.', oneOf(keyStates)),
      expiresAt: optional(instantText),
      bannedUntil: optional(instantText),
      minute: windowView,
      day: windowView,
    },
    { unknown: 'ignore' },
  ),
)

/** A key, and what it has left. */
export type KeyView = Given<typeof keyView>
