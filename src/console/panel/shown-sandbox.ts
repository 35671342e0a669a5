import type { Sandbox } from '../../sandbox/sandbox.ts'

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

  /** Calls a listener after each replacement, until the signal aborts. */
  onReplace(listener: () => void, signal: AbortSignal): void {
    this.#listeners.add(listener)
    signal.addEventListener('abort', () => this.#listeners.delete(listener))
  }
}
