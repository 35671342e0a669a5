import { useConsole } from '../live/console-context.ts'
import { systemNow } from '../live/live-store.ts'
import { timeOfDay } from '../model/entry-text.ts'

/** The running clock of the sandbox, with its date unless it is today's. */
export function SandboxClock() {
  const now = useConsole().store.time.now.value
  if (now === undefined) return <span class="clock">–</span>
  const text = new Date(now).toISOString().replace(/\.\d+Z$/, 'Z')
  const isToday = text.slice(0, 10) === new Date(systemNow()).toISOString().slice(0, 10)
  return (
    <time class="clock" dateTime={text}>
      {isToday ? null : <span class="hint">{text.slice(0, 10)} </span>}
      {timeOfDay(text)}
    </time>
  )
}

/** Time of day of an instant, with its date unless it is the sandbox's current date. */
export function Instant({ at }: { readonly at: string }) {
  const day = useConsole().store.day.value
  const isOther = day !== undefined && at.slice(0, 10) !== day
  return (
    <time class="instant" dateTime={at}>
      {isOther ? <span class="date">{at.slice(0, 10)} </span> : null}
      {isOther ? at.slice(11, 19) : timeOfDay(at).padEnd(12, '.000')}
    </time>
  )
}

/** Countdown to an instant on the sandbox's clock. */
export function Countdown({ until, past }: { readonly until: string; readonly past: string }) {
  const now = useConsole().store.time.now.value
  const leftMs = now === undefined ? 0 : Date.parse(until) - now
  return <time dateTime={until}>{leftMs <= 0 ? past : `in ${durationText(leftMs)}`}</time>
}

const units = [
  [365 * 86_400, 'y'],
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'min'],
  [1, 's'],
] as const

/** Formats a duration in its largest units, two by default: `1 h 5 min`. */
export function durationText(ms: number, count = 2): string {
  let rest = Math.floor(ms / 1000)
  const parts: string[] = []
  for (const [seconds, unit] of units) {
    const amount = Math.floor(rest / seconds)
    rest -= amount * seconds
    if (amount > 0 && parts.length < count) parts.push(`${amount} ${unit}`)
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

/** Formats a shift in time, such as `−7 d`. */
export function shiftText(ms: number, count?: number): string {
  return `${ms < 0 ? '−' : '+'}${durationText(Math.abs(ms), count)}`
}

/** Formats the duration of a request: `12 ms`, `1.23 s`. */
export function tookText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  return ms < 60_000 ? `${(ms / 1_000).toFixed(2)} s` : durationText(ms)
}
