import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { hostNow, realNow, Turns } from '../../../../src/mock/api/real-time.ts'

/** Lets the event loop turn. */
async function turn(times: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await new Promise((resolve) => {
      setImmediate(resolve)
    })
  }
}

describe('Turns', () => {
  it('are the same until the event loop turns, whatever promises are awaited', async () => {
    const turns = new Turns()
    const first = turns.now
    for (let count = 0; count < 20; count++) await Promise.resolve()
    expect(turns.now).toBe(first)
    await turn(1)
    expect(turns.now).toBe(first + 1)
  })

  it('are counted for three turns after each look, and no more until the next', async () => {
    const turns = new Turns()
    const first = turns.now
    await turn(2)
    expect(turns.now).toBe(first + 2)
    await turn(10)
    expect(turns.now).toBe(first + 5)
    await turn(1)
    expect(turns.now).toBe(first + 6)
  })
})

describe('the time of the host', () => {
  it('is that which tests may fake, beside one that goes on', () => {
    const before = realNow()
    vi.useFakeTimers({ now: 1_234 })
    onTestFinished(() => {
      vi.useRealTimers()
    })
    expect(hostNow()).toBe(1_234)
    vi.setSystemTime(0)
    expect(hostNow()).toBe(0)
    expect(realNow()).toBeGreaterThan(before)
  })
})
