import { useConsole } from '../live/console-context.ts'
import type { KeyView } from '../live/live-store.ts'
import { Meter, type Tone } from '../parts/display.tsx'
import { durationText } from '../parts/time.tsx'

/** How each state of a key is shown. */
export const stateTones: Readonly<Record<KeyView['state'], Tone>> = {
  active: 'good',
  exhausted: 'limited',
  banned: 'broken',
  expired: 'warning',
  revoked: 'error',
}

interface KeyWindowProps {
  readonly label: string
  readonly window: KeyView['minute']
}

/** What a key has left in a window, and how long it is until that is full again (spec 8). */
export function KeyWindow({ label, window: { limit, remaining, resetAt } }: KeyWindowProps) {
  const now = useConsole().store.time.now.value ?? 0
  const left = `${remaining.toLocaleString('en')}/${limit.toLocaleString('en')}`
  const reset = durationText(Math.max(0, Date.parse(resetAt) - now))
  return (
    <div title={remaining < limit ? `Resets at ${resetAt}` : 'Full'}>
      <Meter
        label={label}
        value={remaining}
        most={limit}
        text={remaining < limit ? `${left} · ${reset}` : left}
        tone={remaining <= limit / 10 ? 'scarce' : 'normal'}
      />
    </div>
  )
}
