import { formatInstant } from '../../../input/instant.ts'
import { definedOf } from '../../../input/record.ts'
import type { Exchange } from '../exchange.ts'
import { decisionOf } from './decision.ts'
import type { Facts } from './facts.ts'

/** Gives what is known of an exchange besides its messages. */
export function factsOf(exchange: Exchange): Facts {
  const { visit, refusal, petId, total, caller } = exchange
  const { door, connection, startOrder, answerOrder, received, answered, delivery } = visit
  const retryAt = refusal?.retryAt
  return {
    decision: definedOf({
      ...decisionOf(exchange),
      retryAt: retryAt === undefined ? undefined : formatInstant(retryAt),
      petId: petId === undefined ? undefined : String(petId),
      total,
    }),
    order: { start: startOrder, ...definedOf({ answer: answerOrder }) },
    received: toMicroseconds(received),
    caller,
    door,
    ...definedOf({
      answered: answered === undefined ? undefined : toMicroseconds(answered),
      connection,
      delivery,
    }),
  }
}

/** Rounds milliseconds to whole microseconds. */
function toMicroseconds(ms: number): number {
  return Math.round(ms * 1000) / 1000
}
