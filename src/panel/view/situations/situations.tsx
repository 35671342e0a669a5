import type { VNode } from 'preact'
import type { ScenarioName } from '../../../control/scenarios.ts'
import { namesOf } from '../../../input/record.ts'
import type { PanelStore } from '../panel-store.ts'
import type { PartProps } from '../part-props.ts'
import { Faults } from './faults.tsx'

interface Scene {
  readonly name: string
  readonly about: string
}

/** The scenarios in words; one that is another name for another has none. */
const scenes: Readonly<Record<ScenarioName, Scene | undefined>> = {
  'minute-limit': { name: 'Minute used up', about: '429 until it is over' },
  'day-limit': { name: 'Day used up', about: '429 until it is over' },
  banned: { name: 'Banned', about: 'All keys, for a while' },
  'key-expired': { name: 'Keys expired', about: '401 from now on' },
  'sunset-tomorrow': { name: 'Day before the sunset', about: 'GET /pets/{petId} goes tomorrow' },
  'sunset-passed': { name: 'After the sunset', about: 'GET /pets/{petId} is gone' },
  flaky: { name: 'Flaky', about: 'Some 503, some cut off' },
  slow: { name: 'Slow', about: 'Each answer takes 1 to 3 s' },
  'rate-limited': undefined,
}

/** What can be brought about at a click. */
export function Situations({ store }: PartProps): VNode {
  return (
    <>
      <Faults store={store} />
      <section aria-labelledby="scenes">
        <h3 id="scenes">Set up a situation</h3>
        <ul class="scenes">
          {namesOf(scenes).map((name) => (
            <SceneButton key={name} store={store} name={name} />
          ))}
        </ul>
      </section>
    </>
  )
}

function SceneButton({
  store,
  name,
}: {
  readonly store: PanelStore
  readonly name: ScenarioName
}): VNode | null {
  const scene = scenes[name]
  if (scene === undefined) return null
  const setUp = (): void => store.act(`Set up: ${scene.name}.`, () => store.sandbox.scenario(name))
  return (
    <li>
      <button type="button" class="scene" onClick={setUp}>
        <b>{scene.name}</b>
        <span class="quiet">{scene.about}</span>
      </button>
    </li>
  )
}
