import type { GapChoices } from '../contract/gaps.ts'
import { type Limits, maxLimit, type PerWindow, windowsMs } from '../contract/plans.ts'
import { list } from '../input/collections.ts'
import { object, optional } from '../input/object.ts'
import type { Read } from '../input/schema.ts'
import { oneOf, string, whole } from '../input/values.ts'
import type { ApiKey } from './keys.ts'
import { mostUnknownTokens } from './limits.ts'

const mostMs = 8.64e15

/** How many requests leave a sliding window at an instant. */
interface Slot {
  /** Unix milliseconds, on a whole second. */
  readonly endAt: number
  count: number
}

const savedSlot = object({ endAt: whole(0, 9e15), count: whole(1, 9e15) })

/** The slots of a window in a snapshot. */
const savedSlots = list(savedSlot)

/**
 * When the requests of a sliding window leave it, in slots: seconds of a minute, minutes of a day. So there are at most
 * 1,441, however many requests they stand for; each request counts for the time of the window, and up to a slot more.
 */
class Slots {
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

/** What bans a key: requests that went on after a 429, as with one that is banned from the start, or a control. */
const banCauses = ['requests', 'control'] as const

export type BanCause = (typeof banCauses)[number]

/** What a caller has used, in a snapshot. */
const savedUsage = object({
  caller: string,
  minute: savedWindow,
  day: savedWindow,
  bannedUntilAt: optional(whole(0, mostMs)),
  bannedBy: optional(oneOf(banCauses)),
})

/** The quotas in a snapshot. */
export const savedQuotas = object({ keys: list(savedUsage), unknownTokens: list(savedUsage) })

/** What one caller has used. */
export class Usage {
  readonly minute = new Window('minute')
  readonly day = new Window('day')
  readonly windows = [this.minute, this.day] as const
  /** Unix milliseconds, on a whole second; in the past if the caller is not banned. */
  bannedUntilAt = Number.NEGATIVE_INFINITY
  bannedBy: BanCause = 'requests'

  roll(now: number, begins: GapChoices['quotaWindow']): void {
    this.minute.roll(now, begins)
    this.day.roll(now, begins)
  }

  /** Counts a request in both windows. */
  spend(): void {
    this.minute.used++
    this.day.used++
  }

  /** Takes a counted request back out of both windows. */
  refund(): void {
    this.minute.used--
    this.day.used--
  }

  setRemaining(remaining: PerWindow, limits: Limits): void {
    for (const window of this.windows) {
      const left = remaining[window.name]
      if (left !== undefined) window.used = limits[window.name] - left
    }
  }

  /** Bans until a whole second, so that Unix seconds give the exact end. */
  ban(now: number, durationMs: number, by: BanCause): void {
    this.bannedBy = by
    this.bannedUntilAt = Math.ceil((now + durationMs) / 1000) * 1000
  }

  isBanned(now: number): boolean {
    return now < this.bannedUntilAt
  }

  /** Counts a refused request in the windows that were full, and bans a caller with too many of them (spec 8). */
  countRefusal(
    full: readonly Window[],
    gaps: Pick<GapChoices, 'banAfter' | 'banDuration'>,
    now: number,
  ): void {
    if (this.isBanned(now)) return
    for (const window of full) window.refused++
    const { banAfter } = gaps
    if (banAfter === 'never') return
    if (full.some((window) => window.refused > banAfter))
      this.ban(now, gaps.banDuration, 'requests')
  }

  pardon(): void {
    this.bannedUntilAt = Number.NEGATIVE_INFINITY
    for (const window of this.windows) window.refused = 0
  }

  save(): Omit<Read<typeof savedUsage>, 'caller'> {
    const { bannedUntilAt, bannedBy } = this
    const isPlain = bannedBy === 'requests'
    return {
      minute: this.minute.save(),
      day: this.day.save(),
      bannedUntilAt: Number.isFinite(bannedUntilAt) ? bannedUntilAt : undefined,
      bannedBy: isPlain ? undefined : bannedBy,
    }
  }

  static restore({
    minute,
    day,
    bannedUntilAt,
    bannedBy = 'requests',
  }: Omit<Read<typeof savedUsage>, 'caller'>): Usage {
    const usage = new Usage()
    usage.minute.restore(minute)
    usage.day.restore(day)
    if (bannedUntilAt !== undefined) usage.bannedUntilAt = bannedUntilAt
    usage.bannedBy = bannedBy
    return usage
  }
}

/** What each caller has used, by key or by unknown token. */
export class Quotas {
  readonly #ofKeys = new Map<string, Usage>()
  /** The one unseen for longest first. */
  readonly #ofUnknown = new Map<string, Usage>()

  /** How many callers' windows there are. */
  get size(): number {
    return this.#ofKeys.size + this.#ofUnknown.size
  }

  /** The usage of a key in its current windows; begins them at its first request. */
  ofKey(key: ApiKey, now: number, begins: GapChoices['quotaWindow']): Usage {
    const usage = this.#ofKeys.get(key.key)
    if (usage !== undefined) {
      usage.roll(now, begins)
      return usage
    }
    const first = firstUsage(key, now, begins)
    this.#ofKeys.set(key.key, first)
    return first
  }

  /** Like {@link Quotas.ofKey}, but begins and ends no window. */
  preview(key: ApiKey, now: number, begins: GapChoices['quotaWindow']): Usage {
    const usage = this.#ofKeys.get(key.key)
    if (usage === undefined) return firstUsage(key, now, begins)
    // A copy, since a look must not end a window to which the clock may return.
    const copy = Usage.restore(usage.save())
    copy.roll(now, begins)
    return copy
  }

  /** The usage of an unknown token (`''` for none) in its current windows. */
  ofUnknown(token: string, now: number, begins: GapChoices['quotaWindow']): Usage {
    const usage = this.#ofUnknown.get(token) ?? new Usage()
    this.#ofUnknown.delete(token)
    this.#ofUnknown.set(token, usage)
    const [oldest = ''] = this.#ofUnknown.keys()
    if (this.#ofUnknown.size > mostUnknownTokens) this.#ofUnknown.delete(oldest)
    usage.roll(now, begins)
    return usage
  }

  /** Forgets what a key has used, for instance when a new key is issued under the same text. */
  forget(key: string): void {
    this.#ofKeys.delete(key)
  }

  save(): Read<typeof savedQuotas> {
    const saved = ([caller, usage]: readonly [string, Usage]) => ({ caller, ...usage.save() })
    return {
      keys: [...this.#ofKeys].map(saved),
      unknownTokens: [...this.#ofUnknown].map(saved),
    }
  }

  static restore({ keys, unknownTokens }: Read<typeof savedQuotas>): Quotas {
    const quotas = new Quotas()
    for (const { caller, ...saved } of keys) quotas.#ofKeys.set(caller, Usage.restore(saved))
    for (const { caller, ...saved } of unknownTokens.slice(-mostUnknownTokens)) {
      quotas.#ofUnknown.set(caller, Usage.restore(saved))
    }
    return quotas
  }
}

function firstUsage(key: ApiKey, now: number, begins: GapChoices['quotaWindow']): Usage {
  const usage = new Usage()
  usage.roll(now, begins)
  usage.setRemaining(key.firstRemaining, key.limits)
  if (key.firstBanMs > 0) usage.ban(now, key.firstBanMs, 'requests')
  return usage
}
