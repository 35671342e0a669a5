/** The host's own timers, kept from test runners that put fake ones in their place. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** Rings when nothing has put it off for a while. */
export class Alarm {
  readonly #afterMs: number
  readonly #ring: () => void
  #timer: ReturnType<typeof startTimer> | undefined

  constructor(afterMs: number, ring: () => void) {
    this.#afterMs = afterMs
    this.#ring = ring
    this.putOff()
  }

  /** Begins to count anew. */
  putOff(): void {
    this.stop()
    this.#timer = startTimer(this.#ring, this.#afterMs)
  }

  stop(): void {
    stopTimer(this.#timer)
  }
}

/** Waits in real time; ends early when the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve()
      return
    }
    const end = (): void => {
      stopTimer(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = startTimer(end, ms)
    signal.addEventListener('abort', end)
  })
}
