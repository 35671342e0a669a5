import { useState } from 'preact/hooks'
import { useConsole } from '../live/console-context.ts'
import { useAsked } from '../live/pace/use-asked.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'

/** Ready-made situations, each brought about by a button, for all keys or one. */
export function ScenariosPart() {
  const { store } = useConsole()
  const { run, isBusy } = useAction()
  const [key, setKey] = useState('')
  const { answer = [], problem } = useAsked(store.questions.scenarios, [])
  return (
    <section class="box situation" aria-labelledby="scenarios">
      <header>
        <h2 id="scenarios">Scenarios</h2>
        <label class="bar-field">
          For
          <select value={key} onChange={({ currentTarget }) => setKey(currentTarget.value)}>
            <option value="">all keys</option>
            {store.keys.value.map((one) => (
              <option key={one.key} value={one.key}>
                {one.key}
              </option>
            ))}
          </select>
        </label>
      </header>
      {problem === undefined ? null : <p class="problem">{problem}</p>}
      <ul class="scenarios">
        {answer.map(({ name, about }) => (
          <li key={name}>
            <Button
              disabled={isBusy}
              onClick={() =>
                void run(
                  (client) => client.scenario(name, key === '' ? {} : { key }),
                  `${name}: ${about}`,
                )
              }
            >
              {name}
            </Button>
            <span class="hint">{about}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}
