import { useConsole } from '../live/console-context.ts'
import { timeOfDay } from '../model/entry-text.ts'

/** The clock of the sandbox, as it goes. */
export function SandboxClock() {
  const now = useConsole().store.time.now.value
  if (now === undefined) return <span class="clock">–</span>
  const text = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  return (
    <time class="clock" dateTime={text}>
      {text.slice(0, 10)} <b>{timeOfDay(text)}</b>
      <span class="hint" title="Coordinated Universal Time">
        {' '}
        UTC
      </span>
    </time>
  )
}

/** An instant of the sandbox: its time of day, and the whole in its title. */
export function Instant({ at }: { readonly at: string }) {
  return (
    <time class="instant" dateTime={at} title={at}>
      {timeOfDay(at)}
    </time>
  )
}

/** How long it is to an instant on the sandbox's clock; counts down. */
export function Countdown({ until }: { readonly until: string }) {
  const now = useConsole().store.time.now.value
  const leftMs = now === undefined ? 0 : Date.parse(until) - now
  return <time dateTime={until}>{leftMs <= 0 ? 'now' : `in ${durationText(leftMs)}`}</time>
}

/** Writes a duration in its two largest units: `1 h 5 min`. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  const parts: readonly (readonly [number, string])[] = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'min'],
    [seconds % 60, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  if (first < 0) return '0 s'
  const shown = parts.slice(first, first + 2).filter(([count]) => count > 0)
  return shown.map(([count, unit]) => `${count} ${unit}`).join(' ')
}
