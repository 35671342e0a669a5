import { inject, onTestFinished, vi } from 'vitest'
import { stopRemoteTimers } from './remote-server.ts'

/**
 * Stops `setTimeout` and `setInterval` where the server of a test runs, until the end of the test: only what is done
 * at once is then done at all.
 */
export async function stopTimers(): Promise<void> {
  const node = inject('serverNode')
  if (node !== undefined) {
    const startTimers = await stopRemoteTimers(node)
    onTestFinished(async () => {
      await startTimers()
    })
    return
  }
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}
