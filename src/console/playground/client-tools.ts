import type { Sandbox } from '../../mock/sandbox.ts'
import { startTimer } from '../../mock/spec/real-time.ts'

/** Tools for a ready-made client: the API, a key, `fetch`, and the time of the sandbox. */
export interface ClientTools {
  readonly apiUrl: string
  readonly key: string
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
  /** Returns the time of the sandbox, in Unix milliseconds. */
  readonly now: () => number
  readonly isRunning: () => boolean
}

/** Interval at which a sleeping client checks the clock, in milliseconds. */
const tickMs = 50

/**
 * Creates a `sleep` function on a sandbox's clock, so that a sleeping client continues as soon as the clock is
 * advanced. On a frozen clock, it sleeps in real time.
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
