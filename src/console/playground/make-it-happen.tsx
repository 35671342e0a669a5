import { runStep } from '../../checks/coverage/steps.ts'
import { useConsole } from '../live/console-context.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'

/** Failures to trigger with a button, each by a control for a key. */
const mishaps: Readonly<Record<string, (key: string) => Parameters<typeof runStep>[1]>> = {
  'Exhaust the minute': (key) => ({ control: 'keys.setRemaining', args: [key, { minute: 0 }] }),
  'Lose the response': () => ({
    control: 'faults.add',
    args: [{ fault: 'disconnect', times: 1 }],
  }),
  Ban: (key) => ({ control: 'keys.update', args: [key, { ban: '5m' }] }),
  'Jump to 5 December 2030': () => ({ control: 'clock.set', args: ['2030-12-05'] }),
}

/** Buttons for failures as in production, for the key of the latest request. */
export function MakeItHappen() {
  const run = useAction()
  const { store } = useConsole()
  const keyOf = store.keyOf.value
  const known = new Set(store.keys.value.map(({ key }) => key))
  const latest = store.entries.value.findLast((entry) => known.has(keyOf(entry)))
  const key = latest === undefined ? 'free-key' : keyOf(latest)
  return (
    <section class="stack" aria-labelledby="happen-title">
      <h2 id="happen-title">
        Make it happen <span class="hint">to {key}</span>
      </h2>
      <div class="group">
        {Object.entries(mishaps).map(([text, stepFor]) => (
          <Button
            key={text}
            onClick={() =>
              void run(async (client) => await runStep(client, stepFor(key)), {
                done: `${text}: done`,
                undo: true,
              })
            }
          >
            {text}
          </Button>
        ))}
      </div>
    </section>
  )
}
