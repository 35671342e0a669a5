import type { VNode } from 'preact'
import { Button } from '../../console/parts/controls/button.tsx'
import type { ClockReading } from '../../state/clock.ts'
import { shownKey } from './key-card.tsx'
import type { PanelStore } from './panel-store.ts'
import type { PartProps } from './part-props.ts'

const steps = [
  { by: '1m', name: '+1 min', says: 'a minute' },
  { by: '1h', name: '+1 h', says: 'an hour' },
  { by: '1d', name: '+1 day', says: 'a day' },
] as const

/** The sandbox's time, and how to move it. */
export function ClockBar({ store }: PartProps): VNode {
  const { sandbox } = store
  const { now, mode, scale } = store.sight.value.clock
  const isFrozen = mode === 'frozen'
  return (
    <section class="clock" aria-label="Clock">
      <div class="row">
        <p>
          <time dateTime={now}>{`${now.slice(0, 10)} ${now.slice(11, 19)}`}</time>
          <span class="quiet"> UTC, {wayOf({ now, mode, scale })}</span>
        </p>
        <Button
          onClick={() =>
            isFrozen
              ? store.act('The clock runs.', () => sandbox.clock.resume())
              : store.act('The clock stands still.', () => sandbox.clock.freeze())
          }
        >
          {isFrozen ? 'Run' : 'Freeze'}
        </Button>
      </div>
      <div class="row">
        {steps.map(({ by, name, says }) => (
          <Button
            key={by}
            onClick={() =>
              store.act(`The clock is ${says} later.`, () => sandbox.clock.advance(by))
            }
          >
            {name}
          </Button>
        ))}
        <Button onClick={() => toReset(store)}>To the reset</Button>
        {mode !== 'system' && (
          <Button
            label="Now: the system's time"
            onClick={() =>
              store.act("The clock shows the system's time.", () => sandbox.clock.followSystem())
            }
          >
            Now
          </Button>
        )}
      </div>
    </section>
  )
}

function wayOf({ mode, scale }: ClockReading): string {
  if (mode === 'system') return 'system time'
  if (mode === 'frozen') return 'frozen'
  return mode === 'scaled' ? `×${scale}` : 'running'
}

/** Moves the clock to where the key in view gets its requests back, or its ban ends. */
function toReset(store: PanelStore): void {
  const key = shownKey(store)
  if (key === undefined) return
  const { bannedUntil, minute, day } = key
  const tightest = day.remaining < minute.remaining ? day : minute
  const at = bannedUntil ?? tightest.resetAt
  const says =
    bannedUntil === undefined
      ? `The clock is at the reset of ${key.key}.`
      : `${key.key} is no longer banned.`
  store.act(says, () => store.sandbox.clock.set(at))
}
