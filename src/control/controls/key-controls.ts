import { type PerWindow, type Plan, parsePerWindow, plans } from '../../contract/plans.ts'
import { InputError, isRecord, parseOneOf, refuseUnknown, show } from '../../input/input-error.ts'
import {
  type Duration,
  formatInstant,
  type Instant,
  parseDuration,
  parseInstant,
} from '../../input/instant.ts'
import {
  type ApiKey,
  type KeySettings,
  parseKey,
  parseLimits,
  parseRemaining,
} from '../../state/keys.ts'
import type { Usage, Window } from '../../state/quotas.ts'
import { redactKey } from '../../state/redact.ts'
import type { State } from '../../state/state.ts'
import type { Access } from './access.ts'
import { MissingError } from './missing-error.ts'

/** Where a key stands in one window. */
export interface WindowView {
  readonly limit: number
  readonly remaining: number
  /** ISO 8601 in UTC. */
  readonly resetAt: string
}

/** A key, and what it has spent. */
export interface KeyView {
  readonly key: string
  readonly plan: Plan
  readonly limits: { readonly minute: number; readonly day: number }
  /** What keeps it from being served: `expired`, `revoked`, `banned`, `exhausted`; else `active`. */
  readonly state: 'active' | 'exhausted' | 'banned' | 'expired' | 'revoked'
  readonly expiresAt?: string
  readonly bannedUntil?: string
  readonly minute: WindowView
  readonly day: WindowView
}

/** A new key; without a text of its own it gets a random one. */
export type NewKey = Omit<KeySettings, 'key'> & { readonly key?: string }

/** What to change of a key; what is left out stays. */
export interface KeyChange {
  /** What was used stays used. */
  readonly plan?: Plan
  readonly limits?: PerWindow
  /** `null` for never. */
  readonly expiresAt?: Instant | null
  readonly revoked?: boolean
  /** Requests left in the current windows. */
  readonly remaining?: PerWindow
  /** From now on, for this long. */
  readonly ban?: Duration
  /** Ends a ban, and forgets the refusals that led to it. */
  readonly pardon?: boolean
}

/** The keys under the tester's hand. */
export interface KeyControls {
  list(): KeyView[]
  get(key: string): KeyView
  /** Issues a key. */
  issue(key: NewKey): KeyView
  change(key: string, change: KeyChange): KeyView
  delete(key: string): void
  /** Sets how many requests a key has left in its current windows. */
  setRemaining(key: string, remaining: PerWindow): KeyView
}

/** Makes the controls of a sandbox's keys. */
export function keyControls({ state }: Access): KeyControls {
  const change = (key: string, value: KeyChange): KeyView => {
    const found = findKey(key, state())
    applyKeyChange(found, parseKeyChange(value, found), state())
    return viewOf(findKey(key, state()), state())
  }
  return {
    list: () =>
      state()
        .keys.all()
        .map((key) => viewOf(key, state())),
    get: (key) => viewOf(findKey(key, state()), state()),
    issue(settings) {
      const key = parseNewKey(settings)
      state().keys.add(key)
      state().quotas.forget(key.key)
      return viewOf(key, state())
    },
    change,
    delete(key) {
      findKey(key, state())
      state().journal.seal()
      state().keys.delete(key)
      state().quotas.forget(key)
    },
    setRemaining: (key, remaining) => change(key, { remaining }),
  }
}

function findKey(key: string, { keys }: State): ApiKey {
  const found = keys.find(key)
  if (found !== undefined) return found
  const shown = typeof key === 'string' ? redactKey(key) : key
  throw new MissingError(`Cannot find key ${show(shown)}: there is no such key`)
}

function parseNewKey(value: unknown): ApiKey {
  const isUnnamed = isRecord(value) && value.key === undefined
  return parseKey(isUnnamed ? { ...value, key: `sandbox-${crypto.randomUUID()}` } : value)
}

interface ParsedChange {
  readonly key: ApiKey
  readonly remaining: PerWindow | undefined
  readonly banMs: number | undefined
  readonly isPardon: boolean
}

const changeNames = ['plan', 'limits', 'expiresAt', 'revoked', 'remaining', 'ban', 'pardon']

