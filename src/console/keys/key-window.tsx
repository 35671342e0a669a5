import type { KeyView } from '../live/live-store.ts'
import type { Tone } from '../parts/badge.tsx'
import { Meter } from '../parts/meter.tsx'
import { Countdown } from '../parts/time.tsx'

/** How each state of a key is shown. */
export const stateTones: Readonly<Record<KeyView['state'], Tone>> = {
  active: 'good',
  exhausted: 'limited',
  banned: 'broken',
  expired: 'warning',
  revoked: 'error',
}

/** From this share on, what is left is little. */
const scarceShare = 0.1

/** What a key has left in a window, and when that is full again (spec 8). */
export function KeyWindow({
  label,
  window: { limit, remaining, resetAt },
}: {
  readonly label: string
  readonly window: KeyView['minute']
}) {
  return (
    <div>
      <Meter
        label={label}
        value={remaining}
        most={limit}
        text={`${remaining.toLocaleString('en')}/${limit.toLocaleString('en')}`}
        tone={remaining <= limit * scarceShare ? 'scarce' : 'usual'}
      />
      <p class="hint">
        {remaining < limit ? (
          <>
            resets <Countdown until={resetAt} />
          </>
        ) : (
          'full'
        )}
      </p>
    </div>
  )
}
