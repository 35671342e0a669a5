import { list, object, optional } from '../input/object.ts'
import type { Output } from '../input/schema.ts'
import { oneOf, string, whole } from '../input/values.ts'
import { banLength } from '../spec/gaps/limits.ts'
import type { GapChoices } from '../spec/gaps.ts'
import { type Limits, maxLimit, type PerWindow, windowsMs } from '../spec/plans.ts'
import type { ApiKey } from './keys.ts'
import { mostUnknownTokens } from './limits.ts'

const mostMs = 8.64e15

/** When requests leave a sliding window, and how many do then. */
const savedSlot = object({ endAt: whole(0, 9e15), count: whole(1, 9e15) })

type Slot = Output<typeof savedSlot>

/** A window in a snapshot. */
export const savedWindow = object({
  startAt: whole(0, mostMs),
  endAt: whole(0, mostMs),
  used: whole(-maxLimit, mostMs),
  refused: whole(0, mostMs),
  /** Those of a sliding window. */
  slots: optional(list(savedSlot)),
})

/** One window of one caller: how many requests it has used. It begins and ends on a whole second. */
export class Window {
  readonly name: keyof Limits
  readonly #lengthMs: number
  #startAt = 0
  #endAt = 0
  used = 0
  /** How many requests were refused because it was full. */
  refused = 0
  /**
   * When its requests leave it, if it slides, the earliest first, as of when it last rolled. A slot is a second of a
   * minute, a minute of a day: so there are at most 1,441, however many requests they stand for; each request counts
   * for the time of the window, and up to a slot more.
   */
  #slots: readonly Slot[] | undefined
  #rolledAt = 0

  constructor(name: keyof Limits) {
    this.name = name
    this.#lengthMs = windowsMs[name]
  }

  /** Begins a new window if this one is over, or lies ahead since the clock was set back; slides it if it does. */
  roll(now: number, begins: GapChoices['quotaWindow']): void {
    const isOver = now >= this.#endAt || now < this.#startAt
    if (begins === 'sliding') {
      if (this.#slots === undefined && isOver) this.#empty()
      this.#slide(now)
      return
    }
    this.#slots = undefined
    if (!isOver) return
    // On a whole second, so that Unix seconds give its exact end.
    const gridMs = begins === 'calendar' ? this.#lengthMs : 1000
    this.#startAt = Math.floor(now / gridMs) * gridMs
    this.#endAt = this.#startAt + this.#lengthMs
    this.#empty()
  }

  #empty(): void {
    this.used = 0
    this.refused = 0
  }

  /** Lets go of the requests that are as old as the window is long, and of those that lie ahead since the clock was set back. */
  #slide(now: number): void {
    const before = this.#slots === undefined ? [] : this.#booked()
    this.#slots = before.filter(({ endAt }) => endAt > now && endAt <= this.#leaveAt(now))
    this.#rolledAt = now
    const dropped = countOf(before) - countOf(this.#slots)
    this.used -= dropped
    if (dropped > 0) this.refused = 0
  }

  /** When a full one has room for a request again; of one that has room, when it next has more. */
  resetAt(limit: number): number {
    if (this.#slots === undefined) return this.#endAt
    let left = this.used
    for (const { endAt, count } of this.#booked()) {
      left -= count
      if (left < Math.min(limit, this.used)) return endAt
    }
    return this.#leaveAt(this.#rolledAt)
  }

  /** When a request of an instant leaves the window. */
  #leaveAt(now: number): number {
    const slotMs = this.name === 'minute' ? 1_000 : 60_000
    return Math.ceil(now / slotMs) * slotMs + this.#lengthMs
  }

  /** Its slots with what has been used since it last rolled, and without what has been given back. */
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
      refused: this.refused,
      slots: this.#slots === undefined ? undefined : this.#booked(),
    }
  }

  restore({ startAt, endAt, used, refused, slots }: Output<typeof savedWindow>): void {
    this.#startAt = startAt
    this.#endAt = endAt
    this.used = used
    this.refused = refused
    this.#slots = slots
  }
}

function countOf(slots: readonly Slot[]): number {
  return slots.reduce((sum, { count }) => sum + count, 0)
}

