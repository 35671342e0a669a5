import type { Sandbox } from '../../mock/sandbox.ts'
import { startTimer } from '../../mock/spec/real-time.ts'

/** What a ready-made client is given: where the API is, and how time passes. */
export interface ClientTools {
  readonly apiUrl: string
  readonly key: string
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
  /** Returns the time of the sandbox, in Unix milliseconds. */
  readonly now: () => number
  readonly isRunning: () => boolean
}

/** How often a sleeping client looks at the clock, in milliseconds. */
const tickMs = 50

/**
 * Waits on the clock of a sandbox, so that a client that waits for a minute can go on as soon as the clock is advanced. On
 * a clock that stands still, it waits for as long in real time.
 */
export function sleeper(sandbox: () => Sandbox, isRunning: () => boolean) {
  return async (ms: number): Promise<void> => {
    const start = sandbox().clock.now()
    let slept = 0
    const isAsleep = (): boolean => sandbox().clock.now() - start < ms && slept < ms
    do {
      const step = Math.min(tickMs, ms)
      await new Promise((resolve) => startTimer(resolve, step))
      if (sandbox().clock.read().mode === 'frozen') slept += step
    } while (isRunning() && isAsleep())
  }
}
