import { endpoints, sunsetOf } from '../../mock/api/endpoints.ts'
import { formatValue, type GapSettings, type GapValues } from '../../mock/api/gaps.ts'
import { type PetSettings, petSettings, petStatuses } from '../../mock/api/pet.ts'
import type { Limits } from '../../mock/api/plans.ts'
import type { FaultSettings } from '../../mock/faults/fault-rules.ts'
import { object, optional } from '../../mock/input/object.ts'
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
import { nameIn, text } from '../../mock/input/values.ts'
import type { AppliedScenario, Replaced } from '../../mock/state/scenarios.ts'
import type { State } from '../../mock/state/state.ts'
import type { ClockControls } from './clock.ts'
import type { FaultControls } from './faults.ts'
import { routesOn } from './http/route.ts'
import { type KeyChange, viewKey } from './keys.ts'

/** A step that sets up a scenario. */
export type ScenarioStep =
  /** Changes the keys to which it applies. */
  | { readonly change: 'keys'; readonly to: KeyChange }
  /** Adds faults, for all requests or those of one key. */
  | { readonly change: 'faults'; readonly to: readonly FaultSettings[] }
  | { readonly change: 'gaps'; readonly to: GapSettings }
  /** Moves the clock to an instant, in Unix milliseconds. */
  | { readonly change: 'clock'; readonly to: number }
  /** Replaces all pets. */
  | { readonly change: 'pets'; readonly to: readonly PetSettings[] }

/** Subjects of scenarios: all keys or one, the requests of all keys or one, or the sandbox for everyone. */
type ScenarioSubject = 'keys' | 'requests' | 'everyone'

/** A ready-made situation. */
interface Scenario {
  readonly title: string
  /** Effect on clients, in a line without a full stop. */
  readonly summary: string
  /** Returns the effect with the current gap values, where it depends on one. */
  readonly now?: (gaps: GapValues) => string
  readonly of: ScenarioSubject
  /** Window whose quota it exhausts. */
  readonly window?: keyof Limits
  /** The changes that set it up, all or none of them faults. */
  readonly steps: (state: Pick<State, 'clock' | 'gaps'>) => readonly ScenarioStep[]
}

const dayMs = 86_400_000

const { deprecated } = endpoints.getPet

const faults =
  (...to: readonly FaultSettings[]): Scenario['steps'] =>
  () => [{ change: 'faults', to }]

const keys =
  (to: KeyChange): Scenario['steps'] =>
  () => [{ change: 'keys', to }]

/** Names that lists, cards and markup have to bear. */
const crowdedNames: readonly string[] = [
  'R',
  'Rex',
  'The pet with the name that never ends '.repeat(26).padEnd(1_000, '.'),
  'Donaudampfschifffahrtskapitaenskajuetentuerschluesselhund',
  '🐕‍🦺 Bruno 🏳️‍🌈',
  'ريكس الكلب',
  'כלב ושמו רקס',
  '<b>Bold</b> & "quoted" <script>alert(1)</script>',
  'Ünïcödé Çàt',
  '猫のミケ',
]

/** 100 pets, some without a status. */
const crowd: readonly PetSettings[] = Array.from({ length: 100 }, (_, index) => {
  const status = petStatuses[index % 4]
  const name = crowdedNames[index % crowdedNames.length] ?? 'Rex'
  const pet = { id: index + 1, name, categoryId: (index % 10) + 1 }
  return status === undefined ? pet : { ...pet, status }
})

