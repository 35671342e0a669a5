import { rejectionLimits } from '../../mock/api/gaps/limits.ts'
import {
  type Limits,
  limitSettings,
  type PerWindow,
  plans,
  remainingSettings,
  windowNames,
} from '../../mock/api/plans.ts'
import { NotFoundError, show } from '../../mock/input/input-error.ts'
import { nearest } from '../../mock/input/nearest.ts'
import { object, optional } from '../../mock/input/object.ts'
import { definedOf } from '../../mock/input/record.ts'
import {
  described,
  type Input,
  named,
  type Output,
  readInput,
  suggestion,
} from '../../mock/input/schema.ts'
import {
  type Duration,
  duration,
  flag,
  formatInstant,
  instant,
  nameIn,
  nullable,
  string,
} from '../../mock/input/values.ts'
import {
  type ApiKey,
  keyText,
  limitsOf,
  type NewKey,
  newKey,
  remainingWithin,
  unnamedKey,
} from '../../mock/state/keys.ts'
import type { Usage, Window } from '../../mock/state/quotas.ts'
import type { State } from '../../mock/state/state.ts'
import { type ControlContext, markChange, mutation, recorded } from './access.ts'
import { routesOn } from './http/route.ts'

/** Changes of a key as input. */
export const keyChange = object(
  {
    /** New plan, with its limits; used requests stay used. */
    plan: optional(nameIn(plans)),
    /** New limits; a window that is left out keeps its limit. */
    limits: optional(limitSettings),
    /** Instant from which the key is invalid; `null` for never. */
    expiresAt: optional(nullable(instant)),
    /** Whether the key is revoked. */
    revoked: optional(flag),
    /** Remaining requests in the current windows. */
    remaining: optional(remainingSettings),
    /** Bans the key from now on, for this long. */
    ban: optional(described('Bans from now on, for this long.', duration)),
    /** Ends a ban, and resets the count of rejections that led to it. */
    unban: optional(described('Ends a ban, and forgets the rejections that led to it.', flag)),
  },
  { title: 'key', example: '{ "plan": "pro" }' },
)

/** Changes of a key; properties left out stay as they are. */
export interface KeyChange extends Input<typeof keyChange> {}

/** Controls of the API keys. */
export interface KeyControls {
  /** Returns all keys, with their remaining requests. */
  list(): KeyView[]
  /**
   * Returns a key, with its remaining requests.
   *
   * @throws {@link NotFoundError} if the key doesn't exist.
   */
  get(key: string): KeyView
  /**
   * Issues a key, and returns it; without `key` in the settings, its text is random.
   *
   * @throws {@link InputError} for an invalid setting, or if the key already exists.
   */
  issue(key: NewKey): KeyView
  /**
   * Changes the given properties: plan, limits, expiry, remaining requests; revokes, bans or unbans the key.
   *
   * @throws {@link NotFoundError} if the key doesn't exist, {@link InputError} for an invalid change.
   */
  update(key: string, change: KeyChange): KeyView
  /**
   * Deletes a key and its usage.
   *
   * @throws {@link NotFoundError} if the key doesn't exist.
   */
  delete(key: string): void
  /**
   * Sets the number of remaining requests of a key in its current windows.
   *
   * @throws {@link NotFoundError} if the key doesn't exist, {@link InputError} for a number above the limit.
   */
  setRemaining(key: string, remaining: PerWindow): KeyView
  /**
   * Bans a key from now on.
   *
   * @throws {@link NotFoundError} if the key doesn't exist, {@link InputError} for an invalid duration.
   */
  ban(key: string, duration: Duration): KeyView
  /**
   * Ends a ban, and resets the count of rejections that led to it.
   *
   * @throws {@link NotFoundError} if the key doesn't exist.
   */
  unban(key: string): KeyView
  /**
   * Exhausts the minute or the day of a key: its next request is rate-limited.
   *
   * @param window `minute` by default.
   * @throws {@link NotFoundError} if the key doesn't exist.
   */
  exhaust(key: string, window?: keyof Limits): KeyView
  /**
   * Revokes a key.
   *
   * @throws {@link NotFoundError} if the key doesn't exist.
   */
  revoke(key: string): KeyView
}

/** Returns the shorthands for frequent changes of a key, in process and over HTTP. */
export function keyShorthands<Result>(update: (key: string, change: KeyChange) => Result) {
  return {
    ban: (key: string, duration: Duration): Result => update(key, { ban: duration }),
    unban: (key: string): Result => update(key, { unban: true }),
    exhaust: (key: string, window: keyof Limits = 'minute'): Result =>
      update(key, { remaining: { [window]: 0 } }),
    revoke: (key: string): Result => update(key, { revoked: true }),
  }
}

