import { startTimer, stopTimer } from '../api/real-time.ts'
import { InputError } from '../input/input-error.ts'
import { object, optional } from '../input/object.ts'
import {
  described,
  type Input,
  type Output,
  readInput,
  type Schema,
  ValidationError,
} from '../input/schema.ts'
import {
  type Duration,
  duration,
  formatInstant,
  type Instant,
  instant,
  integer,
  lastInstantAt,
  number,
  oneOf,
} from '../input/values.ts'

/**
 * The modes: `system` is `Date.now()`; `running` continues from another instant at the system's pace; `frozen` doesn't
 * move; `scaled` is faster or slower than the system.
 */
const clockModes = ['system', 'frozen', 'running', 'scaled'] as const

/** The mode of a clock. */
type ClockMode = (typeof clockModes)[number]

/** The mode of a clock. */
export const clockMode: Schema<ClockMode> = oneOf(clockModes)

/** Number of sandbox seconds in a real second. */
export const clockSpeed: Schema<number> = described(
  'How many sandbox seconds pass in a real second.',
  number('a number above 0 and up to 1000000', { exclusiveMinimum: 0, maximum: 1_000_000 }),
)

const settings = object(
  {
    /** The initial time; by default the system's. */
    now: optional(instant),
    /** The mode; by default `scaled` if there is a `speed`, else `running` if there is a `now`, else `system`. */
    mode: optional(clockMode),
    /** Number of sandbox seconds in a real second: above 0, at most 1,000,000; only with mode `scaled`. */
    speed: optional(clockSpeed),
  },
  { title: 'clock', example: '{ "now": "2030-12-04T23:59:00Z", "mode": "frozen" }' },
)

/** The initial settings of a clock. */
export interface ClockSettings extends Input<typeof settings> {}

/** Parsed {@link ClockSettings}. */
export interface ClockStart {
  readonly now: number | undefined
  /** The mode. */
  readonly mode: ClockMode
  readonly speed: number
}

/** The default settings of a clock: the system's time. */
export const systemClock: ClockStart = { now: undefined, mode: 'system', speed: 1 }

/** A clock's settings, or the instant from which it runs. */
export const clockStart: Schema<ClockSettings | Instant, ClockStart> = {
  expected: `${settings.expected}, or an instant`,
  jsonSchema: () => ({ anyOf: [instant.jsonSchema(), settings.jsonSchema()] }),
  parse(found) {
    const isInstant = typeof found !== 'object' || found instanceof Date
    const { now, mode, speed } = isInstant
      ? { now: instant.parse(found), mode: undefined, speed: undefined }
      : settings.parse(found)
    const fitting = speed !== undefined ? 'scaled' : now !== undefined ? 'running' : 'system'
    const start = { now, mode: mode ?? fitting, speed: speed ?? 1 }
    if (start.mode === 'system' && now !== undefined) {
      throw new ValidationError(
        "mode system always shows the system's time; leave now out, or use mode running, frozen or scaled",
        ['now'],
      )
    }
    if (start.mode !== 'scaled' && speed !== undefined) {
      throw new ValidationError(`the mode is ${start.mode}; use mode scaled`, ['speed'])
    }
    return start
  },
  encode: ({ now, mode, speed }) => ({
    mode,
    ...(now === undefined ? {} : { now: instant.encode(now) }),
    ...(mode === 'scaled' ? { speed } : {}),
  }),
}

/** A clock in a snapshot. */
export const savedClock = object({
  mode: clockMode,
  speed: clockSpeed,
  baseAt: integer(0, lastInstantAt),
  anchorAt: integer(0, lastInstantAt),
})

/** The time and the settings of a clock. */
export interface ClockReading {
  /** ISO 8601 in UTC. */
  readonly now: string
  /** The mode. */
  readonly mode: ClockMode
  /** Number of sandbox seconds in a real second. */
  readonly speed: number
}

/**
 * Maximum time between two checks of a clock with waits, in milliseconds, since faked timers make time jump without
 * notice.
 */
const pollEveryMs = 25

/** A wait for an instant. */
interface Wait {
  dueAt: number
  readonly end: () => void
}

/** The only source of time in a sandbox. */
export class Clock {
  #mode: ClockMode = 'system'
  #speed = 1
  /** The system's time at which this clock's time was `#baseAt`. */
  #anchorAt = 0
  #baseAt = 0
  readonly #waits = new Set<Wait>()
  /** The time of this clock when its waits were last checked. */
  #seenAt = 0
  #timer: ReturnType<typeof startTimer> | undefined
  #isEnded = false
  /** The last formatted HTTP date, and its second. */
  #date = { second: Number.NaN, text: '' }

  constructor({ now, mode, speed }: ClockStart = systemClock) {
    this.#restart(now ?? Date.now(), mode, speed)
  }

