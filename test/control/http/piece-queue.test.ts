import { expect, it, onTestFinished, vi } from 'vitest'

it('PieceQueue sends a sign of life to each of those who wait, and none once nobody does', async () => {
  // The host's own timers are taken when the module is loaded.
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
    // Else the next file would get modules that keep the fake ones.
    vi.resetModules()
  })
  const { PieceQueue, pieceOf } = await import('../../../src/control/http/piece-queue.ts')
  const queue = new PieceQueue({ before: () => undefined, idle: ':\n\n', onEnd() {} })
  const [first, second] = [queue.next(), queue.next()]
  queue.add(pieceOf('first'), pieceOf('last'))
  await expect(first).resolves.toEqual({ value: 'first', done: false })
  expect(vi.getTimerCount()).toBe(1)
  vi.runAllTimers()
  await expect(second).resolves.toEqual({ value: ':\n\n', done: false })
  expect(vi.getTimerCount()).toBe(0)
})
