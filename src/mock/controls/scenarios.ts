import { controlStep } from '../../checks/coverage/steps.ts'
import type { FaultSettings } from '../faults/fault-rules.ts'
import { show } from '../input/input-error.ts'
import { list, object, optional, view } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import {
  described,
  type Input,
  named,
  readInput,
  type Schema,
  ValidationError,
} from '../input/schema.ts'
import { flag, nameIn, string, text } from '../input/values.ts'
import { redactKey } from '../log/redactor.ts'
import { endpoints, sunsetOf } from '../spec/endpoints.ts'
import type { ControlStep } from '../spec/gaps/steps.ts'
import type { GapView } from '../spec/gaps.ts'
import { toJson } from '../spec/json.ts'
import type { Limits } from '../spec/plans.ts'
import type { Fault } from '../state/faults.ts'
import type { ApiKey } from '../state/keys.ts'
import type { State } from '../state/state.ts'
import type { ClockControls } from './clock.ts'
import type { FaultControls } from './faults.ts'
import { nothing, routesOn } from './http/route.ts'
import { type KeyChange, type KeyView, viewKey } from './keys.ts'

/** The controls that scenarios use. */
interface Stage {
  readonly clock: ClockControls
  readonly faults: FaultControls
  readonly gaps: GapView
  /** The texts of all keys. */
  readonly keys: readonly string[]
  /** Changes keys at once. */
  changeKeys(keys: readonly string[], change: KeyChange): void
}

/** The state that shows whether a scenario is in force. */
interface ScenarioScope {
  /** The keys that it applies to, without revoked ones. */
  readonly keys: readonly KeyView[]
  /** The only key that it applies to; `undefined` for all. */
  readonly key: string | undefined
  readonly faults: readonly Fault[]
  /** Unix milliseconds on the sandbox's clock. */
  readonly now: number
  readonly sunsetAt: number
  /** The settings of a key that the seed has. */
  seedKey(key: string): ApiKey | undefined
}

/** A ready-made situation. */
interface Scenario {
  readonly title: string
  /** What clients notice of it, in a line without a full stop. */
  readonly summary: string
  /** What it changes: keys, or what becomes of their requests, of all or of one; or something for everyone. */
  readonly of: 'keys' | 'requests' | 'everyone'
  /** The window whose requests it uses up. */
  readonly window?: keyof Limits
  /**
   * @param keys The keys that it is about.
   * @param key The only one of them; `undefined` for all.
   */
  apply(stage: Stage, keys: readonly string[], key: string | undefined): void
  /** Returns the controls that undo it; `undefined` while it isn't in force. */
  undo(scope: ScenarioScope): readonly ControlStep[] | undefined
}

/** Undoes what every key has in common, except for keys that the seed starts that way. */
function undoKeys(
  isSo: (key: KeyView, scope: ScenarioScope) => boolean,
  change: (key: KeyView) => KeyChange,
  isSeeded: (key: ApiKey, scope: ScenarioScope) => boolean,
): Scenario['undo'] {
  return (scope) => {
    if (scope.keys.length === 0 || !scope.keys.every((key) => isSo(key, scope))) return undefined
    const changed = scope.keys.filter(({ key }) => {
      const seeded = scope.seedKey(key)
      return seeded === undefined || scope.key !== undefined || !isSeeded(seeded, scope)
    })
    return changed.map((key) => ({ control: 'keys.update', args: [key.key, change(key)] }))
  }
}

function undoWindow(window: keyof Limits): Scenario['undo'] {
  return undoKeys(
    (key) => key[window].remaining === 0,
    (key) => ({ remaining: { [window]: key[window].limit } }),
    ({ firstRemaining }) => firstRemaining[window] === 0,
  )
}