/** Returns a function that changes several keys in the same way, and adds a single event. */
export function keyChanger(access: ControlContext) {
  const { state } = access
  return (keys: readonly string[], value: KeyChange): void => {
    const found = keys.map((key) => findKey(key, state()))
    const wanted = readInput(keyChange, value)
    const changed = found.map((key) => {
      const next = readInput({ parse: () => changedKey(key, wanted) }, value, keyChange.title)
      return [key, next] as const
    })
    for (const [key, next] of changed) applyChange(key, next, wanted, state())
    markChange(access, 'keys-changed')
  }
}

/** Creates the controls of a sandbox's keys. */
export function keyControls(access: ControlContext): KeyControls {
  const { state } = access
  const changed = mutation(access, 'keys-changed')
  const observed = recorded(access)
  const changeKeys = keyChanger(access)
  const change = (key: string, value: KeyChange): KeyView => {
    changeKeys([key], value)
    return viewKey(findKey(key, state()), state())
  }
  const update = observed('keys.update', change)
  return {
    ...keyShorthands(update),
    update,
    list: () =>
      state()
        .keys.all()
        .map((key) => viewKey(key, state())),
    get: (key) => viewKey(findKey(key, state()), state()),
    issue: changed('keys.issue', (settings) => {
      const key = readInput(newKey, settings)
      state().keys.add(key)
      state().quotas.forget(key.key)
      return viewKey(key, state())
    }),
    delete: changed('keys.delete', (key) => {
      findKey(key, state())
      const { keys, quotas } = state()
      keys.delete(key)
      quotas.forget(key)
    }),
    setRemaining: observed('keys.setRemaining', (key, remaining) => change(key, { remaining })),
  }
}

function findKey(key: string, { keys }: State): ApiKey {
  const found = keys.find(key)
  if (found !== undefined) return found
  const names = keys.all().map((one) => one.key)
  const hint = typeof key === 'string' ? suggestion(nearest(key, names)) : undefined
  const text = `Cannot find key ${show(key)}: no such key`
  throw new NotFoundError(hint === undefined ? text : `${text}; ${hint}`)
}

/**
 * Returns a key with changes applied.
 *
 * @throws {@link ValidationError} if the changes don't fit the key.
 */
function changedKey(key: ApiKey, wanted: Output<typeof keyChange>): ApiKey {
  const { plan = key.plan, expiresAt, revoked = key.isRevoked, remaining = {} } = wanted
  // A new plan brings its own limits; without one, only the given limits change.
  const current = plan === key.plan ? key.limits : {}
  const limits = limitsOf(plan, { ...current, ...definedOf(wanted.limits ?? {}) })
  remainingWithin(limits, remaining)
  return {
    ...key,
    plan,
    limits,
    firstRemaining: shifted(key, limits),
    expiresAt: expiresAt === undefined ? key.expiresAt : (expiresAt ?? undefined),
    isRevoked: revoked,
  }
}

/** Returns the remaining requests in a key's first windows under new limits; used requests stay used. */
function shifted({ firstRemaining, limits }: ApiKey, next: Limits): PerWindow {
  const entries = windowNames.flatMap((name): [string, number][] => {
    const left = firstRemaining[name]
    return left === undefined ? [] : [[name, Math.max(0, left + next[name] - limits[name])]]
  })
  return Object.fromEntries(entries)
}

function applyChange(
  before: ApiKey,
  next: ApiKey,
  { unban, ban, remaining }: Output<typeof keyChange>,
  state: State,
): void {
  state.keys.replace(next)
  // Windows start with the first request, or here.
  if (unban !== true && ban === undefined && remaining === undefined) return
  const usage = usageOf(before, state)
  if (unban) usage.unban()
  if (ban !== undefined) usage.ban(state.clock.now(), ban, 'control')
  if (remaining !== undefined) usage.setRemaining(remaining, next.limits)
}

function usageOf(key: ApiKey, { quotas, clock, gaps }: State): Usage {
  return quotas.ofKey(key, clock.now(), gaps.quotaWindow)
}

