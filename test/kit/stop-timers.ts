import { onTestFinished, vi } from 'vitest'

/**
 * Stops `setTimeout` and `setInterval` until the end of the test: only what is done
 * at once is then done at all.
 */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
