import type { VisitFacts } from '../../state/exchange.ts'
import type { Seen } from '../seen.ts'

/** How a key is used, whatever the connections. */
export class KeyUse {
  /** Whether two of its requests have ever been under way at a time: then each connection may be another client. */
  isParallel = false
  /** Where the latest request of the key stands that showed what pets there are; 0 for none. */
  lastLookOrder = 0
  #former: VisitFacts | undefined
  #lastAnswerOrder = 0

  /** Notes that a request came. */
  arrive(visit: VisitFacts): void {
    if (this.#isUnderWayWith(visit)) this.isParallel = true
    this.#lastAnswerOrder = Math.max(this.#lastAnswerOrder, visit.answerOrder ?? visit.startOrder)
    this.#former = visit
  }

  /** Notes what a reply has shown the client: nothing, unless it arrived whole. */
  keep({ operation, arrivedStatus: status, visit }: Seen): void {
    const isRead = operation === 'listPets' || operation === 'getPet'
    if (isRead && status !== undefined && status < 400) this.lastLookOrder = visit.startOrder
  }

  /** Whether a request was sent before the one that was answered before it had ended. */
  #isUnderWayWith({ startOrder, connection, receivedTurn }: VisitFacts): boolean {
    const former = this.#former
    if (former === undefined) return false
    // The end of a slow body may not have been known before.
    if (startOrder < Math.max(this.#lastAnswerOrder, former.answerOrder ?? 0)) return true
    // What lay on another connection when this one was answered was sent before the answer could be read.
    const isElsewhere = connection !== undefined && connection !== former.connection
    return isElsewhere && former.connection !== undefined && receivedTurn === former.answeredTurn
  }
}
