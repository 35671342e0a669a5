import { useEffect, useMemo, useRef, useState } from 'preact/hooks'

/** Does something now and then, and never twice at once: what is asked for meanwhile is done once more, after it. */
export class Throttle {
  readonly #everyMs: number
  readonly #act: () => unknown
  #timer: ReturnType<typeof setTimeout> | undefined
  #running: Promise<void> | undefined
  #isWanted = false
  #begunAt = Number.NEGATIVE_INFINITY

  /** @param everyMs At most how often it is done where there is no hurry, in milliseconds. */
  constructor(everyMs: number, act: () => unknown) {
    this.#everyMs = everyMs
    this.#act = act
  }

  /** Does it soon: at once, unless that was lately. */
  soon(): void {
    const waitMs = this.#begunAt + this.#everyMs - performance.now()
    this.#timer ??= setTimeout(() => void this.now(), Math.max(0, waitMs))
  }

  /** Does it as soon as it isn't being done; resolves when it has been done, begun not before it was asked for. */
  now(): Promise<void> {
    this.stop()
    this.#isWanted = true
    this.#running ??= this.#run()
    return this.#running
  }

  /** Does it no more until it is asked for again. */
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

/** Returns a value at most every so many milliseconds, for what takes long to draw. */
export function useThrottled<Value>(value: Value, everyMs = 250): Value {
  const [shown, show] = useState(value)
  const latest = useRef(value)
  latest.current = value
  const throttle = useMemo(() => new Throttle(everyMs, () => show(() => latest.current)), [])
  useEffect(() => throttle.soon(), [value])
  useEffect(() => () => throttle.stop(), [])
  return shown
}
