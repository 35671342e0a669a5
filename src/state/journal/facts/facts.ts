import { errorCodes } from '../../../contract/error.ts'
import { gaps } from '../../../contract/gaps.ts'
import { doorNames } from '../../../contract/message.ts'
import { instantText } from '../../../input/instant.ts'
import { type GivenOf, object, optional } from '../../../input/object.ts'
import { nameIn, number, oneOf, string, whole } from '../../../input/values.ts'
import { deliveries } from './visit.ts'

const order = whole(0, 1e15)

const realMs = number('a time in milliseconds', { minimum: 0, maximum: 1e15 })

/** What is known of an exchange besides its messages, for who judges or counts it. */
export const factProperties = {
  /** What decided how it was answered. */
  decision: object({
    /** The error code of a refusal, however the gap `errorCodes` writes it. */
    code: optional(nameIn(errorCodes)),
    /** The deciding clause; absent for an error that a fault injected. */
    clause: optional(string),
    /** The gap whose choice decided. */
    gap: optional(nameIn(gaps)),
    /** From when on the request would be served, if only time is needed. */
    retryAt: optional(instantText),
    /** The id of the pet that it added, in digits, whether or not the answer arrived. */
    petId: optional(string),
    /** How many pets fit what a list was asked for. */
    total: optional(order),
  }),
  /** Where its start and the end of its answer stand, in one sequence with those of all others and the marks. */
  order: object({ start: order, answer: optional(order) }),
  /** When the request came, in real milliseconds on a clock of the host that never goes back. */
  received: realMs,
  /** When its answer ended, on the same clock; absent while it is on its way. */
  answered: optional(realMs),
  /** The number of the key or other token; `key` alone may be the beginning of several. */
  caller: order,
  /** The number of its connection; only servers know one. */
  connection: optional(order),
  /** Through which door it came; `direct` is a call of the sandbox's `handle`. */
  door: oneOf(doorNames),
  /** Whether the client has the whole answer, left before, or a fault broke it; absent while it is on its way. */
  delivery: optional(oneOf(deliveries)),
} as const

/** What is known of an exchange besides its messages. */
export type Facts = GivenOf<typeof factProperties>