function undoFaults(added: readonly FaultSettings[]): Scenario['undo'] {
  const names = ['status', 'probability', 'ms'] as const
  const isLike = (fault: Fault, one: FaultSettings): boolean =>
    fault.fault === one.fault &&
    names.every((name) => toJson(Reflect.get(fault, name)) === toJson(Reflect.get(one, name)))
  return ({ faults, key }) => {
    const own = faults.filter(
      (fault) => (fault.key ?? undefined) === key && added.some((one) => isLike(fault, one)),
    )
    if (own.length === 0) return undefined
    return own.map(({ id }) => ({ control: 'faults.remove', args: [id] }))
  }
}

function undoClock(isSo: (scope: ScenarioScope) => boolean): Scenario['undo'] {
  return (scope) => (isSo(scope) ? [{ control: 'clock.useSystemTime', args: [] }] : undefined)
}

const flakyFaults: readonly FaultSettings[] = [
  { fault: 'status', status: 503, probability: 0.2 },
  { fault: 'disconnect', probability: 0.05 },
]

const slowFaults: readonly FaultSettings[] = [{ fault: 'latency', ms: ['1s', '3s'] }]

const dayMs = 86_400_000

const { deprecated } = endpoints.getPet

/** Ready-made situations, by name. */
export const scenarios = {
  flaky: {
    title: 'Flaky',
    summary: 'One request in five gets 503, one in twenty is cut off',
    of: 'requests',
    apply({ faults }, _, key) {
      faults.add(flakyFaults.map((fault) => ({ ...fault, key })))
    },
    undo: undoFaults(flakyFaults),
  },
  slow: {
    title: 'Slow',
    summary: 'Each response takes 1 to 3 s',
    of: 'requests',
    apply({ faults }, _, key) {
      faults.add(slowFaults.map((fault) => ({ ...fault, key })))
    },
    undo: undoFaults(slowFaults),
  },
  'minute-exhausted': {
    title: 'Minute exhausted',
    summary: '429 until the minute is over',
    of: 'keys',
    window: 'minute',
    apply: ({ changeKeys }, keys) => changeKeys(keys, { remaining: { minute: 0 } }),
    undo: undoWindow('minute'),
  },
  'day-exhausted': {
    title: 'Day exhausted',
    summary: '429 until the day is over',
    of: 'keys',
    window: 'day',
    apply: ({ changeKeys }, keys) => changeKeys(keys, { remaining: { day: 0 } }),
    undo: undoWindow('day'),
  },
  banned: {
    title: 'Banned',
    summary: '429 for as long as the gap banDuration is set to',
    of: 'keys',
    apply: ({ changeKeys, gaps }, keys) => changeKeys(keys, { ban: gaps.banDuration }),
    undo: undoKeys(
      ({ bannedUntil }) => bannedUntil !== undefined,
      () => ({ unban: true }),
      ({ firstBanMs }) => firstBanMs > 0,
    ),
  },
  'key-expired': {
    title: 'Keys expired',
    summary: '401 from now on',
    of: 'keys',
    apply: ({ changeKeys, clock }, keys) => changeKeys(keys, { expiresAt: clock.now() }),
    undo: undoKeys(
      ({ expiresAt }, { now }) => expiresAt !== undefined && Date.parse(expiresAt) <= now,
      () => ({ expiresAt: null }),
      ({ expiresAt }, { now }) => expiresAt !== undefined && expiresAt <= now,
    ),
  },
  'sunset-tomorrow': {
    title: 'Day before the sunset',
    summary: 'GET /pets/{petId} is removed tomorrow',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetTime) - dayMs),
    undo: undoClock(({ now, sunsetAt }) => now >= sunsetAt - dayMs && now < sunsetAt),
  },
  'sunset-passed': {
    title: 'After the sunset',
    summary: 'GET /pets/{petId} is gone',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetTime)),
    undo: undoClock(({ now, sunsetAt }) => now >= sunsetAt),
  },
} as const satisfies Record<string, Scenario>

export type ScenarioName = keyof typeof scenarios

/** The names of all scenarios. */
export const scenarioNames: readonly ScenarioName[] = namesOf(scenarios)

/** The name of a scenario. */
export const scenarioName: Schema<ScenarioName> = nameIn(scenarios)

