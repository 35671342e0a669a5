import { type ReadonlySignal, signal } from '@preact/signals'

/** What a clock shows. */
interface Reading {
  readonly now: string
  readonly mode: 'system' | 'frozen' | 'offset' | 'scaled'
  readonly scale: number
}

/** How often a running clock is shown anew, in milliseconds. */
const tickMs = 250

/** The sandbox's clock, as it goes on between two readings. */
export class SandboxTime {
  readonly #now = signal<number | undefined>(undefined)
  #timer: ReturnType<typeof setInterval> | undefined

  /** Unix milliseconds on the sandbox's clock; `undefined` until it is known. */
  get now(): ReadonlySignal<number | undefined> {
    return this.#now
  }

  /** Takes a reading, and runs on from there if the clock does. */
  show({ now, mode, scale }: Reading): void {
    this.stop()
    const readAt = Date.parse(now)
    const shownAt = performance.now()
    const pace = mode === 'frozen' ? 0 : mode === 'scaled' ? scale : 1
    this.#now.value = readAt
    if (pace === 0) return
    this.#timer = setInterval(() => {
      this.#now.value = Math.floor(readAt + (performance.now() - shownAt) * pace)
    }, tickMs)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
