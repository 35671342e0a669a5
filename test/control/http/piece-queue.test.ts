import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { maxWaitingBytes, PieceQueue, pieceOf } from '../../../src/control/http/events.ts'

const last = pieceOf('last')

/** A queue, with how often it has ended. */
function queueAfter(...earlier: readonly string[]) {
  const onEnd = vi.fn()
  const left = [...earlier]
  const queue = new PieceQueue({ before: () => left.shift(), idle: ':\n\n', onEnd })
  const read = async () => (await queue.next()).value
  return { queue, read, onEnd }
}

describe('PieceQueue', () => {
  it('gives what comes before, and then what waits', async () => {
    const { queue, read } = queueAfter('a', 'b')
    queue.add(pieceOf('c'), last)
    expect([await read(), await read(), await read()]).toEqual(['a', 'b', 'c'])
  })

  it('keeps a mebibyte for its reader, and ends with the last piece beyond that', async () => {
    expect(maxWaitingBytes).toBe(2 ** 20)
    const { queue, read, onEnd } = queueAfter('a')
    const half = '€'.repeat(maxWaitingBytes / 2 / 3)
    const rest = 'x'.repeat(maxWaitingBytes - 2 * pieceOf(half).bytes)
    for (const text of [half, half, rest]) queue.add(pieceOf(text), last)
    expect([await read(), await read()]).toEqual(['a', half])
    queue.add(pieceOf(half), last)
    expect(onEnd).not.toHaveBeenCalled()
    for (const text of ['y', 'z']) queue.add(pieceOf(text), last)
    expect(onEnd).toHaveBeenCalledOnce()
    const all = [await read(), await read(), await read(), await read(), await read()]
    expect(all).toEqual([half, rest, half, 'last', undefined])
  })

  it('gives nothing once it has ended, and says once that it has', async () => {
    const { queue, read, onEnd } = queueAfter('a')
    queue.add(pieceOf('b'), last)
    await queue.return()
    await queue.return()
    queue.add(pieceOf('c'), last)
    expect(await read()).toBeUndefined()
    expect(onEnd).toHaveBeenCalledOnce()
  })

  it('keeps no process alive while somebody waits', async () => {
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const { queue, read } = queueAfter()
    const waiting = read()
    expect(timers()).toBe(before)
    await queue.return()
    await waiting
  })

  it('sends a sign of life to each of those who wait, and none once nobody does', async () => {
    // The host's own timers are taken when the module is loaded.
    vi.resetModules()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      // Else the next file would get modules that keep the fake ones.
      vi.resetModules()
    })
    const faked = await import('../../../src/control/http/events.ts')
    const queue = new faked.PieceQueue({ before: () => undefined, idle: ':\n\n', onEnd() {} })
    const [first, second] = [queue.next(), queue.next()]
    queue.add(pieceOf('first'), last)
    await expect(first).resolves.toEqual({ value: 'first', done: false })
    expect(vi.getTimerCount()).toBe(1)
    vi.runAllTimers()
    await expect(second).resolves.toEqual({ value: ':\n\n', done: false })
    expect(vi.getTimerCount()).toBe(0)
  })
})
