import type { ConsoleEvent } from './console-client.ts'
import { mostEntries } from './merge-entries.ts'

/** How long a frame that has shown events is ahead of the next one that does: nobody reads faster. */
const spacingMs = 100

/**
 * Hands events on together, with a frame that the browser draws, and at most ten times a second, so that many are no
 * more work than a few.
 */
export class EventFrames {
  readonly #apply: (events: readonly ConsoleEvent[]) => void
  #events: ConsoleEvent[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #frame: number | undefined
  #appliedAt = Number.NEGATIVE_INFINITY

  constructor(apply: (events: readonly ConsoleEvent[]) => void) {
    this.#apply = apply
  }

  add(event: ConsoleEvent): void {
    this.#events.push(event)
    // Nothing is drawn for a page that nobody sees: what it won't keep needn't wait.
    if (this.#events.length > 2 * mostEntries) this.#thin()
    const waitMs = this.#appliedAt + spacingMs - performance.now()
    this.#timer ??= setTimeout(() => this.#ask(), Math.max(0, waitMs))
  }

  stop(): void {
    clearTimeout(this.#timer)
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame)
    this.#timer = undefined
    this.#frame = undefined
    this.#events = []
  }

  #ask(): void {
    this.#frame = requestAnimationFrame(() => {
      const events = this.#events
      this.#timer = undefined
      this.#frame = undefined
      this.#events = []
      this.#appliedAt = performance.now()
      this.#apply(events)
    })
  }

  #thin(): void {
    const requests = this.#events.filter(({ kind }) => kind === 'request')
    const oldest = new Set(requests.slice(0, -mostEntries))
    this.#events = this.#events.filter((event) => !oldest.has(event)).slice(-2 * mostEntries)
  }
}