/** Scenarios, by name. */
export const scenarios = {
  empty: {
    title: 'No pets',
    summary: 'The store has no pets',
    of: 'everyone',
    steps: () => [{ change: 'pets', to: [] }],
  },
  crowded: {
    title: 'Many pets',
    summary: '100 pets: names of 1 to 1,000 characters, emoji, right-to-left text, markup',
    of: 'everyone',
    steps: () => [{ change: 'pets', to: crowd }],
  },
  slow: {
    title: 'Slow',
    summary: 'Each response takes 1 to 3 s',
    of: 'requests',
    steps: faults({ fault: 'latency', ms: ['1s', '3s'] }),
  },
  hanging: {
    title: 'Hanging',
    summary: 'No response comes, and the connection stays open',
    of: 'requests',
    steps: faults({ fault: 'timeout' }),
  },
  unreachable: {
    title: 'Unreachable',
    summary: 'The connection breaks before a response',
    of: 'requests',
    steps: faults({ fault: 'disconnect' }),
  },
  down: {
    title: 'Down',
    summary: '503 to each request',
    of: 'requests',
    steps: faults({ fault: 'status', status: 503 }),
  },
  flaky: {
    title: 'Flaky',
    summary: 'One request in five gets 503, one in twenty is cut off',
    of: 'requests',
    steps: faults(
      { fault: 'status', status: 503, probability: 0.2 },
      { fault: 'disconnect', probability: 0.05 },
    ),
  },
  unreadable: {
    title: 'Unreadable',
    summary: 'Bodies are broken JSON',
    of: 'requests',
    steps: faults({ fault: 'malformed-json' }),
  },
  'minute-exhausted': {
    title: 'Minute exhausted',
    summary: '429 until the minute is over',
    of: 'keys',
    window: 'minute',
    steps: keys({ remaining: { minute: 0 } }),
  },
  'day-exhausted': {
    title: 'Day exhausted',
    summary: '429 until the day is over',
    of: 'keys',
    window: 'day',
    steps: keys({ remaining: { day: 0 } }),
  },
  banned: {
    title: 'Banned',
    summary: '429 until the ban is over (gap banDuration)',
    now: ({ banDuration }) =>
      `429 until the ban is over, after ${formatValue('banDuration', banDuration)}`,
    of: 'keys',
    steps: ({ gaps }) => [{ change: 'keys', to: { ban: gaps.banDuration } }],
  },
  'key-expired': {
    title: 'Keys expired',
    summary: '401 from now on',
    of: 'keys',
    steps: ({ clock }) => [{ change: 'keys', to: { expiresAt: clock.now() } }],
  },
  'key-revoked': {
    title: 'Keys revoked',
    summary: '401, as for a key that never was',
    of: 'keys',
    steps: keys({ revoked: true }),
  },
  'headers-hidden': {
    title: 'Headers hidden',
    summary: 'Pages of other origins read no X-RateLimit-* or Retry-After (gap exposedHeaders)',
    of: 'everyone',
    steps: () => [{ change: 'gaps', to: { exposedHeaders: 'none' } }],
  },
  'sunset-tomorrow': {
    title: 'Day before the sunset',
    summary: 'GET /pets/{petId} is removed tomorrow; the clock moves to the day before',
    of: 'everyone',
    steps: ({ gaps }) => [{ change: 'clock', to: sunsetOf(deprecated, gaps.sunsetTime) - dayMs }],
  },
  'sunset-passed': {
    title: 'After the sunset',
    summary: 'GET /pets/{petId} is gone; the clock moves to its sunset',
    of: 'everyone',
    steps: ({ gaps }) => [{ change: 'clock', to: sunsetOf(deprecated, gaps.sunsetTime) }],
  },
} as const satisfies Record<string, Scenario>

/** Name of a scenario, such as `minute-exhausted`. */
export type ScenarioName = keyof typeof scenarios

/** Names of all scenarios. */
export const scenarioNames: readonly ScenarioName[] = namesOf(scenarios)

/** A scenario in words. */
export interface ScenarioText {
  /** Name, such as `banned`. */
  readonly name: ScenarioName
  /** Title, for people. */
  readonly title: string
  /** Effect on clients. */
  readonly summary: string
}

/** All scenarios, to run a test in each. */
export const scenarioTexts: readonly ScenarioText[] = scenarioNames.map((name) => {
  const { title, summary } = scenarios[name]
  return { name, title, summary }
})

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

/** Controls of the scenarios. */
export interface ScenarioControls {
  /**
   * Applies a scenario to the current state, for all keys or for one: `{ key: 'free-key' }`. One that is set up already
   * is stopped first.
   *
   * @throws {@link InputError} for an unknown name, or a key to which it can't apply.
   */
  scenario(name: ScenarioName, options?: ScenarioOptions): void
  /**
   * Stops a scenario, for all keys or for one: brings back what it replaced, and leaves what clients have done since.
   * Returns whether it was in force.
   *
   * @throws {@link InputError} for an unknown name.
   */
  stopScenario(name: ScenarioName, options?: ScenarioOptions): boolean
  /** Returns the scenarios, and whether each is in force for all keys or for one. */
  scenarios(options?: ScenarioOptions): ScenarioView[]
}

/** Controls that scenarios use. */
interface Tools {
  readonly clock: ClockControls
  readonly faults: FaultControls
  setGaps(settings: GapSettings): unknown
  /** Changes keys at once. */
  changeKeys(keys: readonly string[], change: KeyChange): void
  /** Announces that the pets have changed. */
  petsChanged(): void
  /** Replaces the list of applied scenarios. */
  keep(applied: readonly AppliedScenario[]): void
}

