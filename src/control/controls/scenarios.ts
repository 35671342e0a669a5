import { endpoints } from '../../contract/endpoints.ts'
import { namesOf } from '../../input/record.ts'
import { readInput, type Schema } from '../../input/schema.ts'
import { nameIn } from '../../input/values.ts'
import type { ClockControls } from './clock-controls.ts'
import type { FaultControls } from './fault-controls.ts'
import type { KeyControls } from './key-controls.ts'

/** The controls that scenarios use. */
interface Stage {
  readonly clock: ClockControls
  readonly keys: KeyControls
  readonly faults: FaultControls
}

/** Ready-made situations, by name. */
export const scenarios = {
  flaky: {
    about: 'One request in five fails with 503, one in twenty loses its connection.',
    apply: ({ faults }: Stage) => {
      faults.add([
        { fault: 'status', status: 503, probability: 0.2 },
        { fault: 'disconnect', probability: 0.05 },
      ])
    },
  },
  slow: {
    about: 'Each answer takes one to three seconds.',
    apply: ({ faults }: Stage) => {
      faults.add({ fault: 'latency', ms: ['1s', '3s'] })
    },
  },
  'rate-limited': {
    about: 'The minute window of every key is used up.',
    apply: ({ keys }: Stage) => {
      for (const { key } of keys.list()) keys.setRemaining(key, { minute: 0 })
    },
  },
  'key-expired': {
    about: 'Every key expires now.',
    apply: ({ keys, clock }: Stage) => {
      for (const { key } of keys.list()) keys.change(key, { expiresAt: clock.now() })
    },
  },
  'sunset-tomorrow': {
    about: 'It is a day before GET /pets/{petId} is removed.',
    apply: ({ clock }: Stage) => clock.set(endpoints.getPet.deprecated.sunsetAt - 86_400_000),
  },
  'sunset-passed': {
    about: 'GET /pets/{petId} has just been removed.',
    apply: ({ clock }: Stage) => clock.set(endpoints.getPet.deprecated.sunsetAt),
  },
} as const satisfies Record<string, { about: string; apply: (stage: Stage) => void }>

export type ScenarioName = keyof typeof scenarios

/** The names of all scenarios. */
export const scenarioNames: readonly ScenarioName[] = namesOf(scenarios)

/** The name of a scenario. */
export const scenarioName: Schema<ScenarioName> = nameIn(scenarios)

/**
 * Sets up a ready-made situation.
 *
 * @throws {@link InputError} listing the names.
 */
export function applyScenario(name: ScenarioName, stage: Stage): void {
  scenarios[readInput(scenarioName, name, 'scenario')].apply(stage)
}
