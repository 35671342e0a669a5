import { yieldToEventLoop } from '../contract/yield-to-event-loop.ts'
import { InputError } from '../input/input-error.ts'
import { realNow } from '../state/clock.ts'

/** How long a replay keeps a thread at most before others get a turn. */
const sliceMs = 8

/** Lets others have a turn now and then, while something takes long. */
export class Turns {
  readonly #owner: AbortSignal | undefined
  #sliceEndsAt = realNow() + sliceMs

  /** @param owner Aborts when nobody waits for the end any more. */
  constructor(owner?: AbortSignal) {
    this.#owner = owner
  }

  /** Whether others are due, or nobody waits any more. */
  get areDue(): boolean {
    return this.#owner?.aborted === true || realNow() > this.#sliceEndsAt
  }

  /** @throws {@link InputError} when nobody waits any more. */
  async give(): Promise<void> {
    await yieldToEventLoop()
    if (this.#owner?.aborted) throw new InputError('Cannot go on: nobody waits for the answer')
    this.#sliceEndsAt = realNow() + sliceMs
  }
}
