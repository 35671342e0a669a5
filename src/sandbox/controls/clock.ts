import { object, optional } from '../../mock/input/object.ts'
import {
  type Input,
  named,
  type Output,
  readInput,
  refined,
  ValidationError,
} from '../../mock/input/schema.ts'
import { type Duration, duration, type Instant, instant } from '../../mock/input/values.ts'
import { type Clock, type ClockReading, clockMode, clockSpeed } from '../../mock/state/clock.ts'
import { type ControlContext, markChange, recorded } from './access.ts'
import { routesOn } from './http/route.ts'

/** A change of the clock, without the rules that combine its properties. */
const clockChange = object(
  {
    /** Time by which to advance: milliseconds, or a duration such as `61s`. */
    advance: optional(duration),
    /** Instant to set, earlier or later. */
    set: optional(instant),
    /**
     * New mode: `frozen` stops the clock, `running` lets it run from its current time, `scaled` at another `speed`;
     * `system` returns to the system's time.
     */
    mode: optional(clockMode),
    /** Number of sandbox seconds per real second: above 0, at most 1,000,000; only with mode `scaled`. */
    speed: optional(clockSpeed),
  },
  { title: 'clock', example: '{ "advance": "1m" }' },
)

/** A change of the clock: `advance` or `set`, a mode, or both. */
type ClockChange = Input<typeof clockChange>

/** Controls of the clock; all effects of a change have happened when the call returns. */
export interface ClockControls {
  /** Returns the sandbox's time in Unix milliseconds. */
  now(): number
  /** Returns the sandbox's time, and the clock's mode and speed. */
  read(): ClockReading
  /**
   * Advances the clock by milliseconds or a duration such as `61s`; quotas reset and waits end before it returns.
   *
   * @throws {@link InputError} for an invalid duration.
   */
  advance(duration: Duration): void
  /**
   * Sets the clock to an earlier or later instant; quota windows that then lie in the future start anew.
   *
   * @throws {@link InputError} for an invalid instant.
   */
  set(instant: Instant): void
  /** Stops the clock at its current time. */
  freeze(): void
  /** Runs the clock at the system's speed from its current time. */
  resume(): void
  /**
   * Runs the clock at this number of sandbox seconds per real second, from its current time.
   *
   * @throws {@link InputError} for a speed of 0 or less, or above 1,000,000.
   */
  setSpeed(speed: number): void
  /** Returns the clock to the system's time. */
  useSystemTime(): void
  /**
   * Applies a change such as `{ advance: '1m' }` or `{ mode: 'frozen' }`.
   *
   * @throws {@link InputError} for an invalid change, such as `advance` with `set`.
   */
  update(change: ClockChange): ClockReading
}

/** Creates the controls of a sandbox's clock. */
export function clockControls(access: ControlContext): ClockControls {
  const { state } = access
  const observed = recorded(access)
  /** Changes the clock, and adds an event if its mode or speed is different afterwards. */
  const switching = <Result>(change: (clock: Clock) => Result): Result => {
    const { clock } = state()
    const before = clock.read()
    const result = change(clock)
    const { mode, speed } = clock.read()
    if (mode !== before.mode || speed !== before.speed) markChange(access, 'clock-mode')
    return result
  }
  /** As `switching`, but first adds an event for the direction in which the clock was moved. */
  const moving = <Result>(move: (clock: Clock) => Result): Result =>
    switching((clock) => {
      const before = clock.now()
      const result = move(clock)
      const movedMs = clock.now() - before
      if (movedMs < 0) markChange(access, 'clock-set-back')
      else if (movedMs > 0) markChange(access, 'clock-moved')
      return result
    })
  return {
    now: () => state().clock.now(),
    read: () => state().clock.read(),
    advance: observed('clock.advance', (by) => moving((clock) => clock.advance(by))),
    set: observed('clock.set', (to) => moving((clock) => clock.set(to))),
    freeze: observed('clock.freeze', () => switching((clock) => clock.freeze())),
    resume: observed('clock.resume', () => switching((clock) => clock.resume())),
    setSpeed: observed('clock.setSpeed', (speed) => switching((clock) => clock.setSpeed(speed))),
    useSystemTime: observed('clock.useSystemTime', () => moving((clock) => clock.useSystemTime())),
    update: observed('clock.update', (change) => {
      const { advance, set, mode, speed } = readInput(possibleChange, change)
      const isMoved = advance !== undefined || set !== undefined || mode === 'system'
      return (isMoved ? moving : switching)((clock) => {
        // First, since it may throw.
        if (advance !== undefined) clock.advance(advance)
        if (mode === 'frozen') clock.freeze()
        if (mode === 'running') clock.resume()
        if (mode === 'system') clock.useSystemTime()
        if (mode === 'scaled') clock.setSpeed(speed ?? clock.read().speed)
        // Last, since a running clock would have advanced meanwhile.
        if (set !== undefined) clock.set(set)
        return clock.read()
      })
    }),
  }
}

/** Validates the whole change first, so that an invalid one changes nothing. */
const possibleChange = refined(clockChange, resolveChange, (change) => change)

function resolveChange(change: Output<typeof clockChange>): Output<typeof clockChange> {
  const { advance, set, speed } = change
  const mode = change.mode ?? (speed === undefined ? undefined : 'scaled')
  if (advance !== undefined && set !== undefined) {
    throw new ValidationError('found advance and set; use one of them')
  }
  if (mode !== 'scaled' && speed !== undefined) {
    throw new ValidationError(`the mode is ${mode}; use mode scaled`, ['speed'])
  }
  if (mode === 'system' && (advance !== undefined || set !== undefined)) {
    const moved = advance === undefined ? 'set' : 'advance'
    throw new ValidationError(
      "mode system always shows the system's time; use running, frozen or scaled",
      [moved],
    )
  }
  return { advance, set, mode, speed }
}

const route = routesOn<{ readonly controls: { readonly clock: ClockControls } }>('clock')

/** Routes of the clock. */
export const clockRoutes = {
  'clock.read': route('clock.read', {
    summary: 'Read the clock: its time, mode and speed',
    run: ({ controls }) => controls.clock.read(),
  }),
  'clock.update': route('clock.update', {
    summary: 'Move or stop the clock, or change its pace',
    description:
      'Takes `advance` or `set`, a `mode`, or both. When it responds, quotas have been reset, bans have ended, and delays that fell due are over. A frozen clock stays frozen unless a mode is given.',
    body: named('ClockChange', clockChange),
    run: ({ controls, body }) => controls.clock.update(body),
  }),
} as const
