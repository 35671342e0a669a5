/** How much of a body in pieces was sent. */
export interface BodyEnd {
  readonly bytes: number
  /** When its last piece had been sent, or its client had left; Unix milliseconds. */
  readonly at: number
}

/** What is known of the sending of a body in pieces, which goes on when its exchange is in the journal already. */
export class SentBody {
  #end: BodyEnd | undefined

  /** How it ended; `undefined` while pieces are still to come. */
  get end(): BodyEnd | undefined {
    return this.#end
  }

  /** Notes that no more will be sent. */
  note(end: BodyEnd): void {
    this.#end = end
  }
}
