import { type Duration, duration } from '../../input/duration.ts'
import { type Instant, instant, instantText } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import {
  described,
  type Given,
  named,
  type Read,
  Refusal,
  readInput,
  refined,
  type Schema,
} from '../../input/schema.ts'
import type { ClockReading } from '../../state/clock.ts'
import { clockMode, clockScale } from '../../state/clock-settings.ts'
import type { Access } from './access.ts'

/** A change of the clock, its properties not yet held against each other. */
export const clockChange = object(
  {
    /** By how much to move on: milliseconds, or a duration such as `61s`. */
    advance: optional(duration),
    /** Where to jump to, back or forth. */
    set: optional(instant),
    mode: optional(clockMode),
    /** Sandbox seconds in a real second, above 0 and at most 1,000,000; with mode `scaled`. */
    scale: optional(clockScale),
  },
  { title: 'clock', example: '{ "advance": "1m" }' },
)

/** A change of the clock: one of `advance` and `set`, with or without a mode. */
export type ClockChange = Given<typeof clockChange>

/** Where a clock stands. */
export const clockReading: Schema<ClockReading> = named(
  'Clock',
  object(
    {
      now: instantText,
      mode: clockMode,
      scale: described('Sandbox seconds in a real second.', clockScale),
    },
    { unknown: 'ignore' },
  ),
)

/** The clock under the tester's hand; whatever it moves is done when a call returns. */
export interface ClockControls {
  /** Unix milliseconds. */
  now(): number
  read(): ClockReading
  /** Moves on, by milliseconds or a duration such as `61s`; windows have rolled and waits have ended on return. */
  advance(duration: Duration): void
  /** Jumps, back or forth; a window that lies ahead of the new time begins anew. */
  set(instant: Instant): void
  freeze(): void
  /** Lets it run at the system's pace from where it is. */
  resume(): void
  /** Lets it run this many times as fast, from where it is. */
  scale(scale: number): void
  /** Goes back to the system's time. */
  followSystem(): void
  /** Does what a document such as `{ "advance": "1m" }` or `{ "mode": "frozen" }` says. */
  change(change: ClockChange): ClockReading
}

/** Makes the controls of a sandbox's clock. */
export function clockControls({ state }: Access): ClockControls {
  return {
    now: () => state().clock.now(),
    read: () => state().clock.read(),
    advance: (by) => state().clock.advance(by),
    set: (to) => state().clock.set(to),
    freeze: () => state().clock.freeze(),
    resume: () => state().clock.resume(),
    scale: (scale) => state().clock.scale(scale),
    followSystem: () => state().clock.followSystem(),
    change(change) {
      const { advance, set, mode, scale } = readInput(possibleChange, change)
      const { clock } = state()
      // First, since it may refuse.
      if (advance !== undefined) clock.advance(advance)
      if (mode === 'frozen') clock.freeze()
      if (mode === 'offset') clock.resume()
      if (mode === 'system') clock.followSystem()
      if (mode === 'scaled') clock.scale(scale ?? clock.read().scale)
      // Last, since a clock that runs would have moved on from it.
      if (set !== undefined) clock.set(set)
      return clock.read()
    },
  }
}

/** A change that can be made, so that one that can't be made changes nothing. */
const possibleChange = {
  ...refined(clockChange, resolveChange, (change) => change),
  title: clockChange.title,
}

function resolveChange(change: Read<typeof clockChange>): Read<typeof clockChange> {
  const { advance, set, scale } = change
  const mode = change.mode ?? (scale === undefined ? undefined : 'scaled')
  if (advance !== undefined && set !== undefined) {
    throw new Refusal('found advance and set; use one of them')
  }
  if (mode !== 'scaled' && scale !== undefined) {
    throw new Refusal(`the mode is ${mode}; use mode scaled`, ['scale'])
  }
  if (mode === 'system' && (advance !== undefined || set !== undefined)) {
    const moved = advance === undefined ? 'set' : 'advance'
    throw new Refusal("mode system shows the system's time; use offset, frozen or scaled", [moved])
  }
  return { advance, set, mode, scale }
}