/** What a scenario is about. */
export const scenarioOptions = object(
  {
    /** The only key that it is about; by default it is about all. */
    key: optional(described('The key it is for; all keys by default.', text())),
  },
  { title: 'scenario', example: '{ "key": "free-key" }' },
)

/** What a scenario is about. */
export type ScenarioOptions = Input<typeof scenarioOptions>

/**
 * Sets up a ready-made situation.
 *
 * @throws {@link InputError} listing the names, or for a key that it can't be about.
 */
export function applyScenario(name: ScenarioName, options: ScenarioOptions, stage: Stage): void {
  const scenario: Scenario = scenarios[readInput(scenarioName, name, 'scenario')]
  const { key } = readInput(scenarioOptions, options)
  if (key === undefined) {
    scenario.apply(stage, stage.keys, undefined)
    return
  }
  readInput({ parse: () => refuseKey(scenario, key, stage.keys) }, options, 'scenario')
  scenario.apply(stage, [key], key)
}

/** @throws {@link Refusal} for a key that a scenario can't be about. */
function refuseKey({ of }: Scenario, key: string, all: readonly string[]): void {
  if (of === 'everyone')
    throw new ValidationError('it applies to everyone; leave the key out', ['key'])
  if (all.includes(key)) return
  throw new ValidationError(`found ${show(redactKey(key))}; use a key of this sandbox`, ['key'])
}

/** The scenarios, as they are shown. */
export const scenarioList = list(
  named(
    'Scenario',
    view({
      name: scenarioName,
      title: string,
      about: string,
      inForce: described('Whether it is in force, for the given key or for all.', flag),
      undo: described(
        'The controls that undo it; none while it is not in force.',
        list(controlStep),
      ),
    }),
  ),
)

export type ScenarioView = Input<typeof scenarioList>[number]

/** Returns the scenarios with whether each is in force, and how to undo it. */
export function listScenarios(
  state: State,
  seedKeys: readonly ApiKey[],
  options: ScenarioOptions = {},
): ScenarioView[] {
  const { key } = readInput(scenarioOptions, options)
  const views = state.keys.all().flatMap((one) => {
    const isMeant = !one.isRevoked && (key === undefined || one.key === key)
    return isMeant ? [viewKey(one, state)] : []
  })
  const seeded = new Map(seedKeys.map((one) => [one.key, one]))
  const scope: ScenarioScope = {
    key,
    keys: views,
    faults: state.faults.list(),
    now: state.clock.now(),
    sunsetAt: sunsetOf(deprecated, state.gaps.sunsetTime),
    seedKey: (name) => seeded.get(name),
  }
  return scenarioNames.map((name) => {
    const { title, summary, undo, of }: Scenario = scenarios[name]
    const steps = of === 'everyone' && key !== undefined ? undefined : undo(scope)
    return { name, title, about: summary, inForce: steps !== undefined, undo: steps ?? [] }
  })
}

const scenarioChoice = object(
  { name: scenarioName, ...scenarioOptions.properties },
  { title: 'scenario' },
)

const route = routesOn<{
  readonly controls: {
    scenarios(options?: ScenarioOptions): ScenarioView[]
    scenario(name: ScenarioName, options?: ScenarioOptions): void
  }
}>('sandbox')

/** The controls of scenarios over HTTP. */
export const scenarioRoutes = {
  scenarios: route('scenarios', {
    summary: 'List the scenarios, and how to undo those in force',
    description:
      'Returns the name of each scenario, what it changes, whether it is in force, and the controls that undo it.',
    query: scenarioOptions,
    reply: scenarioList,
    run: ({ controls, query }) => controls.scenarios(query),
  }),
  scenario: route('scenario', {
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario, to all keys or to one; what it does not change stays.',
    body: named('ScenarioChoice', scenarioChoice),
    reply: nothing,
    run: ({ controls, body: { name, ...options } }) => controls.scenario(name, options),
  }),
} as const
