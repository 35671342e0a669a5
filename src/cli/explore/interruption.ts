import { constants } from 'node:os'

/** Ends what can't go on, since the process is told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for a signal to end, so that there is time to say what is known; the second one ends the process at once. */
export class Interruption {
  readonly #stop: () => void
  /** The exit code for the signal, once there was one. */
  code: number | undefined

  /** @param stop Is called at the first signal. */
  constructor(stop: () => void) {
    this.#stop = stop
    for (const signal of signals) process.on(signal, this.#listen)
  }

  /** Leaves signals alone again. */
  end(): void {
    for (const signal of signals) process.off(signal, this.#listen)
  }

  readonly #listen = (signal: (typeof signals)[number]): void => {
    const code = 128 + constants.signals[signal]
    if (this.code !== undefined) process.exit(code)
    this.code = code
    this.#stop()
  }
}
