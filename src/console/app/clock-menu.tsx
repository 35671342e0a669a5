import { endpoints, sunsetOf } from '../../contract/endpoints.ts'
import { InputError } from '../../input/input-error.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-action.ts'
import { timeOfDay } from '../model/entry-text.ts'
import { readInstant } from '../model/read-instant.ts'
import { Button } from '../parts/controls/button.tsx'
import { DataForm, TextInput } from '../parts/controls/data-form.tsx'
import { Popover } from '../parts/controls/popover.tsx'
import { SandboxClock } from '../parts/time.tsx'

const steps = [
  { by: '1s', text: '+1 s', about: 'Advance the clock by 1 second' },
  { by: '1m', text: '+1 m', about: 'Advance the clock by 1 minute' },
  { by: '1h', text: '+1 h', about: 'Advance the clock by 1 hour' },
] as const

/** The sandbox's clock: a button that shows the time, and opens what moves it. */
export function ClockMenu() {
  const { store } = useConsole()
  const clock = store.status.value?.clock
  const now = store.time.now.value
  const time =
    now === undefined ? '–' : timeOfDay(new Date(now).toISOString().replace(/\.\d+Z$/, 'Z'))
  return (
    <Popover
      about="Clock of the sandbox"
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
    system: 'It is the time of the system.',
    offset: 'It runs.',
    frozen: 'It stands still.',
    scaled: `It runs ${scale} times as fast.`,
  } as const
  return (
    <section class="stack" aria-label="Clock">
      <p>
        <SandboxClock /> <span class="hint">{modeTexts[mode]}</span>
      </p>
      <div class="group">
        {mode === 'frozen' ? (
          <Button onClick={() => void run((client) => client.clock.resume())}>Run</Button>
        ) : (
          <Button onClick={() => void run((client) => client.clock.freeze())}>Freeze</Button>
        )}
        {steps.map(({ by, text, about }) => (
          <Button key={by} about={about} onClick={() => void run(({ clock: c }) => c.advance(by))}>
            {text}
          </Button>
        ))}
        <Button
          about="Back to the time of the system"
          onClick={() => void run((client) => client.clock.followSystem())}
        >
          Now
        </Button>
      </div>
      <div class="group">
        <Button
          about="Advance the clock to the next reset of a window"
          onClick={() =>
            void run((client) =>
              client.clock.set(nextResetAt(store.keys.peek(), store.time.now.peek() ?? 0)),
            )
          }
        >
          → next reset
        </Button>
        <Button
          about="Move the clock to the sunset of the deprecated operation"
          onClick={() => void run((client) => client.clock.set(sunsetAt(store.gaps.peek())))}
        >
          → sunset
        </Button>
      </div>
      <DataForm
        label="Set the clock"
        verb="Set it"
        send={({ clock: controls }, { at = '' }) =>
          controls.set(instantTyped(at, store.time.now.peek() ?? 0))
        }
      >
        <TextInput name="at" label="Instant" hint="2030-12-05T00:00:00Z, or a time of this day" />
      </DataForm>
    </section>
  )
}

/** @throws {@link InputError} for what is no instant. */
function instantTyped(text: string, now: number): number {
  const at = readInstant(text, now)
  if (at !== undefined) return at
  throw new InputError(
    `Cannot set the clock: found "${text}"; use a time such as 14:30, or an instant such as 2030-12-05T00:00:00Z`,
    ['at'],
    'wrong-value',
  )
}

const minuteMs = 60_000

/** When the next window of a key resets, in Unix milliseconds; without keys, the end of the minute. */
function nextResetAt(keys: readonly KeyView[], now: number): number {
  const resets = keys.flatMap(({ minute, day }) => [minute.resetAt, day.resetAt].map(Date.parse))
  const later = resets.filter((at) => at > now)
  return later.length === 0 ? now - (now % minuteMs) + minuteMs : Math.min(...later)
}

function sunsetAt(gaps: Gaps | undefined): number {
  const sunsetInstant = gaps?.sunsetInstant === 'end-of-day' ? 'end-of-day' : 'start-of-day'
  return sunsetOf(endpoints.getPet.deprecated, { sunsetInstant }).sunsetAt
}
