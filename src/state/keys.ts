import {
  type Limits,
  limitSettings,
  type PerWindow,
  type Plan,
  plans,
  remainingSettings,
  windowNames,
} from '../contract/plans.ts'
import { duration } from '../input/duration.ts'
import { FullError, InputError } from '../input/input-error.ts'
import { instant } from '../input/instant.ts'
import { object, optional } from '../input/object.ts'
import { type Given, type Read, Refusal, refined, type Schema } from '../input/schema.ts'
import { show } from '../input/show.ts'
import { flag, nameIn, text } from '../input/values.ts'
import { Holding } from './memory/held-bytes.ts'
import { type Bounds, usualBounds } from './memory/memory.ts'
import { type HideKeys, redactKey } from './redact.ts'
import { Redactor } from './redactor/redactor.ts'
import type { Secrets } from './redactor/secrets.ts'

/** A key of a sandbox; a change replaces the record. */
export interface ApiKey {
  readonly key: string
  readonly plan: Plan
  readonly limits: Limits
  /** Unix milliseconds. */
  readonly expiresAt: number | undefined
  readonly isRevoked: boolean
  readonly firstRemaining: PerWindow
  readonly firstBanMs: number
}

/** The text of a key, in the syntax of a bearer token (RFC 6750). */
export const keyText: Schema<string> = text({
  use: '1 to 200 letters, digits or any of -._~+/',
  pattern: /^[A-Za-z0-9\-._~+/]+=*$/,
  most: 200,
})

/** What a key is made of, but for its text. */
const properties = {
  plan: nameIn(plans),
  /** Limits of its own instead of the plan's; `enterprise` needs both. */
  limits: optional(limitSettings),
  expiresAt: optional(instant),
  revoked: optional(flag, false),
  /** Requests left in its first windows; later windows start full. */
  remaining: optional(remainingSettings),
  /** A ban that begins with its first request. */
  ban: optional(duration, 0),
} as const

const words = { title: 'key', example: '{ "key": "my-key", "plan": "free" }' }

const settings = object({ key: keyText, ...properties }, words)

/** A key as a seed or caller writes it. */
export type KeySettings = Given<typeof settings>

/** A key of a seed or a snapshot. */
export const keySettings: Schema<KeySettings, ApiKey> = refined(settings, toKey, fromKey)

/** A key to issue, its properties not yet held against each other. */
export const unnamedKey = object({ key: optional(keyText), ...properties }, words)

/** A new key; its text is random unless given. */
export type NewKey = Given<typeof unnamedKey>

/** A key to issue. */
export const newKey: Schema<NewKey, ApiKey> = refined(
  unnamedKey,
  ({ key = `sandbox-${crypto.randomUUID()}`, ...rest }) => toKey({ key, ...rest }),
  fromKey,
)

function toKey(read: Read<typeof settings>): ApiKey {
  const { key, plan, expiresAt, revoked, ban } = read
  const limits = limitsOf(plan, read.limits)
  return {
    key,
    plan,
    limits,
    expiresAt,
    isRevoked: revoked,
    firstRemaining: remainingWithin(limits, read.remaining ?? {}),
    firstBanMs: ban,
  }
}

function fromKey(key: ApiKey): Read<typeof settings> {
  const { minute, day } = key.firstRemaining
  return {
    key: key.key,
    plan: key.plan,
    limits: key.limits,
    expiresAt: key.expiresAt,
    revoked: key.isRevoked,
    remaining: minute === undefined && day === undefined ? undefined : { minute, day },
    ban: key.firstBanMs,
  }
}

/**
 * Returns a key's limits: its own, or else the plan's.
 *
 * @throws {@link Refusal} when the plan has none and one is missing.
 */
export function limitsOf(plan: Plan, own: PerWindow = {}): Limits {
  const usual = plans[plan]
  const minute = own.minute ?? (usual === 'custom' ? undefined : usual.minute)
  const day = own.day ?? (usual === 'custom' ? undefined : usual.day)
  if (minute !== undefined && day !== undefined) return { minute, day }
  throw new Refusal(`plan ${plan} has none (spec 8); give both minute and day`, ['limits'])
}

/**
 * Returns how many requests are left in a key's windows, at most their limits.
 *
 * @throws {@link Refusal} naming the window that has more.
 */
export function remainingWithin(limits: Limits, remaining: PerWindow): PerWindow {
  for (const name of windowNames) {
    const left = remaining[name]
    if (left === undefined || left <= limits[name]) continue
    throw new Refusal(`found ${left}; use at most the limit, ${limits[name]}`, ['remaining', name])
  }
  return remaining
}

/** How many deleted keys are hidden before the journal is written anew without them. */
const mostGone = 1_000

/** What a key and its windows take in memory, in bytes. */
export const keyBytes = 1_024

