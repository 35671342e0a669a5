import { useState } from 'preact/hooks'
import type { ControlStep } from '../../mock/api/control-step.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'

/** Failures to trigger with a button, each by a control for a key. */
const mishaps: Readonly<Record<string, (key: string) => ControlStep>> = {
  'Exhaust the minute': (key) => ({ control: 'keys.setRemaining', args: [key, { minute: 0 }] }),
  'Lose the response': (key) => ({
    control: 'faults.add',
    args: [{ fault: 'disconnect', times: 1, key }],
  }),
  Ban: (key) => ({ control: 'keys.ban', args: [key, '5m'] }),
}

/** Buttons for failures as in production, for a key, and for the day on which an operation goes. */
export function MakeItHappen() {
  const run = useAction()
  const [chosen, choose] = useState('free-key')
  const keys = useConsole().store.keys.value.map((one) => one.key)
  // A key of a client is gone after a restart.
  const key = keys.includes(chosen) ? chosen : (keys[0] ?? chosen)
  return (
    <section class="stack" aria-labelledby="happen-title">
      <header class="row">
        <h2 id="happen-title">Make it happen</h2>
        <label class="group hint">
          to
          <select value={key} onChange={({ currentTarget }) => choose(currentTarget.value)}>
            {keys.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </header>
      <div class="group">
        {Object.entries(mishaps).map(([text, stepFor]) => (
          <Button key={text} onClick={() => void run([stepFor(key)], `${text} (${key}): done`)}>
            {text}
          </Button>
        ))}
      </div>
      <p class="group">
        <span class="hint">To all:</span>
        <Button
          onClick={() =>
            void run([{ control: 'clock.set', args: ['2030-12-05'] }], 'It is 5 December 2030')
          }
        >
          Jump to 5 December 2030
        </Button>
      </p>
    </section>
  )
}
