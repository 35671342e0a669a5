import {
  InputError,
  isRecord,
  parseOneOf,
  parseWhole,
  refuseUnknown,
  show,
} from '../input/input-error.ts'
import {
  type Duration,
  formatInstant,
  type Instant,
  parseDuration,
  parseInstant,
} from '../input/instant.ts'

/** `system` is `Date.now()`; `offset` runs beside it; `frozen` stands still; `scaled` runs faster or slower. */
export const clockModes = ['system', 'frozen', 'offset', 'scaled'] as const

export type ClockMode = (typeof clockModes)[number]

/** How a clock is to start. */
export interface ClockSettings {
  /** The instant it shows first; by default the system's. */
  readonly now?: Instant
  /** By default `scaled` with a `scale`, else `offset` with a `now`, else `system`. */
  readonly mode?: ClockMode
  /** Sandbox seconds in a real second, above 0 and at most 1,000,000; only for `scaled`. */
  readonly scale?: number
}

/** Where a clock stands. */
export interface ClockReading {
  /** ISO 8601 in UTC. */
  readonly now: string
  readonly mode: ClockMode
  readonly scale: number
}

/** The host's own timer, kept from test runners that put fake ones in its place. */
const startTimer = globalThis.setTimeout

/** How often a wait looks at the clock at least: time may jump without saying so, as faked timers let it. */
const lookEveryMs = 25

/** Something that waits for an instant. */
interface Waiter {
  readonly dueAt: number
  readonly release: () => void
}

const lastInstantAt = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** The only source of time of a sandbox. */
export class Clock {
  #mode: ClockMode = 'system'
  #scale = 1
  /** What the system's clock showed when this one showed `#baseAt`. */
  #anchorAt = 0
  #baseAt = 0
  #dateSecond = Number.NaN
  #date = ''
  #waiters: Waiter[] = []
  #isLooking = false
  #isGivenUp = false

  constructor(settings: ClockSettings | Instant = {}) {
    const { now, mode, scale } = parseClockSettings(settings)
    if (mode === 'system') return
    this.#restart(now ?? Date.now(), mode, mode === 'scaled' ? scale : 1)
  }

