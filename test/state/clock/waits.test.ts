import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { Waits } from '../../../src/state/clock.ts'

/** Adds waits that are due at some instants, and says which of them are over. */
function waitsAt(waits: Waits, dueAt: readonly number[]): () => Promise<number[]> {
  const ended: number[] = []
  for (const at of dueAt) void waits.add(at).then(() => ended.push(at))
  return async () => {
    await Promise.resolve()
    return ended
  }
}

describe('Waits', () => {
  it('know when the next one is due', () => {
    const waits = new Waits()
    expect(waits.nextAt).toBe(Number.POSITIVE_INFINITY)
    waitsAt(waits, [30, 10, 20])
    expect(waits.nextAt).toBe(10)
  })

  it('end when they are due, and not before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100)), fc.nat(100), async (dueAt, now) => {
        const waits = new Waits()
        const ended = waitsAt(waits, dueAt)
        waits.releaseDue(now)
        expect(await ended()).toEqual(dueAt.filter((at) => at <= now))
        expect(waits.nextAt).toBe(
          Math.min(Number.POSITIVE_INFINITY, ...dueAt.filter((at) => at > now)),
        )
      }),
    )
  })

  it('are moved together', async () => {
    const waits = new Waits()
    const ended = waitsAt(waits, [10, 20])
    waits.shift(-5)
    expect(waits.nextAt).toBe(5)
    waits.releaseDue(14)
    expect(await ended()).toEqual([10])
  })

  it('end all at once', async () => {
    const waits = new Waits()
    const ended = waitsAt(waits, [10, Number.POSITIVE_INFINITY])
    waits.releaseAll()
    expect(await ended()).toEqual([10, Number.POSITIVE_INFINITY])
    expect(waits.nextAt).toBe(Number.POSITIVE_INFINITY)
  })

  it('may begin another while they end', async () => {
    const waits = new Waits()
    const again = vi.fn()
    void waits.add(10).then(() => waits.add(20).then(again))
    waits.releaseDue(10)
    await Promise.resolve()
    expect([waits.nextAt, again.mock.calls.length]).toEqual([20, 0])
  })
})
