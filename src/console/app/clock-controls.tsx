import { endpoints, sunsetOf } from '../../mock/api/endpoints.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { Button } from '../parts/button.tsx'
import { DataForm, TextInput } from '../parts/data-form.tsx'
import { SandboxClock } from '../parts/time.tsx'

const advances = ['1s', '1m', '1h', '1d'] as const

/** Controls of the sandbox's clock. */
export function ClockControls() {
  const { store } = useConsole()
  const run = useAction()
  const clock = store.status.value?.clock
  if (clock === undefined) return null
  const { mode, speed } = clock
  const modeTexts = {
    system: 'Follows the system time',
    running: 'Runs',
    frozen: 'Stands still',
    scaled: `Runs ×${speed}`,
  } as const
  const button = (
    text: string,
    move: (controls: ConsoleClient['clock']) => Promise<unknown>,
    hint?: string,
  ) => (
    <Button hint={hint} onClick={() => void run((client) => move(client.clock))}>
      {text}
    </Button>
  )
  return (
    <section class="stack" aria-label="Clock">
      <p>
        <SandboxClock /> <span class="hint">UTC · {modeTexts[mode]}</span>
      </p>
      <div class="group">
        {mode === 'frozen'
          ? button('Run', (controls) => controls.resume())
          : button('Freeze', (controls) => controls.freeze())}
        {advances.map((by) =>
          button(`+${by}`, (controls) => controls.advance(by), `Advance the clock by ${by}`),
        )}
        {button('Now', (controls) => controls.useSystemTime(), 'Follow the system time')}
      </div>
      <div class="group">
        {button(
          '→ next reset',
          (controls) => controls.set(nextResetAt(store.keys.peek(), store.time.now.peek() ?? 0)),
          'To the next time a quota resets',
        )}
        {button(
          '→ sunset',
          (controls) => controls.set(sunsetAt(store.gaps.peek())),
          'To the sunset of the deprecated operation',
        )}
      </div>
      <DataForm
        label="Set the clock"
        verb="Set it"
        send={({ clock: controls }, { at = '' }) => controls.set(at)}
      >
        <TextInput
          name="at"
          label="Time (UTC)"
          required
          value={new Date(store.time.now.peek() ?? 0).toISOString().replace(/\.\d+Z$/, 'Z')}
        />
      </DataForm>
    </section>
  )
}

/** Returns the next quota reset of any key, in Unix milliseconds; without keys, the end of the minute. */
function nextResetAt(keys: readonly KeyView[], now: number): number {
  const resets = keys.flatMap(({ minute, day }) => [minute.resetAt, day.resetAt].map(Date.parse))
  const later = resets.filter((at) => at > now)
  return later.length === 0 ? now - (now % 60_000) + 60_000 : Math.min(...later)
}

/** Returns the time at which `GET /pets/{petId}` is removed, in Unix milliseconds. */
export function sunsetAt(gaps: Gaps | undefined): number {
  return sunsetOf(endpoints.getPet.deprecated, gaps?.sunsetTime)
}
