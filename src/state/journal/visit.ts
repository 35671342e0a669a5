import { type DoorName, hasLeft, type Outcome, type Visit } from '../../contract/message.ts'
import { hostNow, realNow, Turns } from '../clock/real-time.ts'

/** Counts what happens to a sandbox: starts of requests, ends of answers, and marks. */
export class Sequence {
  #last = 0
  readonly turns = new Turns()

  get last(): number {
    return this.#last
  }

  next(): number {
    return ++this.#last
  }

  /** Goes on after a number, if it isn't further already. */
  goOnFrom(last: number): void {
    this.#last = Math.max(this.#last, last)
  }
}

/** What became of an answer: the client has it whole, left before that, or a fault broke it. */
export const deliveries = ['delivered', 'left', 'broken'] as const

export type Delivery = (typeof deliveries)[number]

/** What is known of a request's way in and its answer's way out. */
export interface VisitFacts {
  readonly door: DoorName
  /** Its connection; only servers know one. */
  readonly connection: number | undefined
  /** Real milliseconds ({@link realNow}). */
  readonly received: number
  readonly answered: number | undefined
  /** What the host's clock showed then, for clients that wait by faked timers; Unix milliseconds. */
  readonly receivedAt: number
  readonly answeredAt: number | undefined
  /** In which turns of the event loop that was. */
  readonly receivedTurn: number
  readonly answeredTurn: number | undefined
  /** Where its start stands in the sequence. */
  readonly startOrder: number
  /** Where the end of its answer stands in the sequence; `undefined` while it is on its way. */
  readonly answerOrder: number | undefined
  readonly delivery: Delivery | undefined
}

/** A request's way in and its answer's way out, as the journal keeps it. */
export class KeptVisit implements Visit, VisitFacts {
  readonly door: DoorName
  readonly connection: number | undefined
  readonly received: number
  readonly receivedAt: number
  readonly receivedTurn: number
  readonly startOrder: number
  answerOrder: number | undefined = undefined
  answered: number | undefined = undefined
  answeredAt: number | undefined = undefined
  answeredTurn: number | undefined = undefined
  delivery: Delivery | undefined = undefined
  readonly #sequence: Sequence
  /** What becomes of the answer, unless its client leaves. */
  #fate: Delivery = 'broken'

  constructor(door: DoorName, connection: number | undefined, sequence: Sequence) {
    this.door = door
    this.connection = connection
    this.#sequence = sequence
    this.startOrder = sequence.next()
    this.received = realNow()
    this.receivedAt = hostNow(this.received)
    this.receivedTurn = sequence.turns.now
  }

  /** Notes what the request led to: a plain reply is with its client, all else only when its door says so. */
  settle(outcome: Outcome, owner: AbortSignal | undefined): void {
    if (this.delivery !== undefined) return
    if (hasLeft(owner)) {
      this.leave()
      return
    }
    const isWhole =
      outcome.kind === 'reply' || (outcome.kind === 'broken-reply' && outcome.end === 'whole')
    this.#fate = isWhole ? 'delivered' : 'broken'
    if (outcome.kind === 'reply') this.end()
  }

  end(): void {
    if (this.delivery === undefined) this.#close(this.#fate)
  }

  leave(): void {
    if (this.delivery === undefined || this.delivery === 'delivered') this.#close('left')
  }

  #close(delivery: Delivery): void {
    this.delivery = delivery
    this.answerOrder = this.#sequence.next()
    this.answered = realNow()
    this.answeredAt = hostNow(this.answered)
    this.answeredTurn = this.#sequence.turns.now
  }
}