  /** The instant in Unix milliseconds, from 1970 to the end of 9999. */
  now(): number {
    if (this.#mode === 'system') return Date.now()
    if (this.#mode === 'frozen') return this.#baseAt
    const at = Math.floor(this.#baseAt + (Date.now() - this.#anchorAt) * this.#scale)
    return Math.max(0, Math.min(at, lastInstantAt))
  }

  /** Moves on at once, by milliseconds or a text such as `'61s'`; a frozen clock stays frozen. */
  advance(duration: Duration): void {
    const at = this.now() + parseDuration(duration, 'the advance')
    if (at > lastInstantAt) {
      throw new InputError('Cannot advance the clock: it would pass the year 9999')
    }
    this.set(at)
  }

  /** Jumps to an instant, back or forth; a frozen clock stays frozen, a running one runs on from there. */
  set(instant: Instant): void {
    const at = parseInstant(instant, 'the clock')
    this.#restart(at, this.#mode === 'system' ? 'offset' : this.#mode, this.#scale)
  }

  /** Stops the clock where it is. */
  freeze(): void {
    this.#restart(this.now(), 'frozen', 1)
  }

  /** Lets the clock run at the system's pace from where it is; one on system time stays on it. */
  resume(): void {
    if (this.#mode !== 'system') this.#restart(this.now(), 'offset', 1)
  }

  /** Lets the clock run `scale` times as fast as the system's, from where it is. */
  scale(scale: number): void {
    this.#restart(this.now(), 'scaled', parseScale(scale))
  }

  /** Goes back to the system's time. */
  followSystem(): void {
    this.#mode = 'system'
    this.#scale = 1
    this.#releaseDue()
    this.#look()
  }

  /** Waits until the clock has moved on by this much, whatever moves it. */
  wait(ms: number): Promise<void> {
    if (ms <= 0 || this.#isGivenUp) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiters.push({ dueAt: this.now() + ms, release: resolve })
      this.#look()
    })
  }

  /** Ends all waits at once, and those to come: nobody can move this clock any more. */
  releaseAll(): void {
    this.#isGivenUp = true
    const waiters = this.#waiters
    this.#waiters = []
    for (const { release } of waiters) release()
  }

  save() {
    const mode = this.#mode
    return {
      mode,
      scale: this.#scale,
      // What a mode doesn't use would make snapshots of the same state differ.
      baseAt: mode === 'system' ? 0 : this.#baseAt,
      anchorAt: mode === 'system' || mode === 'frozen' ? 0 : this.#anchorAt,
    }
  }

  /**
   * Makes a clock that shows what the saved one shows.
   *
   * @throws {@link InputError}
   */
  static restore(value: unknown): Clock {
    const clock = new Clock()
    const { mode, scale, baseAt, anchorAt } = isRecord(value) ? value : {}
    clock.#mode = parseOneOf(mode, clockModes, "the clock's mode")
    clock.#scale = parseScale(scale)
    clock.#baseAt = parseWhole(baseAt, 0, lastInstantAt, "the clock's baseAt")
    clock.#anchorAt = parseWhole(anchorAt, 0, lastInstantAt, "the clock's anchorAt")
    return clock
  }

  #releaseDue(): void {
    const now = this.now()
    const due = this.#waiters.filter(({ dueAt }) => dueAt <= now)
    if (due.length === 0) return
    this.#waiters = this.#waiters.filter(({ dueAt }) => dueAt > now)
    for (const { release } of due) release()
  }

  /** Looks again when the next wait is due, and now and then before. */
  #look(): void {
    // A clock that only a call can move needs no timer, which would keep its sandbox for ever.
    if (this.#mode === 'frozen') return
    if (this.#isLooking || this.#waiters.length === 0) return
    this.#isLooking = true
    const nextAt = this.#waiters.reduce(
      (least, { dueAt }) => Math.min(least, dueAt),
      Number.POSITIVE_INFINITY,
    )
    const delayMs = Math.min(lookEveryMs, (nextAt - this.now()) / this.#scale)
    startTimer(
      () => {
        this.#isLooking = false
        this.#releaseDue()
        this.#look()
      },
      Math.max(1, delayMs),
    )
  }

  /** Where the clock stands, in the form that its settings have. */
  read(): ClockReading {
    return { now: formatInstant(this.now()), mode: this.#mode, scale: this.#scale }
  }

  /** Writes an instant as the value of `Date`; the same second costs nothing again. */
  httpDate(at: number): string {
    const second = Math.floor(at / 1000)
    if (second !== this.#dateSecond) {
      this.#dateSecond = second
      this.#date = new Date(at).toUTCString()
    }
    return this.#date
  }

  #restart(baseAt: number, mode: ClockMode, scale: number): void {
    this.#baseAt = baseAt
    this.#anchorAt = Date.now()
    this.#mode = mode
    this.#scale = scale
    this.#releaseDue()
    this.#look()
  }
}

/**
 * Reads how fast a clock runs.
 *
 * @throws {@link InputError} out of range.
 */
export function parseScale(scale: unknown): number {
  if (typeof scale === 'number' && scale > 0 && scale <= 1_000_000) return scale
  throw new InputError(
    `Cannot set the clock's scale: found ${show(scale)}; use a number above 0, at most 1000000`,
  )
}

/** How a clock starts, read. */
interface ClockStart {
  readonly now: number | undefined
  readonly mode: ClockMode
  readonly scale: number
}

/**
 * Reads how a clock is to start: settings, or an instant from which it runs on.
 *
 * @throws {@link InputError}
 */
export function parseClockSettings(value: unknown): ClockStart {
  const settings = isRecord(value) && !(value instanceof Date) ? value : { now: value }
  refuseUnknown(settings, ['now', 'mode', 'scale'], 'the clock')
  const now = settings.now === undefined ? undefined : parseInstant(settings.now, 'the clock')
  const scale = settings.scale === undefined ? 1 : parseScale(settings.scale)
  const fitting = settings.scale !== undefined ? 'scaled' : now !== undefined ? 'offset' : 'system'
  const mode =
    settings.mode === undefined
      ? fitting
      : parseOneOf(settings.mode, clockModes, "the clock's mode")
  if (mode === 'system' && now !== undefined) {
    throw new InputError(
      "Cannot set the clock: mode system shows the system's time; leave out now, or use offset, frozen or scaled",
    )
  }
  if (mode !== 'scaled' && settings.scale !== undefined) {
    throw new InputError(`Cannot set the clock's scale: the mode is ${mode}; use mode scaled`)
  }
  return { now, mode, scale }
}
