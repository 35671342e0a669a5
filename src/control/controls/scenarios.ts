import { endpoints } from '../../contract/endpoints.ts'
import { namesOf } from '../../input/record.ts'
import { readInput, type Schema } from '../../input/schema.ts'
import { nameIn } from '../../input/values.ts'
import type { Controls } from './controls.ts'

/** Ready-made situations, by name. */
export const scenarios = {
  flaky: {
    about: 'One request in five fails with 503, one in twenty loses its connection.',
    apply: ({ faults }: Controls) => {
      faults.add([
        { fault: 'status', status: 503, probability: 0.2 },
        { fault: 'disconnect', probability: 0.05 },
      ])
    },
  },
  slow: {
    about: 'Each answer takes one to three seconds.',
    apply: ({ faults }: Controls) => {
      faults.add({ fault: 'latency', ms: ['1s', '3s'] })
    },
  },
  'rate-limited': {
    about: 'The minute window of every key is used up.',
    apply: ({ keys }: Controls) => {
      for (const { key } of keys.list()) keys.setRemaining(key, { minute: 0 })
    },
  },
  'key-expired': {
    about: 'Every key expires now.',
    apply: ({ keys, clock }: Controls) => {
      for (const { key } of keys.list()) keys.change(key, { expiresAt: clock.now() })
    },
  },
  'sunset-tomorrow': {
    about: 'It is a day before GET /pets/{petId} is removed.',
    apply: ({ clock }: Controls) => clock.set(endpoints.getPet.deprecated.sunsetAt - 86_400_000),
  },
  'sunset-passed': {
    about: 'GET /pets/{petId} has just been removed.',
    apply: ({ clock }: Controls) => clock.set(endpoints.getPet.deprecated.sunsetAt),
  },
} as const satisfies Record<string, { about: string; apply: (controls: Controls) => void }>

export type ScenarioName = keyof typeof scenarios

/** The names of all scenarios. */
export const scenarioNames: readonly ScenarioName[] = namesOf(scenarios)

/** The name of a scenario. */
export const scenarioName: Schema<ScenarioName> = nameIn(scenarios)

/**
 * Brings a ready-made situation about.
 *
 * @throws {@link InputError} listing the names.
 */
export function applyScenario(name: ScenarioName, controls: Controls): void {
  scenarios[readInput(scenarioName, name, 'scenario')].apply(controls)
}