/** What bans a key: requests that went on after a 429, a control, or its own settings, as with `banned-key`. */
const banCauses = ['requests', 'control', 'settings'] as const

export type BanCause = (typeof banCauses)[number]

/** What a caller has used, in a snapshot. */
const savedUsage = object({
  caller: string,
  minute: savedWindow,
  day: savedWindow,
  bannedUntilAt: optional(whole(0, mostMs)),
  bannedBy: optional(oneOf(banCauses)),
  banMs: optional(whole(1, mostMs)),
})

type SavedUsage = Omit<Output<typeof savedUsage>, 'caller'>

/** The quotas in a snapshot. */
export const savedQuotas = object({ keys: list(savedUsage), unknownTokens: list(savedUsage) })

/** How long a ban counts after its end, if bans grow, in milliseconds. */
const banMemoryMs = windowsMs.day

/** What one caller has used. */
export class Usage {
  readonly minute = new Window('minute')
  readonly day = new Window('day')
  readonly windows = [this.minute, this.day] as const
  /** Unix milliseconds, on a whole second; in the past if the caller is not banned. */
  bannedUntilAt = 0
  bannedBy: BanCause = 'requests'
  /** Length of the latest ban; 0 for none. */
  #banMs = 0

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
    this.#banMs = durationMs
    this.bannedUntilAt = Math.ceil((now + durationMs) / 1000) * 1000
  }

  isBanned(now: number): boolean {
    return now < this.bannedUntilAt
  }

  /** Counts a refused request in the windows that were full, and bans a caller with too many of them (spec 8). */
  countRefusal(
    full: readonly Window[],
    gaps: Pick<GapChoices, 'banAfter' | 'banDuration' | 'banGrowth' | 'banExtends'>,
    now: number,
  ): void {
    if (this.isBanned(now)) {
      if (gaps.banExtends === 'yes') this.ban(now, this.#banMs || gaps.banDuration, this.bannedBy)
      return
    }
    for (const window of full) window.refused++
    const { banAfter } = gaps
    if (banAfter === 'never') return
    if (!full.some((window) => window.refused > banAfter)) return
    const isRepeated = this.bannedBy === 'requests' && now < this.bannedUntilAt + banMemoryMs
    this.ban(now, banLength(isRepeated ? this.#banMs : 0, gaps), 'requests')
  }

  unban(): void {
    this.bannedUntilAt = 0
    this.#banMs = 0
    for (const window of this.windows) window.refused = 0
  }

  save(): SavedUsage {
    return {
      minute: this.minute.save(),
      day: this.day.save(),
      bannedUntilAt: this.bannedUntilAt === 0 ? undefined : this.bannedUntilAt,
      bannedBy: this.bannedBy === 'requests' ? undefined : this.bannedBy,
      banMs: this.#banMs === 0 ? undefined : this.#banMs,
    }
  }

  static restore({
    minute,
    day,
    bannedUntilAt = 0,
    bannedBy = 'requests',
    banMs = 0,
  }: SavedUsage): Usage {
    const usage = new Usage()
    usage.minute.restore(minute)
    usage.day.restore(day)
    usage.bannedUntilAt = bannedUntilAt
    usage.bannedBy = bannedBy
    usage.#banMs = banMs
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
    const usage = this.#ofKeys.get(key.key) ?? firstUsage(key, now, begins)
    this.#ofKeys.set(key.key, usage)
    usage.roll(now, begins)
    return usage
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

  /** Ends all bans of keys but those in their settings, and forgets the refusals that led to them. */
  unbanAll(): void {
    for (const usage of this.#ofKeys.values()) if (usage.bannedBy !== 'settings') usage.unban()
  }

  save(): Output<typeof savedQuotas> {
    const saved = ([caller, usage]: readonly [string, Usage]) => ({ caller, ...usage.save() })
    return {
      keys: [...this.#ofKeys].map(saved),
      unknownTokens: [...this.#ofUnknown].map(saved),
    }
  }

  static restore({ keys, unknownTokens }: Output<typeof savedQuotas>): Quotas {
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
  if (key.firstBanMs > 0) usage.ban(now, key.firstBanMs, 'settings')
  return usage
}
