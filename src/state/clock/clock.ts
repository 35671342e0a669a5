import { type Duration, duration } from '../../input/duration.ts'
import { InputError } from '../../input/input-error.ts'
import { formatInstant, type Instant, instant, lastInstantAt } from '../../input/instant.ts'
import { type Read, readInput } from '../../input/schema.ts'
import {
  type ClockMode,
  type ClockStart,
  clockScale,
  type savedClock,
  systemClock,
} from './clock-settings.ts'
import { Waits } from './waits.ts'

/** What a clock shows. */
export interface ClockReading {
  /** ISO 8601 in UTC. */
  readonly now: string
  readonly mode: ClockMode
  /** How many sandbox seconds pass in a real second. */
  readonly scale: number
}

/** The host's own timers, taken before a test runner replaces them with fake ones. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** How often a clock with waits is looked at, at least, since faked timers make time jump without notice. */
const pollEveryMs = 25

/** The only source of time of a sandbox. */
export class Clock {
  #mode: ClockMode = 'system'
  #scale = 1
  /** The system's time when this clock showed `#baseAt`. */
  #anchorAt = 0
  #baseAt = 0
  #dateSecond = Number.NaN
  #date = ''
  readonly #waits = new Waits()
  /** What this clock showed when its waits were last looked at. */
  #seenAt = 0
  #timer: ReturnType<typeof startTimer> | undefined
  /** The instant for which the timer was started. */
  #timedFor = 0
  #isEnded = false

  constructor({ now, mode, scale }: ClockStart = systemClock) {
    this.#restart(now ?? Date.now(), mode, scale)
  }

  /** The instant in Unix milliseconds, from 1970 to the end of 9999. */
  now(): number {
    if (this.#mode === 'system') return Date.now()
    if (this.#mode === 'frozen') return this.#baseAt
    const at = Math.floor(this.#baseAt + (Date.now() - this.#anchorAt) * this.#scale)
    return Math.max(0, Math.min(at, lastInstantAt))
  }

  /** Moves on at once, by milliseconds or a duration such as `'61s'`; a frozen clock stays frozen. */
  advance(by: Duration): void {
    const at = this.now() + readInput(duration, by, 'advance')
    if (at > lastInstantAt) {
      throw new InputError(
        'Cannot advance the clock: it would go beyond the year 9999; advance by less',
      )
    }
    this.set(at)
  }

  /** Jumps to an instant, earlier or later; a frozen clock stays frozen, a running one runs on from there. */
  set(to: Instant): void {
    const at = readInput(instant, to, 'clock')
    this.#restart(at, this.#mode === 'system' ? 'offset' : this.#mode, this.#scale)
  }

  /** Stops the clock where it is. */
  freeze(): void {
    this.#restart(this.now(), 'frozen', 1)
  }

  /** Runs on at the system's pace from where it is; a clock on system time stays on it. */
  resume(): void {
    if (this.#mode !== 'system') this.#restart(this.now(), 'offset', 1)
  }

  /** Runs on `scale` times as fast as the system's clock, from where it is. */
  scale(scale: number): void {
    this.#restart(this.now(), 'scaled', readInput(clockScale, scale, 'scale'))
  }

  /** Goes back to the system's time. */
  followSystem(): void {
    this.#restart(0, 'system', 1)
  }

  /**
   * Waits until the clock has moved on by this much, whatever moves it; a jump back leaves the rest of the wait as it
   * is. Ends at once when its owner aborts, or the clock ends.
   *
   * @param ms Infinity for a wait that only its owner or the clock can end.
   */
  wait(ms: number, owner?: AbortSignal): Promise<void> {
    if (ms <= 0 || this.#isEnded) return Promise.resolve()
    this.#look()
    const ended = this.#waits.add(this.now() + ms, owner)
    this.#startLooking()
    // A timer that nobody waits for would keep the process alive.
    void ended.then(() => this.#startLooking())
    return ended
  }

  /** Ends all waits, present and future, since nobody can move this clock any more. */
  end(): void {
    this.#isEnded = true
    this.#waits.releaseAll()
    this.#startLooking()
  }

  /** What the clock shows, in the form of its settings. */
  read(): ClockReading {
    return { now: formatInstant(this.now()), mode: this.#mode, scale: this.#scale }
  }

  /** Writes an instant as an HTTP date, kept until the second changes. */
  httpDate(at: number): string {
    const second = Math.floor(at / 1000)
    if (second !== this.#dateSecond) {
      this.#dateSecond = second
      this.#date = new Date(at).toUTCString()
    }
    return this.#date
  }

  save(): Read<typeof savedClock> {
    const mode = this.#mode
    return {
      mode,
      scale: this.#scale,
      // Unused values would make snapshots of the same state differ.
      baseAt: mode === 'system' ? 0 : this.#baseAt,
      anchorAt: mode === 'system' || mode === 'frozen' ? 0 : this.#anchorAt,
    }
  }

  /** Restores a saved clock. */
  static restore({ mode, scale, baseAt, anchorAt }: Read<typeof savedClock>): Clock {
    const clock = new Clock()
    clock.#mode = mode
    clock.#scale = scale
    clock.#baseAt = baseAt
    clock.#anchorAt = anchorAt
    return clock
  }

  #restart(baseAt: number, mode: ClockMode, scale: number): void {
    this.#look()
    this.#baseAt = baseAt
    this.#anchorAt = Date.now()
    this.#mode = mode
    this.#scale = scale
    this.#look()
    this.#stopLooking()
    this.#startLooking()
  }

  /** Ends the waits that are due; if the clock has jumped back, keeps the rest of each. */
  #look(): void {
    const now = this.now()
    if (now < this.#seenAt) this.#waits.shift(now - this.#seenAt)
    this.#seenAt = now
    this.#waits.releaseDue(now)
  }

  /** Looks again when the next wait is due, or sooner; never while only a call can end a wait. */
  #startLooking(): void {
    const { nextAt } = this.#waits
    if (this.#mode === 'frozen' || !Number.isFinite(nextAt)) {
      this.#stopLooking()
      return
    }
    if (this.#timer !== undefined && this.#timedFor <= nextAt) return
    this.#stopLooking()
    this.#timedFor = nextAt
    const delayMs = Math.min(pollEveryMs, (nextAt - this.now()) / this.#scale)
    this.#timer = startTimer(
      () => {
        this.#timer = undefined
        this.#look()
        this.#startLooking()
      },
      Math.max(1, delayMs),
    )
  }

  #stopLooking(): void {
    stopTimer(this.#timer)
    this.#timer = undefined
  }
}
