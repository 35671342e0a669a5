import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import type { Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'

/** How many requests leave a sliding window at an instant. */
interface Slot {
  /** Unix milliseconds, on a whole second. */
  readonly endAt: number
  count: number
}

const savedSlot = object({ endAt: whole(0, 9e15), count: whole(1, 9e15) })

/** The slots of a window in a snapshot. */
export const savedSlots = list(savedSlot)

/**
 * When the requests of a sliding window leave it, in slots: seconds of a minute, minutes of a day. So there are at most
 * 1,441, however many requests they stand for; each request counts for the time of the window, and up to a slot more.
 */
export class Slots {
  readonly #lengthMs: number
  readonly #slotMs: number
  /** The earliest first. */
  readonly #slots: Slot[]
  /** How many requests they stand for. */
  count: number

  /** @param lengthMs How long a request counts. */
  constructor(lengthMs: number, saved: Read<typeof savedSlots> = []) {
    this.#lengthMs = lengthMs
    this.#slotMs = lengthMs > 3_600_000 ? 60_000 : 1_000
    this.#slots = saved.map(({ endAt, count }) => ({ endAt, count }))
    this.count = saved.reduce((sum, { count }) => sum + count, 0)
  }

  /** Counts requests at an instant, later ones than it has. */
  add(now: number, count: number): void {
    const endAt = this.endOf(now)
    const last = this.#slots.at(-1)
    if (last?.endAt === endAt) last.count += count
    else this.#slots.push({ endAt, count })
    this.count += count
  }

  /** Takes the latest requests out again. */
  takeBack(count: number): void {
    let left = count
    for (let last = this.#slots.at(-1); last !== undefined && left > 0; last = this.#slots.at(-1)) {
      const taken = Math.min(left, last.count)
      last.count -= taken
      left -= taken
      this.count -= taken
      if (last.count === 0) this.#slots.pop()
    }
  }

  /** Drops the requests that have left the window, and those that lie ahead since the clock was set back; says how many. */
  drop(now: number): number {
    const before = this.count
    for (
      let [first] = this.#slots;
      first !== undefined && first.endAt <= now;
      [first] = this.#slots
    ) {
      this.#slots.shift()
      this.count -= first.count
    }
    const latestEndAt = this.endOf(now)
    for (let last = this.#slots.at(-1); last !== undefined; last = this.#slots.at(-1)) {
      if (last.endAt <= latestEndAt) break
      this.takeBack(last.count)
    }
    return before - this.count
  }

  /** When no more than `most` requests are left; `undefined` where even none would be too many. */
  whenAtMost(most: number): number | undefined {
    let left = this.count
    for (const { endAt, count } of this.#slots) {
      left -= count
      if (left <= most) return endAt
    }
    return undefined
  }

  /** When a request of an instant leaves the window. */
  endOf(now: number): number {
    return Math.ceil(now / this.#slotMs) * this.#slotMs + this.#lengthMs
  }

  save(): Read<typeof savedSlots> {
    return this.#slots.map(({ endAt, count }) => ({ endAt, count }))
  }
}
