import { controlStep } from '../../checks/coverage/steps.ts'
import { endpoints, sunsetOf } from '../../mock/api/endpoints.ts'
import type { ControlStep } from '../../mock/api/gaps/steps.ts'
import { formatValue, type GapView } from '../../mock/api/gaps.ts'
import { toJson } from '../../mock/api/json.ts'
import type { Limits } from '../../mock/api/plans.ts'
import type { FaultSettings } from '../../mock/faults/fault-rules.ts'
import { list, object, optional, view } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import {
  described,
  type Input,
  named,
  readInput,
  readPart,
  rejectValue,
  type Schema,
  ValidationError,
} from '../../mock/input/schema.ts'
import { flag, nameIn, string, text } from '../../mock/input/values.ts'
import type { Fault } from '../../mock/state/faults.ts'
import type { ApiKey } from '../../mock/state/keys.ts'
import type { State } from '../../mock/state/state.ts'
import type { ClockControls } from './clock.ts'
import type { FaultControls } from './faults.ts'
import { nothing, routesOn } from './http/route.ts'
import { type KeyChange, type KeyView, viewKey } from './keys.ts'

/** Controls that scenarios use. */
interface Stage {
  readonly clock: ClockControls
  readonly faults: FaultControls
  readonly gaps: GapView
  /** All keys, in full. */
  readonly keys: readonly string[]
  /** Changes keys at once. */
  changeKeys(keys: readonly string[], change: KeyChange): void
}

/** State that determines whether a scenario is in force. */
interface ScenarioScope {
  /** Keys to which it applies, without revoked ones. */
  readonly keys: readonly KeyView[]
  /** Only key to which it applies; `undefined` for all. */
  readonly key: string | undefined
  readonly faults: readonly Fault[]
  /** Unix milliseconds on the sandbox's clock. */
  readonly now: number
  readonly sunsetAt: number
  /** Value of the gap, as text. */
  readonly banDuration: string
  /** Returns the settings of a key in the seed. */
  seedKey(key: string): ApiKey | undefined
}

/** A ready-made change of the state. */
interface Scenario {
  readonly title: string
  /** Effect on clients, in a line without a full stop. */
  readonly summary: string
  /** Returns the effect with the current gap values, where it depends on one. */
  readonly now?: (scope: ScenarioScope) => string
  /** Subject of the change: all keys or one, the requests of all keys or one, or the sandbox for everyone. */
  readonly of: 'keys' | 'requests' | 'everyone'
  /** Window whose quota it exhausts. */
  readonly window?: keyof Limits
  /**
   * @param keys Keys to which it applies.
   * @param key The only one of them; `undefined` for all keys.
   */
  apply(stage: Stage, keys: readonly string[], key: string | undefined): void
  /** Returns the controls that undo it; `undefined` while it isn't in force. */
  undo(scope: ScenarioScope): readonly ControlStep[] | undefined
}

/** Returns an `undo` for a state that all keys are in; it leaves out keys that are in this state in the seed. */
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

/** Scenarios, by name. */
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
    summary: '429 until the ban is over (gap banDuration)',
    now: ({ banDuration }) => `429 for ${banDuration}`,
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
    summary: 'GET /pets/{petId} is removed tomorrow; the clock moves to the day before',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetTime) - dayMs),
    undo: undoClock(({ now, sunsetAt }) => now >= sunsetAt - dayMs && now < sunsetAt),
  },
  'sunset-passed': {
    title: 'After the sunset',
    summary: 'GET /pets/{petId} is gone; the clock moves to its sunset',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetTime)),
    undo: undoClock(({ now, sunsetAt }) => now >= sunsetAt),
  },
} as const satisfies Record<string, Scenario>

/** Name of a scenario, such as `minute-exhausted`. */
export type ScenarioName = keyof typeof scenarios

/** Names of all scenarios. */
export const scenarioNames: readonly ScenarioName[] = namesOf(scenarios)

/** Name of a scenario. */
export const scenarioName: Schema<ScenarioName> = nameIn(scenarios)

/** Options of a scenario. */
export const scenarioOptions = object(
  {
    /** Key to which it applies; all keys by default. */
    key: optional(described('The key it is for; all keys by default.', text())),
  },
  { title: 'scenario', example: '{ "key": "free-key" }' },
)

/** Options of a scenario. */
export interface ScenarioOptions extends Input<typeof scenarioOptions> {}

/**
 * Applies a scenario.
 *
 * @throws {@link InputError} for an unknown name, listing all names, or for a key to which it can't apply.
 */
export function applyScenario(name: ScenarioName, options: ScenarioOptions, stage: Stage): void {
  const scenario: Scenario = scenarios[readInput(scenarioName, name, 'scenario')]
  const { key } = readInput(scenarioOptions, options)
  if (key === undefined) {
    scenario.apply(stage, stage.keys, undefined)
    return
  }
  readInput({ parse: () => rejectKey(scenario, key, stage.keys) }, options, 'scenario')
  scenario.apply(stage, [key], key)
}

/** @throws {@link ValidationError} for a key to which a scenario can't apply. */
function rejectKey({ of }: Scenario, key: string, all: readonly string[]): void {
  if (of === 'everyone')
    throw new ValidationError('it applies to everyone; leave the key out', ['key'])
  readPart('key', () => all.includes(key) || rejectValue(key, 'a key of this sandbox', all))
}

const scenarioView = named(
  'Scenario',
  view({
    /** Name of the scenario. */
    name: scenarioName,
    /** Title of the scenario, for people. */
    title: string,
    /** Effect on clients. */
    summary: string,
    /** Whether it is in force, for the given key or for all. */
    inForce: described('Whether it is in force, for the given key or for all.', flag),
    /** Controls that undo it; empty while it isn't in force. */
    undo: described('The controls that undo it; none while it is not in force.', list(controlStep)),
  }),
)

/** A scenario, and whether it is in force. */
export interface ScenarioView extends Input<typeof scenarioView> {}

/** Scenarios in output. */
export const scenarioList = list<ScenarioView, ScenarioView>(scenarioView)

/** Returns the scenarios, whether each is in force, and the controls that undo it. */
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
    banDuration: String(formatValue('banDuration', state.gaps.banDuration)),
    seedKey: (name) => seeded.get(name),
  }
  return scenarioNames.map((name) => {
    const { title, summary, now, undo, of }: Scenario = scenarios[name]
    const steps = of === 'everyone' && key !== undefined ? undefined : undo(scope)
    return {
      name,
      title,
      summary: now?.(scope) ?? summary,
      inForce: steps !== undefined,
      undo: steps ?? [],
    }
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

/** Routes of scenarios. */
export const scenarioRoutes = {
  scenarios: route('scenarios', {
    summary: 'List the scenarios, and how to undo those in force',
    description:
      'Returns the name of each scenario, what it changes, whether it is in force, and the controls that undo it.',
    query: scenarioOptions,
    output: scenarioList,
    run: ({ controls, query }) => controls.scenarios(query),
  }),
  scenario: route('scenario', {
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario, to all keys or to one; what it does not change stays.',
    body: named('ScenarioChoice', scenarioChoice),
    output: nothing,
    run: ({ controls, body: { name, ...options } }) => controls.scenario(name, options),
  }),
} as const
