import {
  type Limits,
  limitSettings,
  type PerWindow,
  type Plan,
  plans,
  remainingSettings,
  windowNames,
} from '../api/plans.ts'
import { FullError, InputError, show } from '../input/input-error.ts'
import { type GivenOf, type NamedSchema, object, optional } from '../input/object.ts'
import { definedOf } from '../input/record.ts'
import { type Output, refined, type Schema, ValidationError } from '../input/schema.ts'
import { duration, flag, instant, nameIn, text } from '../input/values.ts'
import { Redactor, redactKey } from '../log/redactor.ts'
import { maxKeys } from './limits.ts'

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

/** The properties of a key except its text. */
const properties = {
  /** Its plan, which sets its limits: `free`, `pro`, `business` or `enterprise` (spec 8). */
  plan: nameIn(plans),
  /** Custom limits that override the plan's; `enterprise` needs both. */
  limits: optional(limitSettings),
  /** The time from which it is invalid; by default never. */
  expiresAt: optional(instant),
  /** Whether it is invalid; `false` by default. */
  revoked: optional(flag, false),
  /** Remaining requests in its first windows; later windows start with the full quota. */
  remaining: optional(remainingSettings),
  /** Duration of a ban that begins with its first request. */
  ban: optional(duration, 0),
} as const

const words = { title: 'key', example: '{ "key": "my-key", "plan": "free" }' }

const settingsProperties = {
  /** Its text: 1 to 200 letters, digits or any of `-._~+/`. */
  key: keyText,
  ...properties,
} as const

/** A key as users and seeds write it. */
export interface KeySettings extends GivenOf<typeof settingsProperties> {}

const settings: NamedSchema<typeof settingsProperties, KeySettings> = object(
  settingsProperties,
  words,
)

/** A key of a seed or a snapshot. */
export const keySettings: Schema<KeySettings, ApiKey> = refined(settings, toKey, fromKey)

const unnamedProperties = {
  /** Its text: 1 to 200 letters, digits or any of `-._~+/`; random by default. */
  key: optional(keyText),
  ...properties,
} as const

/** A new key; its text is random unless given. */
export interface NewKey extends GivenOf<typeof unnamedProperties> {}

/** A key to issue, before its properties are checked against each other. */
export const unnamedKey: NamedSchema<typeof unnamedProperties, NewKey> = object(
  unnamedProperties,
  words,
)

/** A key to issue. */
export const newKey: Schema<NewKey, ApiKey> = refined(
  unnamedKey,
  ({ key = `sandbox-${crypto.randomUUID()}`, ...rest }) => toKey({ key, ...rest }),
  fromKey,
)

function toKey(read: Output<typeof settings>): ApiKey {
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

function fromKey(key: ApiKey): Output<typeof settings> {
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
 * @throws {@link ValidationError} if the plan has none and a limit is missing.
 */
export function limitsOf(plan: Plan, own: PerWindow = {}): Limits {
  const usual: PerWindow = plans[plan] === 'custom' ? {} : plans[plan]
  const { minute, day } = { ...usual, ...definedOf(own) }
  if (minute !== undefined && day !== undefined) return { minute, day }
  throw new ValidationError(`plan ${plan} has none (spec 8); give both minute and day`, ['limits'])
}

/**
 * Returns a key's remaining requests unchanged, if they are within its limits.
 *
 * @throws {@link ValidationError} naming the window that exceeds its limit.
 */
export function remainingWithin(limits: Limits, remaining: PerWindow): PerWindow {
  for (const name of windowNames) {
    const left = remaining[name]
    if (left === undefined || left <= limits[name]) continue
    throw new ValidationError(`found ${left}; use at most the limit, ${limits[name]}`, [
      'remaining',
      name,
    ])
  }
  return remaining
}

/** The API keys of a sandbox. */
export class Keys {
  readonly #keys = new Map<string, ApiKey>()
  readonly #most: number
  readonly #redactor: Redactor

  /**
   * @param most Maximum number of keys; those of the seed are only limited by {@link maxKeys}.
   * @param redactor Hides the keys. It also knows earlier keys, which the request log may still contain.
   * @throws {@link InputError} if two keys have the same text, or there are too many.
   */
  constructor(seed: readonly ApiKey[], most = maxKeys, redactor = new Redactor()) {
    this.#most = most
    this.#redactor = redactor
    for (const key of seed) this.#put(key, maxKeys)
  }

  /** Number of keys. */
  get size(): number {
    return this.#keys.size
  }

  /** Finds a key by its exact text. */
  find(key: string): ApiKey | undefined {
    return this.#keys.get(key)
  }

  /** Returns all keys in the order in which they were added. */
  all(): ApiKey[] {
    return [...this.#keys.values()]
  }

  /** @throws {@link InputError} if the key exists already, or there are too many. */
  add(key: ApiKey): void {
    this.#put(key, this.#most)
  }

  #put(key: ApiKey, most: number): void {
    if (this.#keys.has(key.key)) {
      throw new InputError(
        `Cannot add key ${show(redactKey(key.key))}: it exists already; use another text`,
        ['key'],
      )
    }
    if (this.#keys.size >= most) {
      throw new FullError(
        `Cannot add a key: there are ${this.#keys.size}, and ${most} are allowed; delete some`,
      )
    }
    this.#keys.set(key.key, key)
    this.#redactor.add(key.key)
  }

  /** Replaces the record with the same text. */
  replace(key: ApiKey): void {
    this.#keys.set(key.key, key)
  }

  /** Deletes a key, if it exists. */
  delete(key: string): void {
    this.#keys.delete(key)
  }

  /**
   * Abbreviates each key and each other secret in a text.
   *
   * @param also A text to hide as if it were a key.
   */
  hideIn(text: string, also?: string): string {
    return this.#redactor.hide(text, also)
  }
}
