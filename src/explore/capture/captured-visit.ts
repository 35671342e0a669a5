import type { CapturedVisit } from '../../control/reports/capture-file.ts'
import { toMicroseconds, type VisitFacts } from '../../state/exchange.ts'

/** Gives what a capture has of a visit. */
export function capturedVisit(visit: VisitFacts): CapturedVisit {
  const { door, connection, delivery, endedAt } = visit
  const { startOrder, received, receivedAt, receivedTurn } = visit
  const { answerOrder, answered = 0, answeredAt = 0, answeredTurn = 0 } = visit
  const moment = (order: number, real: number, host: number, turn: number) => ({
    ...{ order, turn },
    ...{ real: toMicroseconds(real), host: toMicroseconds(host) },
  })
  return {
    ...{ door, connection, delivery, endedAt },
    received: moment(startOrder, received, receivedAt, receivedTurn),
    answered:
      answerOrder === undefined
        ? undefined
        : moment(answerOrder, answered, answeredAt, answeredTurn),
  }
}

/** Gives what is known of a visit that a capture has. */
export function visitFactsOf({ received, answered, ...rest }: CapturedVisit): VisitFacts {
  return {
    ...rest,
    ...{ startOrder: received.order, received: received.real },
    ...{ receivedAt: received.host, receivedTurn: received.turn },
    ...{ answerOrder: answered?.order, answered: answered?.real },
    ...{ answeredAt: answered?.host, answeredTurn: answered?.turn },
  }
}