/** Creates the controls of a sandbox's scenarios; the first two are recorded by their caller. */
export function scenarioControls(state: () => State, tools: Tools): ScenarioControls {
  const stop = (name: ScenarioName, key: string | undefined): boolean => {
    const found = state().scenarios.find((one) => one.name === name && one.key === key)
    if (found === undefined) return false
    const wasInForce = isInForce(found, state())
    for (const one of found.replaced) bringBack(one, state(), tools)
    tools.keep(state().scenarios.filter((one) => one !== found))
    return wasInForce
  }
  return {
    scenario(name, options = {}) {
      const scenario: Scenario = scenarios[readInput(scenarioName, name, 'scenario')]
      const { key } = readInput(scenarioOptions, options)
      const all = state()
        .keys.all()
        .map((one) => one.key)
      if (key !== undefined) {
        readInput({ parse: () => rejectKey(scenario, key, all) }, options, 'scenario')
      }
      stop(name, key)
      const subjects = key === undefined ? all : [key]
      const replaced = scenario
        .steps(state())
        .flatMap((step) => apply(step, subjects, key, state(), tools))
      tools.keep([...state().scenarios, { name, key, replaced }])
    },
    stopScenario(name, options = {}) {
      readInput(scenarioName, name, 'scenario')
      return stop(name, readInput(scenarioOptions, options).key)
    },
    scenarios(options = {}) {
      const { key } = readInput(scenarioOptions, options)
      const applied = state().scenarios.filter((one) => one.key === key)
      return scenarioNames.map((name) => {
        const { title, summary, now, of }: Scenario = scenarios[name]
        const found = applied.find((one) => one.name === name)
        return {
          name,
          title,
          summary: now?.(state().gaps) ?? summary,
          of,
          inForce: found !== undefined && isInForce(found, state()),
        }
      })
    },
  }
}

/** @throws {@link ValidationError} for a key to which a scenario can't apply. */
function rejectKey({ of }: Scenario, key: string, all: readonly string[]): void {
  if (of === 'everyone')
    throw new ValidationError('it applies to everyone; leave the key out', ['key'])
  readPart('key', () => all.includes(key) || rejectValue(key, 'a key of this sandbox', all))
}

/** Carries out a step; returns what it replaced. */
function apply(
  step: ScenarioStep,
  keys: readonly string[],
  key: string | undefined,
  state: State,
  tools: Tools,
): readonly Replaced[] {
  switch (step.change) {
    case 'keys': {
      const replaced = keys.flatMap((one) => replacedOf(one, step.to, state))
      tools.changeKeys(keys, step.to)
      return replaced
    }
    case 'faults':
      return tools.faults
        .add(step.to.map((fault) => ({ ...fault, key })))
        .map(({ id }) => ({ of: 'fault', id }))
    case 'gaps': {
      const before = namesOf(step.to).map((name) => [name, state.gaps[name]])
      tools.setGaps(step.to)
      return [{ of: 'gaps', gaps: Object.fromEntries(before) }]
    }
    case 'clock': {
      const now = tools.clock.read().mode === 'system' ? null : state.clock.now()
      tools.clock.set(step.to)
      return [{ of: 'clock', now }]
    }
    case 'pets': {
      const removed = state.pets.all().map((pet) => ({ ...pet, status: pet.status }))
      state.pets.clear()
      const added = state.pets.add(step.to.map(petSettings.parse), state.gaps.idSequence)
      tools.petsChanged()
      return [{ of: 'pets', removed, added: added.map(({ id }) => id) }]
    }
  }
}

/** Returns what a change replaces of a key; nothing if the key is so already. */
function replacedOf(text: string, change: KeyChange, state: State): readonly Replaced[] {
  const key = state.keys.find(text)
  if (key === undefined) return []
  const { minute, day, bannedUntil } = viewKey(key, state)
  const left = { minute: minute.remaining, day: day.remaining }
  const replaced: Replaced[] = []
  for (const window of namesOf(change.remaining ?? {})) {
    if (left[window] > 0) {
      replaced.push({ of: 'quota', key: text, window, remaining: left[window] })
    }
  }
  if (change.ban !== undefined && bannedUntil === undefined) replaced.push({ of: 'ban', key: text })
  if (change.expiresAt !== undefined) {
    replaced.push({ of: 'expiry', key: text, expiresAt: key.expiresAt ?? null })
  }
  if (change.revoked && !key.isRevoked) replaced.push({ of: 'revocation', key: text })
  return replaced
}

