import { describe, expect, it } from 'vitest'
import { EventLoopLateness } from '../../../../src/adapters/parts/node/event-loop-lateness.ts'
import { realNow } from '../../../../src/mock/api/real-time.ts'

/** Keeps the event loop busy. */
function stall(ms: number): void {
  const until = realNow() + ms
  while (realNow() < until) {
    // Nothing else may happen.
  }
}

describe('EventLoopLateness', () => {
  it('knows of a stall while it lasts, once it is over, and not of other times', async () => {
    const lateness = new EventLoopLateness()
    const beganAt = realNow()
    lateness.watch()
    stall(200)
    const during = lateness.between(beganAt, realNow())
    await new Promise((resolve) => setTimeout(resolve, 60))
    const endedAt = realNow()
    const after = lateness.between(beganAt, endedAt)
    expect(during).toBeGreaterThan(150)
    expect(after).toBeGreaterThan(150)
    expect(lateness.between(beganAt - 1_000, beganAt)).toBe(0)
  })

  it('measures nothing where no request arrives', () => {
    const lateness = new EventLoopLateness()
    const beganAt = realNow()
    stall(50)
    expect(lateness.between(beganAt, realNow())).toBe(0)
  })
})
