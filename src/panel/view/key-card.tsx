import type { VNode } from 'preact'
import { Badge } from '../../console/parts/badge.tsx'
import { Meter } from '../../console/parts/meter.tsx'
import { durationText } from '../../console/parts/time.tsx'
import type { KeyView } from '../../control/keys.ts'
import type { PanelStore } from './panel-store.ts'
import type { PartProps } from './part-props.ts'

/** The key in view: the one that was chosen, or that is in use. */
export function shownKey({ chosenKey, sight }: PanelStore): KeyView | undefined {
  const { keys, keyInUse } = sight.value
  const wanted = keys.find(({ key }) => key === chosenKey.value)
  return wanted ?? keys.find(({ key }) => key === keyInUse) ?? keys[0]
}

/** What a key has left in both windows. */
export function KeyCard({ store }: PartProps): VNode {
  const { keys, keyInUse, clock } = store.sight.value
  const key = shownKey(store)
  if (key === undefined) return <p class="quiet key">The sandbox has no keys.</p>
  const now = Date.parse(clock.now)
  return (
    <section class="key" aria-label="Key">
      <div class="row">
        <select
          aria-label="Key"
          value={key.key}
          onChange={({ currentTarget }) => {
            store.chosenKey.value = currentTarget.value
          }}
        >
          {keys.map((one) => (
            <option key={one.key} value={one.key}>
              {one.key === keyInUse ? `${one.key} (in use)` : one.key}
            </option>
          ))}
        </select>
        <span class="quiet">{key.plan}</span>
        <Badge tone={key.state === 'active' ? 'good' : 'limited'} text={stateOf(key, now)} />
      </div>
      <WindowMeter name="Minute" window={key.minute} now={now} />
      <WindowMeter name="Day" window={key.day} now={now} />
    </section>
  )
}

function stateOf({ state, bannedUntil }: KeyView, now: number): string {
  return bannedUntil === undefined
    ? state
    : `${state}, ${durationText(Date.parse(bannedUntil) - now)} left`
}

interface WindowProps {
  readonly name: string
  readonly window: KeyView['minute']
  readonly now: number
}

/** What is left of a window, and until when. */
function WindowMeter({ name, window, now }: WindowProps): VNode {
  const { limit, remaining, resetAt } = window
  const figures = `${remaining.toLocaleString('en')} of ${limit.toLocaleString('en')}`
  return (
    <Meter
      label={name}
      value={remaining}
      most={limit}
      text={`${figures}, resets in ${durationText(Date.parse(resetAt) - now)}`}
      tone={remaining <= limit / 6 ? 'scarce' : 'usual'}
    />
  )
}