/** Brings back what a scenario replaced, as far as it is still so. */
function bringBack(replaced: Replaced, state: State, tools: Tools): void {
  if (!isStill(replaced, state)) return
  switch (replaced.of) {
    case 'quota': {
      const { key, window, remaining } = replaced
      tools.changeKeys([key], { remaining: { [window]: remaining } })
      return
    }
    case 'ban':
      tools.changeKeys([replaced.key], { unban: true })
      return
    case 'expiry':
      tools.changeKeys([replaced.key], { expiresAt: replaced.expiresAt })
      return
    case 'revocation':
      tools.changeKeys([replaced.key], { revoked: false })
      return
    case 'fault':
      tools.faults.remove(replaced.id)
      return
    case 'gaps':
      tools.setGaps(replaced.gaps)
      return
    case 'clock':
      if (replaced.now === null) tools.clock.useSystemTime()
      else tools.clock.set(replaced.now)
      return
    case 'pets': {
      const { pets, gaps } = state
      for (const id of replaced.added) pets.delete(id)
      // A client's new pet may have taken a place meanwhile, and no id is given twice.
      pets.add(
        replaced.removed.filter(({ id }) => pets.get(id) === undefined),
        gaps.idSequence,
      )
      tools.petsChanged()
      return
    }
  }
}

/** Returns whether a scenario's change still holds: a ban may be over, a fault removed. */
function isStill(replaced: Replaced, state: State): boolean {
  switch (replaced.of) {
    case 'quota':
    case 'ban':
    case 'expiry':
    case 'revocation': {
      const key = state.keys.find(replaced.key)
      if (key === undefined) return false
      const { minute, day, bannedUntil } = viewKey(key, state)
      if (replaced.of === 'quota') return { minute, day }[replaced.window].remaining === 0
      if (replaced.of === 'ban') return bannedUntil !== undefined
      if (replaced.of === 'revocation') return key.isRevoked
      return key.expiresAt !== undefined && key.expiresAt <= state.clock.now()
    }
    case 'fault':
      return state.faults.list().some(({ id }) => id === replaced.id)
    case 'gaps':
      return namesOf(replaced.gaps).some((name) => state.gaps[name] !== replaced.gaps[name])
    case 'clock':
    case 'pets':
      return true
  }
}

/** Returns whether something of a scenario still holds; where it had nothing to change, it is in force until it is stopped. */
function isInForce({ replaced }: AppliedScenario, state: State): boolean {
  return replaced.length === 0 || replaced.some((one) => isStill(one, state))
}

/** A scenario, and whether it is in force. */
export interface ScenarioView {
  /** Name of the scenario. */
  readonly name: ScenarioName
  /** Title of the scenario, for people. */
  readonly title: string
  /** Effect on clients. */
  readonly summary: string
  /** Subject of the change: keys, their requests, or the sandbox for everyone. */
  readonly of: ScenarioSubject
  /** Whether it is in force, for the given key or for all. */
  readonly inForce: boolean
}

const scenarioChoice = object(
  { name: scenarioName, ...scenarioOptions.properties },
  { title: 'scenario', example: '{ "name": "minute-exhausted" }' },
)

const route = routesOn<{ readonly controls: ScenarioControls }>('sandbox')

/** Routes of scenarios. */
export const scenarioRoutes = {
  scenarios: route('scenarios', {
    summary: 'List the scenarios, and which are in force',
    description:
      'Returns the name of each scenario, what clients meet, and whether it is in force.',
    query: scenarioOptions,
    run: ({ controls, query }) => controls.scenarios(query),
  }),
  scenario: route('scenario', {
    summary: 'Set up a ready-made situation',
    description: 'Applies a scenario, to all keys or to one; what it does not change stays.',
    body: named('ScenarioChoice', scenarioChoice),
    run: ({ controls, body: { name, ...options } }) => controls.scenario(name, options),
  }),
  stopScenario: route('stopScenario', {
    summary: 'Stop a scenario',
    description:
      'Brings back what the scenario replaced, for all keys or for one, and leaves what clients have done since. Returns whether it was in force.',
    body: named('ScenarioChoice', scenarioChoice),
    run: ({ controls, body: { name, ...options } }) => controls.stopScenario(name, options),
  }),
} as const