/** Reads a change as a whole, so that one that can't be made changes nothing. */
function parseKeyChange(value: unknown, key: ApiKey): ParsedChange {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot change the key: found ${show(value)}; use an object such as { "plan": "pro" }`,
    )
  }
  refuseUnknown(value, changeNames, 'the key')
  const plan =
    value.plan === undefined
      ? key.plan
      : parseOneOf(value.plan, Object.keys(plans) as Plan[], "the key's plan")
  const limits = limitsAfter(key, plan, value.limits)
  return {
    key: {
      ...key,
      plan,
      limits,
      firstRemaining: remainingAfter(key, limits),
      expiresAt: expiryAfter(key, value.expiresAt),
      isRevoked: value.revoked === undefined ? key.isRevoked : parseFlag(value.revoked, 'revoked'),
    },
    remaining: value.remaining === undefined ? undefined : parseRemaining(value.remaining, limits),
    banMs: value.ban === undefined ? undefined : parseDuration(value.ban, "the key's ban"),
    isPardon: value.pardon !== undefined && parseFlag(value.pardon, 'pardon'),
  }
}

/** A new plan brings its limits; limits alone change those that they name. */
function limitsAfter(key: ApiKey, plan: Plan, value: unknown): ApiKey['limits'] {
  if (plan !== key.plan) return parseLimits(plan, value)
  return value === undefined
    ? key.limits
    : { ...key.limits, ...parsePerWindow(value, 1, "the key's limits") }
}

/** What a key starts with under other limits: what was used of it stays used. */
function remainingAfter({ firstRemaining, limits }: ApiKey, next: ApiKey['limits']): PerWindow {
  const names = ['minute', 'day'] as const
  const entries = names.flatMap((name) => {
    const left = firstRemaining[name]
    return left === undefined ? [] : [[name, Math.max(0, left + next[name] - limits[name])]]
  })
  return Object.fromEntries(entries)
}

function expiryAfter(key: ApiKey, value: unknown): number | undefined {
  if (value === undefined) return key.expiresAt
  return value === null ? undefined : parseInstant(value, "the key's expiresAt")
}

function parseFlag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InputError(`Cannot set the key's ${name}: found ${show(value)}; use true or false`)
}

function applyKeyChange(before: ApiKey, change: ParsedChange, state: State): void {
  state.keys.replace(change.key)
  const isUsageChanged =
    change.isPardon || change.banMs !== undefined || change.remaining !== undefined
  // What a key starts with is set at its first request, or here.
  if (!isUsageChanged) return
  const usage = usageOf(before, state)
  if (change.isPardon) usage.pardon()
  if (change.banMs !== undefined) usage.ban(state.clock.now(), change.banMs)
  if (change.remaining !== undefined) usage.setRemaining(change.remaining, change.key.limits)
}

function usageOf(key: ApiKey, { quotas, clock, gaps }: State): Usage {
  return quotas.ofKey(key, clock.now(), gaps.quotaWindow)
}

/** Shows a key without beginning its windows, since what it starts with is set at its first request. */
function viewOf(key: ApiKey, state: State): KeyView {
  const now = state.clock.now()
  const usage = state.quotas.preview(key, now, state.gaps.quotaWindow)
  const [minute, day] = [windowView(usage.minute, key), windowView(usage.day, key)]
  const isBanned = now < usage.bannedUntilAt
  return {
    key: key.key,
    plan: key.plan,
    limits: { ...key.limits },
    state: stateOf(key, now, isBanned, minute.remaining === 0 || day.remaining === 0),
    ...(key.expiresAt === undefined ? {} : { expiresAt: formatInstant(key.expiresAt) }),
    ...(isBanned ? { bannedUntil: formatInstant(usage.bannedUntilAt) } : {}),
    minute,
    day,
  }
}

function stateOf(
  key: ApiKey,
  now: number,
  isBanned: boolean,
  isExhausted: boolean,
): KeyView['state'] {
  if (key.isRevoked) return 'revoked'
  if (key.expiresAt !== undefined && key.expiresAt <= now) return 'expired'
  if (isBanned) return 'banned'
  return isExhausted ? 'exhausted' : 'active'
}

function windowView(window: Window, { limits }: ApiKey): WindowView {
  const limit = limits[window.name]
  return {
    limit,
    remaining: Math.max(0, limit - window.used),
    resetAt: formatInstant(window.endAt),
  }
}
