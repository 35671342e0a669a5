import { type LateBetween, realNow, startTimer } from '../../../contract/real-time.ts'

/** Time between two looks at the event loop, in milliseconds. */
const tickMs = 25

/** Lateness that is kept at least, in milliseconds: less changes no finding. */
const keptLateMs = 10

/** Number of stalls that are kept; of earlier ones, only the longest. */
const keptStalls = 1_000

/** Time for which it goes on after the latest request, in milliseconds: no request is under way for longer. */
const watchedMs = 5_000

/**
 * Measures how late the event loop of a server is while requests arrive, so that no client is reported for what the machine
 * delayed. Node's monitorEventLoopDelay() has no instants, and doesn't know of a stall until it is over and a request after it
 * was handled.
 */
export class EventLoopLateness {
  #stalls: { readonly from: number; readonly to: number }[] = []
  /** The end of the latest stall that isn't kept any more, and the longest of them. */
  #forgotten = { to: Number.NEGATIVE_INFINITY, lateMs: 0 }
  #dueAt = Number.POSITIVE_INFINITY
  #watchedUntil = 0

  /** Goes on measuring for a while, since a request has arrived. */
  watch(): void {
    this.#watchedUntil = realNow() + watchedMs
    if (this.#dueAt === Number.POSITIVE_INFINITY) this.#wait()
  }

  /** Returns the longest stall between two instants of real time ({@link realNow}), in milliseconds. */
  readonly between: LateBetween = (fromMs, toMs) => {
    const now = realNow()
    let lateMs = this.#dueAt < toMs ? Math.max(0, now - this.#dueAt) : 0
    if (fromMs < this.#forgotten.to) lateMs = Math.max(lateMs, this.#forgotten.lateMs)
    for (let place = this.#stalls.length - 1; place >= 0; place--) {
      const stall = this.#stalls[place]
      if (stall === undefined || stall.to <= fromMs) break
      if (stall.from < toMs) lateMs = Math.max(lateMs, stall.to - stall.from)
    }
    return lateMs
  }

  #wait(): void {
    this.#dueAt = realNow() + tickMs
    startTimer(() => this.#tick(), tickMs).unref()
  }

  #tick(): void {
    const [from, to] = [this.#dueAt, realNow()]
    if (to - from >= keptLateMs) this.#stalls.push({ from, to })
    if (this.#stalls.length > keptStalls) this.#forget()
    this.#dueAt = Number.POSITIVE_INFINITY
    if (to < this.#watchedUntil) this.#wait()
  }

  #forget(): void {
    const [first] = this.#stalls.splice(0, 1)
    if (first === undefined) return
    const lateMs = Math.max(this.#forgotten.lateMs, first.to - first.from)
    this.#forgotten = { to: first.to, lateMs }
  }
}
