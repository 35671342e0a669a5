import { type LateBetween, realNow, startTimer } from '../../../mock/api/real-time.ts'

/** Time between two checks of the event loop, in milliseconds. */
const tickMs = 25

/** Minimum lateness to record, in milliseconds; less doesn't change any finding. */
const keptLateMs = 10

/** Maximum number of recorded stalls; beyond it, the earliest two are merged. */
const keptStalls = 1_000

/**
 * Number of checks after the latest request or response, five seconds or more: requests and responses aren't in transit
 * for longer.
 */
const watchedTicks = 200

/** A period in which the event loop was late. */
interface Stall {
  readonly from: number
  readonly to: number
  /** Maximum delay in that period, in milliseconds. */
  readonly lateMs: number
}

/**
 * Measures how late the event loop of a server is while requests arrive, so that no client is reported for a delay of
 * the machine. Node's monitorEventLoopDelay() has no timestamps, and doesn't notice a stall until it is over and a
 * request after it was handled.
 */
export class EventLoopLateness {
  readonly #stalls: Stall[] = []
  #dueAt = Number.POSITIVE_INFINITY
  #ticksLeft = 0

  /** Continues measuring for a while, because a request has arrived or a response has ended. */
  watch(): void {
    this.#ticksLeft = watchedTicks
    if (this.#dueAt === Number.POSITIVE_INFINITY) this.#wait()
  }

  /** Returns the longest stall between two instants of real time ({@link realNow}), in milliseconds. */
  readonly between: LateBetween = (fromMs, toMs) => {
    const now = realNow()
    let lateMs = this.#dueAt < toMs ? Math.max(0, now - this.#dueAt) : 0
    for (let place = this.#stalls.length - 1; place >= 0; place--) {
      const stall = this.#stalls[place]
      if (stall === undefined || stall.to <= fromMs) break
      if (stall.from < toMs) lateMs = Math.max(lateMs, stall.lateMs)
    }
    return lateMs
  }

  #wait(): void {
    this.#dueAt = realNow() + tickMs
    startTimer(() => this.#tick(), tickMs).unref()
  }

  #tick(): void {
    const [from, to] = [this.#dueAt, realNow()]
    const lateMs = to - from
    if (lateMs >= keptLateMs) this.#stalls.push({ from, to, lateMs })
    if (this.#stalls.length > keptStalls) this.#joinEarliest()
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#ticksLeft--
    if (this.#ticksLeft > 0) this.#wait()
  }

  #joinEarliest(): void {
    const [one, other] = this.#stalls.splice(0, 2)
    if (one === undefined || other === undefined) return
    const lateMs = Math.max(one.lateMs, other.lateMs)
    this.#stalls.unshift({ from: one.from, to: other.to, lateMs })
  }
}
