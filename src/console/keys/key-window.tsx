import type { KeyView } from '../live/live-store.ts'
import { Meter } from '../parts/meter.tsx'
import { Countdown } from '../parts/time.tsx'
import { numberText } from './key-text.ts'

interface KeyWindowProps {
  readonly label: string
  readonly window: KeyView['minute']
}

/** From this share on, what is left is little. */
const scarceShare = 0.1

/** What a key has left in a window, and when that is full again (spec 8). */
export function KeyWindow({ label, window: { limit, remaining, resetAt } }: KeyWindowProps) {
  return (
    <div class="key-window">
      <Meter
        label={label}
        value={remaining}
        most={limit}
        text={`${numberText(remaining)} of ${numberText(limit)} left`}
        tone={remaining <= limit * scarceShare ? 'scarce' : 'usual'}
      />
      <p class="hint">
        resets <Countdown until={resetAt} />
      </p>
    </div>
  )
}
