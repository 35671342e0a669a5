import type { GapChoices } from '../contract/gaps.ts'
import { type Limits, type PerWindow, windowsMs } from '../contract/plans.ts'
import type { ApiKey } from './keys.ts'

/** One window of one caller: how much of it is spent. It begins and ends on a whole second. */
export class Window {
  readonly name: keyof Limits
  readonly #lengthMs: number
  #startAt = Number.POSITIVE_INFINITY
  endAt = Number.NEGATIVE_INFINITY
  used = 0
  /** Requests that were refused because it was full. */
  refused = 0

  constructor(name: keyof Limits) {
    this.name = name
    this.#lengthMs = windowsMs[name]
  }

  /** Begins a new window when this one is over, or when the clock was set back to before it. */
  roll(now: number, begins: GapChoices['quotaWindow']): void {
    if (now < this.endAt && now >= this.#startAt) return
    // On a whole second, so that Unix seconds say exactly when it ends.
    const gridMs = begins === 'calendar' ? this.#lengthMs : 1000
    this.#startAt = Math.floor(now / gridMs) * gridMs
    this.endAt = this.#startAt + this.#lengthMs
    this.used = 0
    this.refused = 0
  }
}

/** What one caller has spent. */
export class Usage {
  readonly minute = new Window('minute')
  readonly day = new Window('day')
  readonly windows = [this.minute, this.day] as const
  /** Unix milliseconds, on a whole second; in the past for a caller that is not banned. */
  bannedUntilAt = Number.NEGATIVE_INFINITY

  roll(now: number, begins: GapChoices['quotaWindow']): void {
    this.minute.roll(now, begins)
    this.day.roll(now, begins)
  }

  /** Counts a request in both windows. */
  spend(): void {
    this.minute.used++
    this.day.used++
  }

  /** Takes a counted request back. */
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

  /** Bans until a whole second, so that Unix seconds say exactly when it ends. */
  ban(now: number, durationMs: number): void {
    this.bannedUntilAt = Math.ceil((now + durationMs) / 1000) * 1000
  }
}

/** How many callers without a valid key are remembered; the longest unseen is forgotten first. */
const maxStrangers = 1_000

/** What each caller has spent: keys, and tokens that are none. */
export class Quotas {
  readonly #ofKeys = new Map<string, Usage>()
  readonly #ofStrangers = new Map<string, Usage>()

  /** The usage of a key in the windows of now; what the key starts with is set at its first request. */
  ofKey(key: ApiKey, now: number, begins: GapChoices['quotaWindow']): Usage {
    const usage = this.#ofKeys.get(key.key)
    if (usage !== undefined) {
      usage.roll(now, begins)
      return usage
    }
    const first = new Usage()
    first.roll(now, begins)
    first.setRemaining(key.firstRemaining, key.limits)
    if (key.firstBanMs > 0) first.ban(now, key.firstBanMs)
    this.#ofKeys.set(key.key, first)
    return first
  }

  /** The usage of a token that is no valid key, or of `''` for none, in the windows of now. */
  ofStranger(token: string, now: number, begins: GapChoices['quotaWindow']): Usage {
    const usage = this.#ofStrangers.get(token) ?? new Usage()
    this.#ofStrangers.delete(token)
    this.#ofStrangers.set(token, usage)
    if (this.#ofStrangers.size > maxStrangers) {
      const [longestUnseen] = this.#ofStrangers.keys()
      if (longestUnseen !== undefined) this.#ofStrangers.delete(longestUnseen)
    }
    usage.roll(now, begins)
    return usage
  }
}
