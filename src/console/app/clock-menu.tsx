import { endpoints, sunsetOf } from '../../contract/endpoints.ts'
import type { ConsoleClient } from '../live/console-client.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-client.ts'
import { timeOfDay } from '../model/entry-text.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, TextInput } from '../parts/controls/data-form.tsx'
import { Popover } from '../parts/controls/popover.tsx'
import { SandboxClock } from '../parts/time.tsx'

/** The sandbox's clock: a button that shows the time, and opens what moves it. */
export function ClockMenu() {
  const { store } = useConsole()
  const clock = store.status.value?.clock
  const now = store.time.now.value
  const time =
    now === undefined ? '–' : timeOfDay(new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'))
  return (
    <Popover
      disabled={clock === undefined}
      text={
        <>
          <span aria-hidden="true">{clock?.mode === 'frozen' ? '‖' : '▶'}</span>
          <span class="unseen">Clock</span>
          <span class="clock">{time}</span>
        </>
      }
    >
      {() => <ClockControls />}
    </Popover>
  )
}

function ClockControls() {
  const { store } = useConsole()
  const { run } = useAction()
  const clock = store.status.value?.clock
  if (clock === undefined) return null
  const { mode, scale } = clock
  const modeTexts = {
    system: 'It follows the system.',
    offset: 'It runs.',
    frozen: 'It stands still.',
    scaled: `It runs ×${scale}.`,
  } as const
  const button = (
    text: string,
    move: (controls: ConsoleClient['clock']) => Promise<unknown>,
    about?: string,
  ) => (
    <Button about={about} onClick={() => void run((client) => move(client.clock))}>
      {text}
    </Button>
  )
  return (
    <section class="stack" aria-label="Clock">
      <p>
        <SandboxClock /> <span class="hint">{modeTexts[mode]}</span>
      </p>
      <div class="group">
        {mode === 'frozen'
          ? button('Run', (controls) => controls.resume())
          : button('Freeze', (controls) => controls.freeze())}
        {button('+1 s', (controls) => controls.advance('1s'), 'Advance the clock by 1s')}
        {button('+1 m', (controls) => controls.advance('1m'), 'Advance the clock by 1m')}
        {button('+1 h', (controls) => controls.advance('1h'), 'Advance the clock by 1h')}
        {button('Now', (controls) => controls.followSystem())}
      </div>
      <div class="group">
        {button(
          '→ next reset',
          (controls) => controls.set(nextResetAt(store.keys.peek(), store.time.now.peek() ?? 0)),
          'To the next reset of a window',
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
        send={({ clock: controls }, { at = '' }) => controls.set(`${at}Z`)}
      >
        <TextInput
          name="at"
          label="Instant (UTC)"
          type="datetime-local"
          step={1}
          required
          value={new Date(store.time.now.peek() ?? 0).toISOString().slice(0, 19)}
        />
      </DataForm>
    </section>
  )
}

/** When the next window of a key resets, in Unix milliseconds; without keys, the end of the minute. */
function nextResetAt(keys: readonly KeyView[], now: number): number {
  const resets = keys.flatMap(({ minute, day }) => [minute.resetAt, day.resetAt].map(Date.parse))
  const later = resets.filter((at) => at > now)
  return later.length === 0 ? now - (now % 60_000) + 60_000 : Math.min(...later)
}

/** When `GET /pets/{petId}` is removed, in Unix milliseconds. */
export function sunsetAt(gaps: Gaps | undefined): number {
  return sunsetOf(endpoints.getPet.deprecated, gaps?.sunsetInstant)
}
