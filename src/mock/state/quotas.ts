import type { GapValues } from '../api/gaps.ts'
import { type Limits, maxLimit, type PerWindow, windowsMs } from '../api/plans.ts'
import { list, object, optional } from '../input/object.ts'
import type { Output } from '../input/schema.ts'
import { integer, oneOf, string } from '../input/values.ts'
import type { ApiKey } from './keys.ts'
import { maxUnknownTokens } from './limits.ts'

const maxMs = 8.64e15

/** The time at which requests leave a sliding window, and their number. */
const savedSlot = object({ endAt: integer(0, 9e15), count: integer(1, 9e15) })

type Slot = Output<typeof savedSlot>

/** A window in a snapshot. */
export const savedWindow = object({
  startAt: integer(0, maxMs),
  endAt: integer(0, maxMs),
  used: integer(-maxLimit, maxMs),
  rejected: integer(0, maxMs),
  /** Only in a sliding window. */
  slots: optional(list(savedSlot)),
})

/** The usage of one client in one window; the window starts and ends on a whole second. */
export class Window {
  readonly name: keyof Limits
  readonly #lengthMs: number
  #startAt = 0
  #endAt = 0
  used = 0
  /** Number of requests that were rate-limited because it was exhausted. */
  rejected = 0
  /**
   * The times at which requests leave a sliding window, the earliest first, as of the last update. A slot covers a
   * second of a minute, or a minute of a day, so there are at most 1,441 slots, however many requests they count. Each
   * request counts for the length of the window and up to a slot longer.
   */
  #slots: readonly Slot[] | undefined
  #rolledAt = 0

  constructor(name: keyof Limits) {
    this.name = name
    this.#lengthMs = windowsMs[name]
  }

  /**
   * Starts a new window if this one has ended, or lies in the future because the clock was set back; updates a sliding
   * window.
   */
  roll(now: number, begins: GapValues['quotaWindow']): void {
    const isOver = now >= this.#endAt || now < this.#startAt
    if (begins === 'sliding') {
      if (this.#slots === undefined && isOver) this.#empty()
      this.#slide(now)
      return
    }
    this.#slots = undefined
    if (!isOver) return
    // The start is a whole second, so that Unix seconds express the exact end.
    const gridMs = begins === 'calendar' ? this.#lengthMs : 1000
    this.#startAt = Math.floor(now / gridMs) * gridMs
    this.#endAt = this.#startAt + this.#lengthMs
    this.#empty()
  }

  #empty(): void {
    this.used = 0
    this.rejected = 0
  }

  /** Removes the requests that are older than the window, and those in the future because the clock was set back. */
  #slide(now: number): void {
    const before = this.#slots === undefined ? [] : this.#booked()
    this.#slots = before.filter(({ endAt }) => endAt > now && endAt <= this.#leaveAt(now))
    this.#rolledAt = now
    const dropped = countOf(before) - countOf(this.#slots)
    this.used -= dropped
    if (dropped > 0) this.rejected = 0
  }

  /** Returns the time at which the window will next have capacity, or more capacity if it isn't exhausted. */
  resetAt(limit: number): number {
    if (this.#slots === undefined) return this.#endAt
    let left = this.used
    for (const { endAt, count } of this.#booked()) {
      left -= count
      if (left < Math.min(limit, this.used)) return endAt
    }
    return this.#leaveAt(this.#rolledAt)
  }

  /** Returns the time at which a request made at `now` leaves the window. */
  #leaveAt(now: number): number {
    const slotMs = this.name === 'minute' ? 1_000 : 60_000
    return Math.ceil(now / slotMs) * slotMs + this.#lengthMs
  }

  /** Returns the slots including requests made since the last update, and excluding refunded ones. */
  #booked(): Slot[] {
    const booked: Slot[] = []
    const latest = { endAt: this.#leaveAt(this.#rolledAt), count: Number.POSITIVE_INFINITY }
    let left = this.used
    for (const { endAt, count: most } of [...(this.#slots ?? []), latest]) {
      const count = Math.min(most, left)
      if (count <= 0) break
      left -= count
      const sameCount = booked.at(-1)?.endAt === endAt ? (booked.pop()?.count ?? 0) : 0
      booked.push({ endAt, count: sameCount + count })
    }
    return booked
  }

  save(): Output<typeof savedWindow> {
    return {
      startAt: this.#startAt,
      endAt: this.#endAt,
      used: this.used,
      rejected: this.rejected,
      slots: this.#slots === undefined ? undefined : this.#booked(),
    }
  }

  restore({ startAt, endAt, used, rejected, slots }: Output<typeof savedWindow>): void {
    this.#startAt = startAt
    this.#endAt = endAt
    this.used = used
    this.rejected = rejected
    this.#slots = slots
  }
}

function countOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { count }) => sum + count, 0)
}

/** The causes of a ban: requests after a 429, a control call, or the key's own settings, as with `banned-key`. */
const banCauses = ['requests', 'control', 'settings'] as const

export type BanCause = (typeof banCauses)[number]

/** The usage of a client in a snapshot. */
const savedUsage = object({
  token: string,
  minute: savedWindow,
  day: savedWindow,
  bannedUntilAt: optional(integer(0, maxMs)),
  bannedBy: optional(oneOf(banCauses)),
})

type SavedUsage = Omit<Output<typeof savedUsage>, 'token'>

/** The quotas in a snapshot. */
export const savedQuotas = object({ keys: list(savedUsage), unknownTokens: list(savedUsage) })

