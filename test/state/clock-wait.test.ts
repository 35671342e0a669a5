import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Clock } from '../../src/state/clock.ts'

const startAt = Date.UTC(2026, 0, 1)

/** Waits on a clock and says, after the promises that are due, whether the wait is over. */
function waitOn(clock: Clock, ms: number): () => Promise<boolean> {
  const end = vi.fn()
  void clock.wait(ms).then(end)
  onTestFinished(() => clock.releaseAll())
  return async () => {
    await Promise.resolve()
    return end.mock.calls.length > 0
  }
}

function fakeSystemTime(): void {
  vi.useFakeTimers({ now: startAt })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

describe('Clock.wait()', () => {
  it('is over when the clock has been advanced by its length, and not a millisecond before', async () => {
    const clock = new Clock({ now: startAt, mode: 'frozen' })
    const isOver = waitOn(clock, 1_000)
    clock.advance(999)
    expect(await isOver()).toBe(false)
    clock.advance(1)
    expect(await isOver()).toBe(true)
  })

  it('ends waits as they fall due', async () => {
    const clock = new Clock({ now: startAt, mode: 'frozen' })
    const [isLongOver, isShortOver] = [waitOn(clock, 2_000), waitOn(clock, 1_000)]
    clock.advance('1s')
    expect([await isLongOver(), await isShortOver()]).toEqual([false, true])
    clock.advance('1s')
    expect(await isLongOver()).toBe(true)
  })

  it('is over when the clock is set past its end, or follows a system that is', async () => {
    fakeSystemTime()
    const [set, followed] = [startAt, startAt - 5_000].map(
      (now) => new Clock({ now, mode: 'frozen' }),
    )
    const isOver = [set, followed].map((clock) => waitOn(clock ?? new Clock(), 5_000))
    set?.set('2030-12-05')
    followed?.followSystem()
    expect(await Promise.all(isOver.map((one) => one()))).toEqual([true, true])
  })

  it('takes longer when the clock is set back', async () => {
    const clock = new Clock({ now: startAt, mode: 'frozen' })
    const isOver = waitOn(clock, 1_000)
    clock.set(startAt - 60_000)
    clock.advance('60s')
    expect(await isOver()).toBe(false)
    clock.advance('1s')
    expect(await isOver()).toBe(true)
  })

  it.each([
    { mode: 'system', settings: {} },
    { mode: 'offset', settings: { now: '2030-12-05' } },
    { mode: 'scaled', settings: { now: '2030-12-05', scale: 60 } },
  ])('goes on under timers that a test has faked, with a clock that is $mode', async (row) => {
    fakeSystemTime()
    const clock = new Clock(row.settings)
    const waiting = clock.wait(60_000)
    vi.advanceTimersByTime(60_000)
    await expect(waiting).resolves.toBeUndefined()
  })

  it('passes by itself while the clock runs', async () => {
    const clock = new Clock({ now: startAt, scale: 1_000_000 })
    await expect(clock.wait(3_600_000)).resolves.toBeUndefined()
    expect(clock.now()).toBeGreaterThanOrEqual(startAt + 3_600_000)
  })

  it.each([0, -1])('is over at once when it is to last %s ms', async (ms) => {
    const clock = new Clock({ now: startAt, mode: 'frozen' })
    await expect(clock.wait(ms)).resolves.toBeUndefined()
  })
})

describe('Clock.releaseAll()', () => {
  it('ends every wait, whatever the clock shows', async () => {
    const clock = new Clock({ now: startAt, mode: 'frozen' })
    const isOver = [waitOn(clock, 1), waitOn(clock, 86_400_000)]
    clock.releaseAll()
    expect(await Promise.all(isOver.map((one) => one()))).toEqual([true, true])
  })
})
