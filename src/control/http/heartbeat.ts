/** The host's own timers, kept from test runners that put fake ones in their place. */
const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis

/** How often a stream without news says that it is alive. */
export const heartbeatMs = 15_000

/** Beats for as long as somebody waits; keeps no process alive. */
export class Heartbeat {
  readonly #beat: () => void
  #timer: ReturnType<typeof startTimer> | undefined

  /** @param beat Called at most once for each start. */
  constructor(beat: () => void) {
    this.#beat = beat
  }

  /** Begins to wait, if it doesn't yet. */
  start(): void {
    if (this.#timer !== undefined) return
    this.#timer = startTimer(() => {
      this.#timer = undefined
      this.#beat()
    }, heartbeatMs)
    // A number in browsers.
    if (typeof this.#timer === 'object') this.#timer.unref()
  }

  stop(): void {
    stopTimer(this.#timer)
    this.#timer = undefined
  }
}
