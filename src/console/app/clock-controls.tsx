import { endpoints, sunsetOf } from '../../contract/endpoints.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { useAction } from '../live/use-action.ts'
import { Button } from '../parts/controls/button.tsx'
import { SandboxClock } from '../parts/time.tsx'

const steps = [
  { by: '1s', text: '+1 s', about: 'Advance the clock by 1 second' },
  { by: '1m', text: '+1 m', about: 'Advance the clock by 1 minute' },
  { by: '1h', text: '+1 h', about: 'Advance the clock by 1 hour' },
] as const

const modeTexts = {
  system: 'runs',
  offset: 'runs',
  frozen: 'frozen',
  scaled: 'runs',
} as const

/** The sandbox's clock, and what moves it. */
export function ClockControls() {
  const { store } = useConsole()
  const { run } = useAction()
  const clock = store.status.value?.clock
  const isFrozen = clock?.mode === 'frozen'
  const pace = clock?.mode === 'scaled' ? ` ×${clock.scale}` : ''
  return (
    <fieldset class="clock-controls" disabled={clock === undefined}>
      <legend class="unseen">Clock of the sandbox</legend>
      <SandboxClock />
      <span class="clock-mode">
        <span aria-hidden="true">{isFrozen ? '‖' : '▶'}</span>{' '}
        {clock === undefined ? '' : `${modeTexts[clock.mode]}${pace}`}
      </span>
      <div class="group">
        <Button
          onClick={() =>
            void run(({ clock: controls }) => (isFrozen ? controls.resume() : controls.freeze()))
          }
        >
          {isFrozen ? 'Run' : 'Freeze'}
        </Button>
        {steps.map(({ by, text, about }) => (
          <Button
            key={by}
            about={about}
            onClick={() => void run((client) => client.clock.advance(by))}
          >
            {text}
          </Button>
        ))}
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
    </fieldset>
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
