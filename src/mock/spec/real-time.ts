import { InputError } from '../input/input-error.ts'

// The host's own time, taken before a test runner puts a fake one in its place.

export const startTimer: typeof setTimeout = globalThis.setTimeout

export const stopTimer: typeof clearTimeout = globalThis.clearTimeout

const host = performance
const { now } = host

/** What the host's own clock shows, which tests may fake, in Unix milliseconds. */
export function hostNow(): number {
  return Date.now()
}

/** Real milliseconds since the process or page began; whatever is done to clocks and timers, it never goes back. */
export function realNow(): number {
  return now.call(host)
}

/** Returns how late an event loop was at most between two instants of {@link realNow}, in milliseconds. */
export type LateBetween = (fromMs: number, toMs: number) => number

/** How many turns of the event loop are counted after somebody has looked. */
const countedTurns = 3

/** Counts the turns of the event loop, as far as somebody looks: code that waits for none runs within one. */
export class Turns {
  #count = 0
  #left = 0

  /** Which turn it is. */
  get now(): number {
    const isCounting = this.#left > 0
    this.#left = countedTurns
    if (!isCounting) startTask(this.#next)
    return this.#count
  }

  readonly #next = (): void => {
    this.#count++
    this.#left--
    if (this.#left > 0) startTask(this.#next)
  }
}

/**
 * Starts a task of its own as soon as the host has done whatever else there is to do, be timers faked or not. Pages have
 * no `setImmediate`; in Node a timer would not do: one that is due by the end of a slice runs before any socket is read.
 */
const startTask: (task: () => void) => void = globalThis.setImmediate ?? globalThis.setTimeout

/** Lets the host do whatever else there is to do. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => startTask(resolve))
}

/** How long others wait at most, in milliseconds. */
const sliceMs = 8

/** Lets others have a turn now and then, while something takes long. */
export class Breaks {
  readonly #owner: AbortSignal | undefined
  #dueAt = realNow() + sliceMs

  /** @param owner Aborts when nobody waits for the end any more. */
  constructor(owner?: AbortSignal) {
    this.#owner = owner
  }

  /**
   * Lets others have a turn, if they are due.
   *
   * @throws {@link InputError} when nobody waits any more.
   */
  async take(): Promise<void> {
    if (this.#owner?.aborted !== true && realNow() <= this.#dueAt) return
    await yieldToEventLoop()
    if (this.#owner?.aborted) throw new InputError('Cannot go on: the caller has gone')
    this.#dueAt = realNow() + sliceMs
  }
}
