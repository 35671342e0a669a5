import { type Limits, type PerWindow, type Plan, parsePerWindow, plans } from '../contract/plans.ts'
import { InputError, isRecord, parseOneOf, refuseUnknown, show } from '../input/input-error.ts'
import {
  type Duration,
  formatDuration,
  formatInstant,
  type Instant,
  parseDuration,
  parseInstant,
} from '../input/instant.ts'
import { Redactor, redactKey } from './redact.ts'

/** A key as a seed or a caller writes it. */
export interface KeySettings {
  readonly key: string
  readonly plan: Plan
  /** Own limits in place of the plan's; both are needed for `enterprise`. */
  readonly limits?: PerWindow
  readonly expiresAt?: Instant
  readonly revoked?: boolean
  /** Requests that its first windows have left; those after have all. */
  readonly remaining?: PerWindow
  /** A ban that begins with its first request. */
  readonly ban?: Duration
}

/** A key of a sandbox; a change puts a new record in its place. */
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

/** The API keys of a sandbox. */
export class Keys {
  readonly #keys = new Map<string, ApiKey>()
  /** Made when it is needed, until another key comes or one goes. */
  #redactor: Redactor | undefined

  /** @throws {@link InputError} when two entries have one key. */
  constructor(seed: readonly ApiKey[]) {
    for (const key of seed) this.add(key)
  }

  /** Looks a key up, exactly as it is written. */
  find(key: string): ApiKey | undefined {
    return this.#keys.get(key)
  }

  /** All keys, in the order in which they were added. */
  all(): ApiKey[] {
    return [...this.#keys.values()]
  }

  /** @throws {@link InputError} when there is such a key. */
  add(key: ApiKey): void {
    if (this.#keys.has(key.key)) {
      throw new InputError(
        `Cannot add key ${show(redactKey(key.key))}: there is one like it; use another`,
      )
    }
    this.#keys.set(key.key, key)
    this.#redactor = undefined
  }

  /** Puts a record in the place of the one with its key. */
  replace(key: ApiKey): void {
    this.#keys.set(key.key, key)
  }

  /** Takes a key away; tells whether there was one. */
  delete(key: string): boolean {
    this.#redactor = undefined
    return this.#keys.delete(key)
  }

  /**
   * Shows only the beginning of each key that stands in a text.
   *
   * @param also A text to hide as if it were a key.
   */
  hideIn(text: string, also?: string): string {
    this.#redactor ??= new Redactor(this.#keys.keys())
    return this.#redactor.hide(text, also)
  }

  save(): KeySettings[] {
    return this.all().map(formatKey)
  }

  /** @throws {@link InputError} */
  static restore(value: unknown): Keys {
    if (Array.isArray(value)) return new Keys(value.map(parseKey))
    throw new InputError(`Cannot restore keys: found ${show(value)}; use what a snapshot has`)
  }
}

/** Writes a key in the form that {@link parseKey} reads. */
export function formatKey(key: ApiKey): KeySettings {
  const { firstRemaining, firstBanMs } = key
  return {
    key: key.key,
    plan: key.plan,
    limits: { ...key.limits },
    ...(key.expiresAt === undefined ? {} : { expiresAt: formatInstant(key.expiresAt) }),
    ...(key.isRevoked ? { revoked: true } : {}),
    ...(Object.keys(firstRemaining).length === 0 ? {} : { remaining: { ...firstRemaining } }),
    ...(firstBanMs === 0 ? {} : { ban: formatDuration(firstBanMs) }),
  }
}

/** What a bearer token may consist of: RFC 6750. */
const tokenPattern = /^[A-Za-z0-9\-._~+/]+=*$/

const settingNames = ['key', 'plan', 'limits', 'expiresAt', 'revoked', 'remaining', 'ban']

/**
 * Reads a key from outside.
 *
 * @throws {@link InputError} naming the property, what was found and what would do.
 */
export function parseKey(value: unknown): ApiKey {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot read the key: found ${show(value)}; use an object such as { "key": "my-key", "plan": "free" }`,
    )
  }
  refuseUnknown(value, settingNames, 'the key')
  const plan = parseOneOf(value.plan, Object.keys(plans) as Plan[], "the key's plan")
  const limits = parseLimits(plan, value.limits)
  return {
    key: parseKeyText(value.key),
    plan,
    limits,
    expiresAt:
      value.expiresAt === undefined
        ? undefined
        : parseInstant(value.expiresAt, "the key's expiresAt"),
    isRevoked: parseRevoked(value.revoked),
    firstRemaining: value.remaining === undefined ? {} : parseRemaining(value.remaining, limits),
    firstBanMs: value.ban === undefined ? 0 : parseDuration(value.ban, "the key's ban"),
  }
}

function parseKeyText(key: unknown): string {
  if (typeof key === 'string' && key.length <= 200 && tokenPattern.test(key)) return key
  throw new InputError(
    `Cannot set the key: found ${show(key)}; use 1 to 200 letters, digits and -._~+/, as a bearer token has`,
  )
}

/**
 * Reads the limits of a key: the plan's, or its own.
 *
 * @throws {@link InputError} when the plan has none and not both are given.
 */
export function parseLimits(plan: Plan, value: unknown): Limits {
  const own = value === undefined ? {} : parsePerWindow(value, 1, "the key's limits")
  const usual = plans[plan]
  const { minute, day } = usual === 'custom' ? own : { ...usual, ...own }
  if (minute !== undefined && day !== undefined) return { minute, day }
  throw new InputError(
    `Cannot set the key's limits: plan ${plan} has none of its own (spec 8); give both minute and day`,
  )
}

/**
 * Reads how many requests a key's windows have left: from 0 to their limits.
 *
 * @throws {@link InputError}
 */
export function parseRemaining(value: unknown, limits: Limits): PerWindow {
  const remaining = parsePerWindow(value, 0, "the key's remaining")
  for (const name of ['minute', 'day'] as const) {
    const left = remaining[name]
    if (left === undefined || left <= limits[name]) continue
    throw new InputError(
      `Cannot set the key's remaining.${name}: found ${left}; use at most its limit, ${limits[name]}`,
    )
  }
  return remaining
}

function parseRevoked(value: unknown): boolean {
  if (value === undefined || typeof value === 'boolean') return value === true
  throw new InputError(`Cannot set the key's revoked: found ${show(value)}; use true or false`)
}
