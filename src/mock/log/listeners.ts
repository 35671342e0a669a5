import { host } from '../api/real-time.ts'
/** Listeners of the user's code. An error in one is reported and doesn't affect the emitter or other listeners. */
export class Listeners<Event> {
  /** Replaced with each change: a listener may add another one, which gets only later events, or remove one. */
  #all: readonly ((event: Event) => void)[] = []

  get size(): number {
    return this.#all.length
  }

  /** Adds a listener; returns a function that removes it. */
  add(listener: (event: Event) => void): () => void {
    if (!this.#all.includes(listener)) this.#all = [...this.#all, listener]
    return () => {
      this.#all = this.#all.filter((one) => one !== listener)
    }
  }

  emit(event: Event): void {
    const all = this.#all
    for (const listener of all) {
      if (all !== this.#all && !this.#all.includes(listener)) continue
      try {
        listener(event)
      } catch (error) {
        report(error)
      }
    }
  }
}

/** Reports an error as the host reports uncaught ones. */
function report(error: unknown): void {
  if (typeof host.reportError === 'function') host.reportError(error)
  // biome-ignore lint/suspicious/noConsole: hosts without reportError have no other place to say it
  else console.error(error)
}
