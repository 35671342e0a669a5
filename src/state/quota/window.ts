import type { GapChoices } from '../../contract/gaps.ts'
import { type Limits, maxLimit } from '../../contract/plans.ts'
import { windowsMs } from '../../contract/windows.ts'
import { object, optional } from '../../input/object.ts'
import type { Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'
import { Slots, savedSlots } from './slots.ts'

const mostMs = 8.64e15

/** A window in a snapshot. */
export const savedWindow = object({
  startAt: whole(0, mostMs),
  endAt: whole(0, mostMs),
  used: whole(-maxLimit, mostMs),
  refused: whole(0, mostMs),
  /** Those of a sliding window. */
  slots: optional(savedSlots),
})

/** One window of one caller: how many requests it has used. It begins and ends on a whole second. */
export class Window {
  readonly name: keyof Limits
  readonly #lengthMs: number
  #startAt = Number.POSITIVE_INFINITY
  #endAt = Number.NEGATIVE_INFINITY
  used = 0
  /** How many requests were refused because it was full. */
  refused = 0
  /** When its requests leave it, if it slides; what has been used since it last rolled is not yet among them. */
  #slots: Slots | undefined
  #rolledAt = 0

  constructor(name: keyof Limits) {
    this.name = name
    this.#lengthMs = windowsMs[name]
  }

  /** Begins a new window if this one is over, or lies ahead since the clock was set back; slides it if it does. */
  roll(now: number, begins: GapChoices['quotaWindow']): void {
    if (begins === 'sliding') {
      this.#slide(now)
      return
    }
    this.#slots = undefined
    if (now < this.#endAt && now >= this.#startAt) return
    // On a whole second, so that Unix seconds give its exact end.
    const gridMs = begins === 'calendar' ? this.#lengthMs : 1000
    this.#startAt = Math.floor(now / gridMs) * gridMs
    this.#endAt = this.#startAt + this.#lengthMs
    this.used = 0
    this.refused = 0
  }

  /** When a full one has room for a request again; of one that has room, when it next has more. */
  resetAt(limit: number): number {
    if (this.#slots === undefined) return this.#endAt
    const slots = this.#booked(this.#slots)
    return slots.whenAtMost(Math.min(limit, this.used) - 1) ?? slots.endOf(this.#rolledAt)
  }

  save(): Read<typeof savedWindow> {
    const { used, refused } = this
    const isFixed = Number.isFinite(this.#startAt)
    return {
      startAt: isFixed ? this.#startAt : 0,
      endAt: isFixed ? this.#endAt : 0,
      used,
      refused,
      slots: this.#slots === undefined ? undefined : this.#booked(this.#slots).save(),
    }
  }

  restore({ startAt, endAt, used, refused, slots }: Read<typeof savedWindow>): void {
    this.#startAt = startAt
    this.#endAt = endAt
    this.used = used
    this.refused = refused
    this.#slots = slots === undefined ? undefined : new Slots(this.#lengthMs, slots)
  }

  /** Lets go of the requests that are as old as the window is long, and with them of the refusals since. */
  #slide(now: number): void {
    if (this.#slots === undefined) {
      const isOver = now >= this.#endAt || now < this.#startAt
      if (isOver) this.used = 0
      if (isOver) this.refused = 0
      this.#slots = new Slots(this.#lengthMs)
      this.#rolledAt = now
    }
    const dropped = this.#booked(this.#slots).drop(now)
    this.used -= dropped
    if (dropped > 0) this.refused = 0
    this.#rolledAt = now
  }

  /** Puts what has been used, or given back, since it last rolled into its slots. */
  #booked(slots: Slots): Slots {
    const more = this.used - slots.count
    if (more > 0) slots.add(this.#rolledAt, more)
    if (more < 0) slots.takeBack(-more)
    return slots
  }
}