/** The usage of one token. */
export class Usage {
  readonly minute = new Window('minute')
  readonly day = new Window('day')
  readonly windows = [this.minute, this.day] as const
  /** Unix milliseconds, on a whole second; in the past if the client isn't banned. */
  bannedUntilAt = 0
  bannedBy: BanCause = 'requests'

  roll(now: number, begins: GapValues['quotaWindow']): void {
    this.minute.roll(now, begins)
    this.day.roll(now, begins)
  }

  /** Counts a request in both windows. */
  spend(): void {
    this.minute.used++
    this.day.used++
  }

  /** Removes a counted request from both windows. */
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

  /** Bans until a whole second, so that Unix seconds express the exact end. */
  ban(now: number, durationMs: number, by: BanCause): void {
    this.bannedBy = by
    this.bannedUntilAt = Math.ceil((now + durationMs) / 1000) * 1000
  }

  isBanned(now: number): boolean {
    return now < this.bannedUntilAt
  }

  /** Counts a rate-limited request in the exhausted windows, and bans a client with too many of them (spec 8). */
  countRejection(
    full: readonly Window[],
    { banAfter, banDuration }: Pick<GapValues, 'banAfter' | 'banDuration'>,
    now: number,
  ): void {
    if (this.isBanned(now)) return
    for (const window of full) window.rejected++
    if (banAfter === 'never') return
    if (!full.some((window) => window.rejected > banAfter)) return
    this.ban(now, banDuration, 'requests')
  }

  unban(): void {
    this.bannedUntilAt = 0
    for (const window of this.windows) window.rejected = 0
  }

  save(): SavedUsage {
    return {
      minute: this.minute.save(),
      day: this.day.save(),
      bannedUntilAt: this.bannedUntilAt === 0 ? undefined : this.bannedUntilAt,
      bannedBy: this.bannedBy === 'requests' ? undefined : this.bannedBy,
    }
  }

  static restore({ minute, day, bannedUntilAt = 0, bannedBy = 'requests' }: SavedUsage): Usage {
    const usage = new Usage()
    usage.minute.restore(minute)
    usage.day.restore(day)
    usage.bannedUntilAt = bannedUntilAt
    usage.bannedBy = bannedBy
    return usage
  }
}

/** The usage of each client, by key or by unknown token. */
export class Quotas {
  readonly #ofKeys = new Map<string, Usage>()
  /** The least recently used token first. */
  readonly #ofUnknown = new Map<string, Usage>()

  /** Number of tracked clients. */
  get size(): number {
    return this.#ofKeys.size + this.#ofUnknown.size
  }

  /** Returns the usage of a key in its current windows; starts them at its first request. */
  ofKey(key: ApiKey, now: number, begins: GapValues['quotaWindow']): Usage {
    const usage = this.#ofKeys.get(key.key) ?? firstUsage(key, now, begins)
    this.#ofKeys.set(key.key, usage)
    usage.roll(now, begins)
    return usage
  }

  /** Returns the usage like {@link Quotas.ofKey}, without starting or ending a window. */
  preview(key: ApiKey, now: number, begins: GapValues['quotaWindow']): Usage {
    const usage = this.#ofKeys.get(key.key)
    if (usage === undefined) return firstUsage(key, now, begins)
    // A copy, since a read must not end a window to which the clock may return.
    const copy = Usage.restore(usage.save())
    copy.roll(now, begins)
    return copy
  }

  /** Returns the usage of an unknown token (`''` for requests without one) in its current windows. */
  ofUnknown(token: string, now: number, begins: GapValues['quotaWindow']): Usage {
    const usage = this.#ofUnknown.get(token) ?? new Usage()
    this.#ofUnknown.delete(token)
    this.#ofUnknown.set(token, usage)
    if (this.#ofUnknown.size > maxUnknownTokens) this.forgetOldestToken()
    usage.roll(now, begins)
    return usage
  }

  /** Number of unknown tokens. */
  get tokens(): number {
    return this.#ofUnknown.size
  }

  /** Forgets the unknown token that was used longest ago. */
  forgetOldestToken(): void {
    const [oldest = ''] = this.#ofUnknown.keys()
    this.#ofUnknown.delete(oldest)
  }

  /** Removes the usage of a key, for instance when a new key is issued with the same text. */
  forget(key: string): void {
    this.#ofKeys.delete(key)
  }

  /** Ends all bans except those from key settings, and resets the counts of rate-limited requests. */
  unbanAll(): void {
    for (const usage of this.#ofKeys.values()) if (usage.bannedBy !== 'settings') usage.unban()
  }

  save(): Output<typeof savedQuotas> {
    const saved = ([token, usage]: readonly [string, Usage]) => ({ token, ...usage.save() })
    return {
      keys: [...this.#ofKeys].map(saved),
      unknownTokens: [...this.#ofUnknown].map(saved),
    }
  }

  static restore({ keys, unknownTokens }: Output<typeof savedQuotas>): Quotas {
    const quotas = new Quotas()
    for (const { token, ...saved } of keys) quotas.#ofKeys.set(token, Usage.restore(saved))
    for (const { token, ...saved } of unknownTokens.slice(-maxUnknownTokens)) {
      quotas.#ofUnknown.set(token, Usage.restore(saved))
    }
    return quotas
  }
}

function firstUsage(key: ApiKey, now: number, begins: GapValues['quotaWindow']): Usage {
  const usage = new Usage()
  usage.roll(now, begins)
  usage.setRemaining(key.firstRemaining, key.limits)
  if (key.firstBanMs > 0) usage.ban(now, key.firstBanMs, 'settings')
  return usage
}
