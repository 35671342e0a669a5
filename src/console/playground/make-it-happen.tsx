import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'

/** Failures to trigger with a button: its text, the notice on success, and the control. */
const mishaps: readonly (readonly [
  text: string,
  done: string,
  act: (client: ConsoleClient, key: string) => Promise<unknown>,
])[] = [
  [
    'Exhaust the minute',
    'The minute is exhausted',
    ({ keys }, key) => keys.setRemaining(key, { minute: 0 }),
  ],
  [
    'Lose the response',
    'The next response is lost',
    ({ faults }) => faults.add({ fault: 'disconnect', times: 1 }),
  ],
  ['Ban', 'Banned for five minutes', ({ keys }, key) => keys.update(key, { ban: '5m' })],
  [
    'Jump to 5 December 2030',
    'It is 5 December 2030: GET /pets/{petId} is removed',
    ({ clock }) => clock.set('2030-12-05'),
  ],
]

/** Buttons for failures as in production, for the key of the latest request. */
export function MakeItHappen() {
  const run = useAction()
  const { store } = useConsole()
  const known = new Set(store.keys.value.map(({ key }) => key))
  const latest = store.entries.value.findLast((entry) => known.has(store.keyOf.value(entry)))
  const key = latest === undefined ? 'free-key' : store.keyOf.value(latest)
  return (
    <section class="stack" aria-labelledby="happen-title">
      <h2 id="happen-title">
        Make it happen <span class="hint">to {key}</span>
      </h2>
      <div class="group">
        {mishaps.map(([text, done, act]) => (
          <Button
            key={text}
            onClick={() => void run((client) => act(client, key), { done, undo: true })}
          >
            {text}
          </Button>
        ))}
      </div>
    </section>
  )
}
