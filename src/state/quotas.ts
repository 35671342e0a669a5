import type { GapChoices } from '../contract/gaps.ts'
import type { Limits, PerWindow } from '../contract/plans.ts'
import { list } from '../input/collections.ts'
import { object, optional } from '../input/object.ts'
import type { Read } from '../input/schema.ts'
import { oneOf, string, whole } from '../input/values.ts'
import type { ApiKey } from './keys.ts'
import { mostUnknownTokens } from './limits.ts'
import { savedWindow, Window } from './quota/window.ts'

const mostMs = 8.64e15

/** What bans a key: requests that went on after a 429, as with one that is banned from the start, or a control. */
const banCauses = ['requests', 'control'] as const

export type BanCause = (typeof banCauses)[number]

/** What a caller has used, in a snapshot. */
export const savedUsage = object({
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

/** How many characters of an unknown token count: no key is longer. */
const mostTokenLength = 200

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
    // Written anew, since a part of a long header would keep all of it.
    const text =
      token.length > mostTokenLength ? [...token.slice(0, mostTokenLength)].join('') : token
    const usage = this.#ofUnknown.get(text) ?? new Usage()
    this.#ofUnknown.delete(text)
    this.#ofUnknown.set(text, usage)
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