/** What bounds the keys of a sandbox, and what is hidden as they are. */
interface KeyBounds extends Bounds {
  readonly secrets?: ReadonlySet<string>
}

/** What hides the keys that there are, for good. */
interface Sealable {
  seal(): void
}

/** The API keys of a sandbox. */
export class Keys {
  readonly #keys = new Map<string, ApiKey>()
  /** What is hidden beside keys; may grow. */
  readonly #secrets: ReadonlySet<string>
  /** Most of its keys, if they are many: made bit by bit before they are in force, since that takes long. */
  #index: readonly Secrets[] = []
  #redactor = new Redactor()
  /** How many other secrets it has beside all keys; `undefined` while it may lack some. */
  #knownSecrets: number | undefined

  /** Those that are gone, while a journal may have them. */
  #gone = new Set<string>()
  readonly #most: number
  readonly holding: Holding
  /** Resolves when they are tidied up, while somebody does so bit by bit. */
  #tidied: Promise<void> | undefined

  /** @throws {@link InputError} when two keys have the same text, or there is no room for them. */
  constructor(
    seed: readonly ApiKey[],
    { limits, memory, secrets = new Set() }: KeyBounds = usualBounds(),
  ) {
    this.#secrets = secrets
    this.#most = limits.keys
    this.holding = new Holding(memory.held)
    for (const key of seed) this.#put(key)
  }

  /** Finds a key by its exact text. */
  find(key: string): ApiKey | undefined {
    return this.#keys.get(key)
  }

  /** All keys, in the order in which they were added. */
  all(): ApiKey[] {
    return [...this.#keys.values()]
  }

  /** @throws {@link InputError} when the key exists already, or there are too many. */
  add(key: ApiKey): void {
    const most = this.#most
    if (this.#keys.size >= most && !this.#keys.has(key.key)) {
      throw new FullError(
        `Cannot add a key: there are ${this.#keys.size}, and ${most} are allowed; delete some, or raise limits.keys (--limit keys=N)`,
      )
    }
    this.#put(key)
  }

  #put(key: ApiKey): void {
    if (this.#keys.has(key.key)) {
      throw new InputError(
        `Cannot add key ${show(redactKey(key.key))}: it exists already; use another text`,
        ['key'],
      )
    }
    this.holding.take(keyBytes)
    this.#keys.set(key.key, key)
    if (this.#knownSecrets !== undefined) this.#redactor.add(key.key)
  }

  /** Replaces the record with the same text. */
  replace(key: ApiKey): void {
    this.#keys.set(key.key, key)
  }

  /** Deletes a key, if it exists. */
  delete(key: string): void {
    if (!this.#keys.delete(key)) return
    this.holding.give(keyBytes)
    this.#gone.add(key)
  }

  /** Whether too many deleted keys would be hidden once `more` are deleted. */
  isLittered(more = 0): boolean {
    return this.#gone.size + more > mostGone
  }

  /**
   * Once many are gone, has the journal hide them for good, and hides them no longer itself.
   *
   * @param more How many are about to be deleted.
   */
  tidy(journal: Sealable, more?: number): void {
    if (!this.isLittered(more)) return
    journal.seal()
    this.#gone = new Set()
    this.hideBy(this.#index)
  }

  /** Has them tidied up by somebody who does so bit by bit, unless that is under way; resolves when it is done. */
  tidyOnce(tidy: () => Promise<void>): Promise<void> {
    this.#tidied ??= tidy().finally(() => {
      this.#tidied = undefined
    })
    return this.#tidied
  }

  /** Hides the keys that were in force before, too, and those gone by then. */
  succeed(before: Keys, journal: Sealable): void {
    for (const texts of [before.#gone, before.#keys.keys()]) {
      for (const key of texts) {
        if (!this.#keys.has(key)) this.#gone.add(key)
        // However many there are: all are hidden for good.
        if (!this.isLittered()) continue
        this.tidy(journal)
        return
      }
    }
  }

  /** Hides all in an index for good: what it holds need not be added again. */
  hideBy(index: readonly Secrets[]): void {
    this.#index = index
    this.#redactor = new Redactor(index)
    this.#knownSecrets = undefined
  }

  /**
   * Abbreviates each key that stands in a text, and each other secret.
   *
   * @param also A text to hide as if it were a key.
   */
  hideIn(text: string, also?: string): string {
    return this.hiding()(text, also)
  }

  /** Gives what abbreviates the keys that there are now, even when some of them are gone. */
  hiding(): HideKeys {
    const redactor = this.#redactor
    if (this.#knownSecrets !== this.#secrets.size) {
      for (const texts of [this.#keys.keys(), this.#gone, this.#secrets]) {
        for (const text of texts) redactor.add(text)
      }
      this.#knownSecrets = this.#secrets.size
    }
    return (text, also) => redactor.hide(text, also)
  }
}
