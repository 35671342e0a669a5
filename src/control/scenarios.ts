import { endpoints, sunsetOf } from '../contract/endpoints.ts'
import type { GapView } from '../contract/gaps.ts'
import type { Limits } from '../contract/plans.ts'
import { show } from '../input/input-error.ts'
import { list, object, optional } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import { described, type Given, named, Refusal, readInput, type Schema } from '../input/schema.ts'
import { nameIn, string, text } from '../input/values.ts'
import { redactKey } from '../log/redactor.ts'
import type { ClockControls } from './clock.ts'
import type { FaultControls } from './faults.ts'
import { nothing, routesOn } from './http/route.ts'
import type { KeyChange } from './keys.ts'

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

/** A ready-made situation. */
interface Scenario {
  readonly title: string
  /** What clients notice of it, in a line without a full stop. */
  readonly about: string
  /** What it changes: keys, or what becomes of their requests, of all or of one; or something for everyone. */
  readonly of: 'keys' | 'requests' | 'everyone'
  /** The window whose requests it uses up. */
  readonly window?: keyof Limits
  /**
   * @param keys The keys that it is about.
   * @param key The only one of them; `undefined` for all.
   */
  apply(stage: Stage, keys: readonly string[], key: string | undefined): void
}

const minuteLimit = {
  title: 'Minute used up',
  about: '429 until the minute is over',
  of: 'keys',
  window: 'minute',
  apply: ({ changeKeys }, keys) => changeKeys(keys, { remaining: { minute: 0 } }),
} as const satisfies Scenario

const { deprecated } = endpoints.getPet

/** Ready-made situations, by name. */
export const scenarios = {
  flaky: {
    title: 'Flaky',
    about: 'One request in five gets 503, one in twenty is cut off',
    of: 'requests',
    apply({ faults }, _, key) {
      faults.add([
        { fault: 'status', status: 503, probability: 0.2, key },
        { fault: 'disconnect', probability: 0.05, key },
      ])
    },
  },
  slow: {
    title: 'Slow',
    about: 'Each answer takes 1 to 3 s',
    of: 'requests',
    apply({ faults }, _, key) {
      faults.add({ fault: 'latency', ms: ['1s', '3s'], key })
    },
  },
  'minute-limit': minuteLimit,
  'day-limit': {
    title: 'Day used up',
    about: '429 until the day is over',
    of: 'keys',
    window: 'day',
    apply: ({ changeKeys }, keys) => changeKeys(keys, { remaining: { day: 0 } }),
  },
  banned: {
    title: 'Banned',
    about: 'Refused for as long as the gap banDuration says',
    of: 'keys',
    apply: ({ changeKeys, gaps }, keys) => changeKeys(keys, { ban: gaps.banDuration }),
  },
  'key-expired': {
    title: 'Keys expired',
    about: '401 from now on',
    of: 'keys',
    apply: ({ changeKeys, clock }, keys) => changeKeys(keys, { expiresAt: clock.now() }),
  },
  'sunset-tomorrow': {
    title: 'Day before the sunset',
    about: 'GET /pets/{petId} is removed tomorrow',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetInstant) - 86_400_000),
  },
  'sunset-passed': {
    title: 'After the sunset',
    about: 'GET /pets/{petId} is gone',
    of: 'everyone',
    apply: ({ clock, gaps }) => clock.set(sunsetOf(deprecated, gaps.sunsetInstant)),
  },
  'rate-limited': { ...minuteLimit, about: 'The same as minute-limit' },
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
export type ScenarioOptions = Given<typeof scenarioOptions>

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
  readInput({ read: () => refuseKey(scenario, key, stage.keys) }, options, 'scenario')
  scenario.apply(stage, [key], key)
}

/** @throws {@link Refusal} for a key that a scenario can't be about. */
function refuseKey({ of }: Scenario, key: string, all: readonly string[]): void {
  if (of === 'everyone') throw new Refusal('it applies to everyone; leave the key out', ['key'])
  if (all.includes(key)) return
  throw new Refusal(`found ${show(redactKey(key))}; use a key of this sandbox`, ['key'])
}

/** The scenarios, as they are shown. */
export const scenarioList = list(
  named('Scenario', object({ name: scenarioName, title: string, about: string })),
)

/** Lists the scenarios, as they are shown. */
export function listScenarios(): Given<typeof scenarioList> {
  return scenarioNames.map((name) => {
    const { title, about } = scenarios[name]
    return { name, title, about }
  })
}

const scenarioChoice = object(
  { name: scenarioName, ...scenarioOptions.properties },
  { title: 'scenario' },
)

const route = routesOn<{
  readonly controls: { scenario(name: ScenarioName, options?: ScenarioOptions): void }
}>('sandbox')

/** The controls of scenarios over HTTP. */
export const scenarioRoutes = {
  scenarios: route('scenarios', {
    summary: 'List the ready-made situations',
    description: 'Returns the name of each scenario, and what it changes.',
    reply: scenarioList,
    run: listScenarios,
  }),
  scenario: route('scenario', {
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario, to all keys or to one; what it does not change stays.',
    body: named('ScenarioChoice', scenarioChoice),
    reply: nothing,
    run: ({ controls, body: { name, ...options } }) => controls.scenario(name, options),
  }),
} as const
