import { InputError, isRecord, parseOneOf, refuseUnknown, show } from '../../input/input-error.ts'
import { type Duration, type Instant, parseDuration, parseInstant } from '../../input/instant.ts'
import { type ClockMode, type ClockReading, clockModes, parseScale } from '../../state/clock.ts'
import type { Access } from './access.ts'

/** A change of the clock: one of `advance` and `set`, with or without a mode. */
export interface ClockChange {
  /** By how much to move on: milliseconds, or a text such as `61s`. */
  readonly advance?: Duration
  /** Where to jump to, back or forth. */
  readonly set?: Instant
  readonly mode?: ClockMode
  /** Sandbox seconds in a real second, above 0 and at most 1,000,000; with mode `scaled`. */
  readonly scale?: number
}

/** The clock under the tester's hand; whatever it moves is done when a call returns. */
export interface ClockControls {
  /** Unix milliseconds. */
  now(): number
  read(): ClockReading
  /** Moves on, by milliseconds or a text such as `61s`; windows have rolled and waits have ended on return. */
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
    advance: (duration) => state().clock.advance(duration),
    set: (instant) => state().clock.set(instant),
    freeze: () => state().clock.freeze(),
    resume: () => state().clock.resume(),
    scale: (scale) => state().clock.scale(scale),
    followSystem: () => state().clock.followSystem(),
    change(change) {
      const { advance, set, mode, scale } = parseClockChange(change)
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

interface ParsedChange {
  readonly advance: number | undefined
  readonly set: number | undefined
  readonly mode: ClockMode | undefined
  readonly scale: number | undefined
}

/** Reads a change as a whole, so that one that can't be made changes nothing. */
function parseClockChange(value: unknown): ParsedChange {
  if (!isRecord(value)) {
    throw new InputError(
      `Cannot change the clock: found ${show(value)}; use an object such as { "advance": "1m" }`,
    )
  }
  refuseUnknown(value, ['advance', 'set', 'mode', 'scale'], 'the clock')
  const { advance, set, mode, scale } = value
  if (advance !== undefined && set !== undefined) {
    throw new InputError('Cannot change the clock: found advance and set; use one of them')
  }
  const wanted =
    mode !== undefined
      ? parseOneOf(mode, clockModes, "the clock's mode")
      : scale !== undefined
        ? 'scaled'
        : undefined
  if (wanted !== 'scaled' && scale !== undefined) {
    throw new InputError(`Cannot set the clock's scale: the mode is ${wanted}; use mode scaled`)
  }
  if (wanted === 'system' && (advance !== undefined || set !== undefined)) {
    throw new InputError(
      "Cannot move the clock: mode system shows the system's time; use offset, frozen or scaled",
    )
  }
  return {
    advance: advance === undefined ? undefined : parseDuration(advance, 'the advance'),
    set: set === undefined ? undefined : parseInstant(set, 'the clock'),
    mode: wanted,
    scale: scale === undefined ? undefined : parseScale(scale),
  }
}
