import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

/** Limits how often an action runs. Runs never overlap; calls during a run cause one more run after it. */
export class Throttle {
  /** Minimum time between runs started by `soon()`, in milliseconds. */
  everyMs: number
  readonly #act: () => unknown
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #begunAt = Number.NEGATIVE_INFINITY

  /**
   * @param everyMs Minimum time between runs started by `soon()`, in milliseconds.
   */
  constructor(everyMs: number, act: () => unknown) {
    this.everyMs = everyMs
    this.#act = act
  }

  /** Schedules a run: immediately, unless the last one was recent. */
  soon(): void {
    const waitMs = this.#begunAt + this.everyMs - performance.now()
    this.#timer ??= setTimeout(() => void this.now(), Math.max(0, waitMs))
  }

  /** Runs after any run in progress; resolves when a run that started after this call has finished. */
  now(): Promise<void> {
    this.stop()
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Cancels scheduled runs. */
  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#isWanted = false
  }

  async #run(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false
        this.#begunAt = performance.now()
        await this.#act()
      }
    } finally {
      this.#running = undefined
    }
  }
}

/** Returns a value that changes at most once in `everyMs` milliseconds, for expensive renders. */
export function useThrottled<Value>(value: Value, everyMs = 250): Value {
  const [shown, show] = useState(value)
  const latest = useRef(value)
  latest.current = value
  const throttle = useMemo(() => new Throttle(everyMs, () => show(() => latest.current)), [])
  useEffect(() => throttle.soon(), [value])
  useEffect(() => () => throttle.stop(), [])
  return shown
}