/** Returns the view of a key, without starting its windows, which its first request does. */
export function viewKey(key: ApiKey, state: State): KeyView {
  const now = state.clock.now()
  const usage = state.quotas.preview(key, now, state.gaps.quotaWindow)
  const { expiresAt } = key
  const client = state.requests.knownClient(key.key)
  return {
    key: key.key,
    plan: key.plan,
    limits: { ...key.limits },
    state: stateOf(key, usage, state, now),
    ...(expiresAt === undefined ? {} : { expiresAt: formatInstant(expiresAt) }),
    ...(usage.isBanned(now) ? { bannedUntil: formatInstant(usage.bannedUntilAt) } : {}),
    minute: viewWindow(usage.minute, key),
    day: viewWindow(usage.day, key),
    ...(client === undefined ? {} : { client }),
  }
}

function stateOf(key: ApiKey, usage: Usage, { gaps }: State, now: number): KeyView['state'] {
  if (key.isRevoked) return 'revoked'
  if (key.expiresAt !== undefined && key.expiresAt <= now) return 'expired'
  if (usage.isBanned(now)) return 'banned'
  const limits = rejectionLimits(key.limits, gaps)
  const isExhausted = usage.windows.some((window) => window.used >= limits[window.name])
  return isExhausted ? 'exhausted' : 'active'
}

function viewWindow(window: Window, { limits }: ApiKey): WindowView {
  const limit = limits[window.name]
  return {
    limit,
    remaining: Math.max(0, limit - window.used),
    resetAt: formatInstant(window.resetAt(limit)),
    rejected: window.rejected,
  }
}

/** State of a quota window. */
interface WindowView {
  /** Maximum number of requests in the window. */
  readonly limit: number
  /** Number of requests left in the window. */
  readonly remaining: number
  /** Instant at which requests succeed or count anew, ISO 8601 in UTC. */
  readonly resetAt: string
  /** Number of requests rejected because the window was exhausted; more than the gap `banAfter` allows ban the key. */
  readonly rejected: number
}

/** A key, with its remaining requests. */
export interface KeyView {
  /** The key itself, as clients send it. */
  readonly key: string
  /** The key's plan (spec 8). */
  readonly plan: keyof typeof plans
  /** Maximum number of requests in a minute and in a day. */
  readonly limits: Limits
  /** State of the key: `active`, or the reason why it isn't. */
  readonly state: 'active' | 'exhausted' | 'banned' | 'expired' | 'revoked'
  /** Instant from which the key is invalid, ISO 8601 in UTC; absent if it doesn't expire. */
  readonly expiresAt?: string | undefined
  /** End of the ban, ISO 8601 in UTC; absent if the key isn't banned. */
  readonly bannedUntil?: string | undefined
  /** Usage of the minute quota. */
  readonly minute: WindowView
  /** Usage of the day quota. */
  readonly day: WindowView
  /** Number `client` of its requests in the log, if there are any. */
  readonly client?: number | undefined
}

// Accepts any string, so that an invalid key gets the error for an unknown key, which redacts it.
const anyKey = { ...described('The whole key.', keyText), parse: string.parse }
const keyOfPath = object({ key: anyKey }, { title: 'key' })

const route = routesOn<{ readonly controls: { readonly keys: KeyControls } }>('keys')

/** Routes of keys. */
export const keyRoutes = {
  'keys.list': route('keys.list', {
    summary: 'List the keys, with their state, limits and remaining requests',
    run: ({ controls }) => controls.keys.list(),
  }),
  'keys.issue': route('keys.issue', {
    summary: 'Issue a key',
    description:
      'Issues a key of a plan; without a `key` of its own it gets a random one. Plan `enterprise` needs `limits`.',
    body: named('NewKey', unnamedKey),
    status: 201,
    run: ({ controls, body }) => controls.keys.issue(body),
  }),
  'keys.get': route('keys.get', {
    summary: 'Get a key, with its state, limits and remaining requests',
    params: keyOfPath,
    run: ({ controls, params }) => controls.keys.get(params.key),
  }),
  'keys.update': route('keys.update', {
    summary: 'Change a key: plan, limits, expiry, requests left; revoke, ban or unban it',
    description:
      'Changes what is given; the rest stays. A new plan brings its limits; what was used stays used.',
    params: keyOfPath,
    body: named('KeyChange', keyChange),
    run: ({ controls, params, body }) => controls.keys.update(params.key, body),
  }),
  'keys.delete': route('keys.delete', {
    summary: 'Delete a key and its usage',
    params: keyOfPath,
    run: ({ controls, params }) => controls.keys.delete(params.key),
  }),
} as const
