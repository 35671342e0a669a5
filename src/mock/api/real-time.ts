import { InputError } from '../input/input-error.ts'
import { isRecord } from '../input/record.ts'

// The host's own timers and clocks, captured before a test runner replaces them with fakes.

/** The globals that only some hosts have, such as Node or a page. */
interface HostGlobals {
  readonly setTimeout: (task: () => void) => unknown
  /** Of Node; `undefined` in a page. */
  readonly setImmediate?: (task: () => void) => unknown
  /** Of Node; `undefined` in a page, which is built without Node's modules. */
  readonly process?: NodeProcess
  /** Reports an error as an uncaught one; `undefined` in Node. */
  readonly reportError?: (error: unknown) => void
}

/** The parts of Node's `process` that are used in code that also runs in pages. */
interface NodeProcess {
  readonly pid: number
  readonly env: Readonly<Record<string, string | undefined>>
  once(event: 'exit', listener: () => void): unknown
  getBuiltinModule(name: 'node:fs'): NodeFiles
}

/** The part of Node's file system that is used in code that also runs in pages. */
export interface NodeFiles {
  mkdirSync(path: string, options: { readonly recursive: true }): unknown
  realpathSync(path: string): string
  writeFileSync(path: string, text: string, options: { readonly flag: 'wx' | 'a' }): void
  readdirSync(path: string): string[]
  renameSync(from: string, to: string): void
}

/** The host's globals, as they are now: a test may fake some. */
export const host: HostGlobals = globalThis

export const startTimer: typeof setTimeout = globalThis.setTimeout

export const stopTimer: typeof clearTimeout = globalThis.clearTimeout

/** Lets Node's process end while a timer runs; in pages, timers are numbers. */
export function letEnd(timer: unknown): void {
  if (isRecord(timer) && typeof timer.unref === 'function') timer.unref()
}

const clock = performance
const { now } = clock

/** Returns the time of the host's own clock in Unix milliseconds; tests may fake this clock. */
export function hostNow(): number {
  return Date.now()
}

/**
 * Returns real milliseconds since the process or page started; the value never goes back, even if clocks and timers are
 * faked.
 */
export function realNow(): number {
  return now.call(clock)
}

/** Returns the maximum event-loop lateness between two times of {@link realNow}, in milliseconds. */
export type LateBetween = (fromMs: number, toMs: number) => number

/** Number of event-loop turns to keep counting after the last read. */
const countedTurns = 3

/**
 * Counts the turns of the event loop, starting at the first read and pausing a few turns after the last one.
 * Synchronous code runs within one turn.
 */
export class Turns {
  #count = 0
  #left = 0

  /** The number of the current turn. */
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
 * Starts a task after all pending work of the host, even if timers are faked. Pages have no `setImmediate`; in Node a
 * timer would not do, since a timer that is due by the end of a slice runs before any socket is read.
 */
const startTask: (task: () => void) => unknown = host.setImmediate ?? host.setTimeout

/** Resolves after all pending work of the host. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => startTask(resolve))
}

/** Maximum time that other work waits, in milliseconds. */
const sliceMs = 8

/** Interrupts long work regularly, so that other work can run. */
export class Breaks {
  readonly #signal: AbortSignal | undefined
  #dueAt = realNow() + sliceMs

  /** @param signal Aborts when the result is no longer needed. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal
  }

  /**
   * Lets other work run if the last break was long enough ago.
   *
   * @throws {@link InputError} if the signal has aborted.
   */
  async take(): Promise<void> {
    if (this.#signal?.aborted !== true && realNow() <= this.#dueAt) return
    await yieldToEventLoop()
    if (this.#signal?.aborted) throw new InputError('Cannot continue: the client has disconnected')
    this.#dueAt = realNow() + sliceMs
  }
}