  /** Returns the time in Unix milliseconds, from 1970 to the end of 9999. */
  now(): number {
    if (this.#mode === 'system') return Date.now()
    if (this.#mode === 'frozen') return this.#baseAt
    const at = Math.floor(this.#baseAt + (Date.now() - this.#anchorAt) * this.#speed)
    return Math.max(0, Math.min(at, lastInstantAt))
  }

  /** Moves the clock forward by milliseconds or a duration such as `'61s'`; a frozen clock stays frozen. */
  advance(by: Duration): void {
    const at = this.now() + readInput(duration, by, 'advance')
    if (at > lastInstantAt) {
      throw new InputError(
        'Cannot advance the clock: it would go beyond the year 9999; advance by less',
      )
    }
    this.set(at)
  }

  /**
   * Moves the clock to an instant, earlier or later; a frozen clock stays frozen, and a running one continues from
   * there.
   */
  set(to: Instant): void {
    const at = readInput(instant, to, 'clock')
    this.#restart(at, this.#mode === 'system' ? 'running' : this.#mode, this.#speed)
  }

  /** Stops the clock at its current time. */
  freeze(): void {
    this.#restart(this.now(), 'frozen', 1)
  }

  /** Continues from the current time at the system's pace; a clock on system time stays on it. */
  resume(): void {
    if (this.#mode !== 'system') this.#restart(this.now(), 'running', 1)
  }

  /** Continues from the current time, `speed` times as fast as the system's clock. */
  setSpeed(speed: number): void {
    this.#restart(this.now(), 'scaled', readInput(clockSpeed, speed, 'speed'))
  }

  /** Returns to the system's time. */
  useSystemTime(): void {
    this.#restart(0, 'system', 1)
  }

  /**
   * Waits until the clock has moved forward by a duration, for whatever reason. A jump back keeps the remaining wait.
   * The wait ends at once when its signal aborts or the clock ends.
   *
   * @param ms Infinity for a wait that only its signal or the clock can end.
   */
  wait(ms: number, signal?: AbortSignal): Promise<void> {
    if (ms <= 0 || this.#isEnded || signal?.aborted) return Promise.resolve()
    this.#look()
    return new Promise((resolve) => {
      const end = (): void => {
        this.#waits.delete(wait)
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        end()
        this.#schedule()
      }
      const wait = { dueAt: this.now() + ms, end }
      this.#waits.add(wait)
      signal?.addEventListener('abort', leave)
      this.#schedule()
    })
  }

  /** Ends all waits, present and future, because this clock will not be moved again. */
  end(): void {
    this.#isEnded = true
    for (const wait of this.#waits) wait.end()
    this.#schedule()
  }

  /** Returns the time and the settings of the clock. */
  read(): ClockReading {
    return { now: formatInstant(this.now()), mode: this.#mode, speed: this.#speed }
  }

  /**
   * Formats an instant as an HTTP date. The text is cached until the second changes, since formatting takes a twentieth
   * of a request.
   */
  httpDate(at: number): string {
    const second = Math.floor(at / 1000)
    if (second !== this.#date.second) this.#date = { second, text: new Date(at).toUTCString() }
    return this.#date.text
  }

  save(): Output<typeof savedClock> {
    const mode = this.#mode
    return {
      mode,
      speed: this.#speed,
      // Unused values would make snapshots of the same state differ.
      baseAt: mode === 'system' ? 0 : this.#baseAt,
      anchorAt: mode === 'system' || mode === 'frozen' ? 0 : this.#anchorAt,
    }
  }

  /** Restores a saved clock. */
  static restore({ mode, speed, baseAt, anchorAt }: Output<typeof savedClock>): Clock {
    const clock = new Clock()
    clock.#mode = mode
    clock.#speed = speed
    clock.#baseAt = baseAt
    clock.#anchorAt = anchorAt
    return clock
  }

  #restart(baseAt: number, mode: ClockMode, speed: number): void {
    this.#look()
    this.#baseAt = baseAt
    this.#anchorAt = Date.now()
    this.#mode = mode
    this.#speed = speed
    this.#look()
  }

  /** Ends the waits that are due; after a jump back, keeps the remaining time of each wait. */
  #look(): void {
    const now = this.now()
    const jumpMs = Math.min(0, now - this.#seenAt)
    this.#seenAt = now
    for (const wait of this.#waits) {
      wait.dueAt += jumpMs
      if (wait.dueAt <= now) wait.end()
    }
    this.#schedule()
  }

  /**
   * Schedules the next check for when the next wait is due, or sooner; schedules none while only a call can end a wait.
   */
  #schedule(): void {
    stopTimer(this.#timer)
    let nextAt = Number.POSITIVE_INFINITY
    for (const { dueAt } of this.#waits) nextAt = Math.min(nextAt, dueAt)
    if (this.#mode === 'frozen' || !Number.isFinite(nextAt)) return
    const delayMs = Math.min(pollEveryMs, (nextAt - this.now()) / this.#speed)
    this.#timer = startTimer(() => this.#look(), Math.max(1, delayMs))
  }
}
