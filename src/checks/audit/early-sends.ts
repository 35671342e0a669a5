/** Number of refusals of one request that are kept; after so many, nothing more is counted. */
const maxRefusals = 5_000

/** A time in which a client that was refused may not send its request again, in Unix milliseconds. */
interface Wait {
  readonly from: number
  readonly until: number
}

/**
 * Counts how often one request was sent before any `Retry-After` allowed it to be sent again. Each refusal allows one retry,
 * once its `Retry-After` has passed; so whoever sends more without that has retried too early, over whichever connections.
 */
export class EarlySends {
  #waits: readonly Wait[] = []
  #sent = 0
  #allowed = 0
  #most = 0

  /** The highest number there has been of requests that no refusal allowed: the first ones, and retries that were too early. */
  get most(): number {
    return this.#most
  }

  /**
   * Notes a request, in the order in which the responses ended.
   *
   * @param at When it arrived, in Unix milliseconds.
   * @param retryAt When its response allowed the next try; `undefined` if it wasn't refused.
   */
  see(at: number, retryAt: number | undefined): void {
    if (this.#waits.length >= maxRefusals) return
    // Timers may fire a millisecond early; a clock that was set back shows nothing.
    const waits = this.#waits.filter(({ from, until }) => at >= from && at < until - 1)
    this.#allowed += this.#waits.length - waits.length
    this.#waits = retryAt === undefined ? waits : [...waits, { from: at, until: retryAt }]
    this.#sent++
    this.#most = Math.max(this.#most, this.#sent - this.#allowed)
  }

  /** Allows a retry after each refusal so far, since the sandbox was reset. */
  allowAll(): void {
    this.#allowed += this.#waits.length
    this.#waits = []
  }
}
