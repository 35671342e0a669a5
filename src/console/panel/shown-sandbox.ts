import { startTimer, stopTimer } from '../../mock/api/real-time.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'

/** Time for which a sandbox must be shown before its findings are computed, in milliseconds. */
const settledMs = 120

/** The sandbox that a page shows; it can be replaced. */
export class ShownSandbox {
  #current: Sandbox
  readonly #listeners = new Set<() => void>()

  constructor(sandbox: Sandbox) {
    this.#current = sandbox
  }

  get current(): Sandbox {
    return this.#current
  }

  replace(sandbox: Sandbox): void {
    this.#current = sandbox
    for (const listener of this.#listeners) listener()
  }

  /** Starts the checks of each sandbox that is shown, by a first call of `findings()`. */
  startChecks(): void {
    let timer: ReturnType<typeof startTimer> | undefined
    const start = (): void => {
      stopTimer(timer)
      timer = startTimer(() => void this.#current.findings(), settledMs)
    }
    this.#listeners.add(start)
    start()
  }

  /** Calls a listener after each replacement, until the signal aborts. */
  onReplace(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener))
  }
}
