import { formatCount } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import type { Gaps, KeyView } from '../live/live-store.ts'
import { Meter, Pill, type Tone } from '../parts/display.tsx'
import { Countdown, durationText } from '../parts/time.tsx'

/** Tone of each key state. */
const stateTones: Readonly<Record<KeyView['state'], Tone>> = {
  active: 'good',
  exhausted: 'limited',
  banned: 'broken',
  expired: 'warning',
  revoked: 'error',
}

/** Number of the requests with a key that the console shows. */
export function RequestCount({ of }: { readonly of: string }) {
  const { store } = useConsole()
  const keyOf = store.keyOf.value
  const count = store.entries.value.filter((entry) => keyOf(entry) === of).length
  return <span class={count === 0 ? 'hint' : ''}>{formatCount(count)}</span>
}

interface KeyWindowProps {
  readonly label: string
  readonly window: Pick<KeyView['minute'], 'limit' | 'remaining' | 'resetAt'>
}

/** Used quota of a key in a window, and the time until the window resets (spec 8). */
export function KeyWindow({ label, window: { limit, remaining, resetAt } }: KeyWindowProps) {
  const now = useConsole().store.time.now.value ?? 0
  const used = limit - remaining
  const text = `${formatCount(used)}/${formatCount(limit)}`
  const reset = durationText(Math.max(0, Date.parse(resetAt) - now), 1)
  return (
    <Meter label={label} used={used} limit={limit} text={used > 0 ? `${text} · ${reset}` : text} />
  )
}

/** State of a key, with the time until its ban ends or it expires, or its distance from a ban. */
export function KeyState({ view }: { readonly view: KeyView }) {
  const { store } = useConsole()
  const { state, bannedUntil, expiresAt, minute, day } = view
  const rejected = Math.max(minute.rejected, day.rejected)
  return (
    <span class="key-state">
      <Pill tone={stateTones[state] ?? 'neutral'} text={state} />
      <span class="hint">
        {bannedUntil !== undefined ? (
          <>
            ends <Countdown until={bannedUntil} past="now" />
          </>
        ) : expiresAt !== undefined && state !== 'expired' ? (
          <>
            expires <Countdown until={expiresAt} past="now" />
          </>
        ) : (
          wayToBan(rejected, store.gaps.value)
        )}
      </span>
    </span>
  )
}

/** Returns the number of rejected requests, and the number that bans a key (spec 8). */
function wayToBan(rejected: number, gaps: Gaps | undefined): string {
  if (rejected === 0) return ''
  const banAfter = gaps?.banAfter
  const text = `${formatCount(rejected)} × 429`
  return typeof banAfter === 'number' ? `${text}, banned at ${banAfter + 1}` : text
}
