import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { Clock, type ClockSettings, clockStart } from '../../../../src/mock/state/clock.ts'

const startAt = Date.UTC(2026, 0, 1)

function clockOf(settings: ClockSettings = {}): Clock {
  const clock = new Clock(clockStart.parse(settings))
  onTestFinished(() => clock.end())
  return clock
}

const frozenClock = (now = startAt): Clock => clockOf({ now, mode: 'frozen' })

/** Waits on a clock and says, after the promises that are due, whether the wait is over. */
function waitOn(clock: Clock, ms: number, signal?: AbortSignal): () => Promise<boolean> {
  const end = vi.fn()
  void clock.wait(ms, signal).then(end)
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
  it.each([1, 1_000])(
    'is over when the clock has been advanced by its %i ms, and not a millisecond before',
    async (ms) => {
      const clock = frozenClock()
      const isOver = waitOn(clock, ms)
      clock.advance(ms - 1)
      expect(await isOver()).toBe(false)
      clock.advance(1)
      expect(await isOver()).toBe(true)
    },
  )

  it('ends waits as they fall due', async () => {
    const clock = frozenClock()
    const [isLongOver, isShortOver] = [waitOn(clock, 2_000), waitOn(clock, 1_000)]
    clock.advance('1s')
    expect([await isLongOver(), await isShortOver()]).toEqual([false, true])
    clock.advance('1s')
    expect(await isLongOver()).toBe(true)
  })

  it('is over when the clock is set past its end, or follows a system that is', async () => {
    fakeSystemTime()
    const [set, followed] = [frozenClock(), frozenClock(startAt - 5_000)]
    const isOver = [set, followed].map((clock) => waitOn(clock, 5_000))
    set.set('2030-12-05')
    followed.useSystemTime()
    expect(await Promise.all(isOver.map((one) => one()))).toEqual([true, true])
  })

  it.each([
    { mode: 'system', settings: {} },
    { mode: 'running', settings: { now: '2030-12-05' } },
    { mode: 'scaled', settings: { now: '2030-12-05', speed: 60 } },
  ])('goes on under timers that a test has faked, with a clock that is $mode', async (row) => {
    fakeSystemTime()
    const clock = clockOf(row.settings)
    const waiting = clock.wait(60_000)
    vi.advanceTimersByTime(60_000)
    await expect(waiting).resolves.toBeUndefined()
  })

  it('passes by itself while the clock runs', async () => {
    const clock = clockOf({ now: startAt, speed: 1_000_000 })
    await expect(clock.wait(3_600_000)).resolves.toBeUndefined()
    expect(clock.now()).toBeGreaterThanOrEqual(startAt + 3_600_000)
  })

  it.each([0, -1])('is over at once when it is to last %s ms', async (ms) => {
    await expect(frozenClock().wait(ms)).resolves.toBeUndefined()
  })
})

describe('a clock that keeps time for waits', () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length

  it.each<{ what: string; settings: ClockSettings; ms: number; runs: number }>([
    { what: 'runs', settings: { now: startAt }, ms: 60_000, runs: 1 },
    { what: 'stands still', settings: { now: startAt, mode: 'frozen' }, ms: 60_000, runs: 0 },
    { what: 'runs', settings: {}, ms: Number.POSITIVE_INFINITY, runs: 0 },
  ])('has $runs timers while it $what and somebody waits for $ms ms', async (row) => {
    const before = timers()
    const clock = clockOf(row.settings)
    const client = new AbortController()
    const waits = [clock.wait(row.ms, client.signal), clock.wait(row.ms, client.signal)]
    expect(timers() - before).toBe(row.runs)
    client.abort()
    await Promise.all(waits)
    expect(timers()).toBe(before)
  })
})

describe('a wait on a clock that jumps back', () => {
  it('lasts as long again as was left of it', async () => {
    const clock = frozenClock()
    const isOver = waitOn(clock, 1_000)
    clock.advance(400)
    clock.set(startAt - 86_400_000)
    clock.advance(599)
    expect(await isOver()).toBe(false)
    clock.advance(1)
    expect(await isOver()).toBe(true)
  })

  it('keeps what was left over any number of jumps, back and forth', async () => {
    const clock = frozenClock()
    const isOver = waitOn(clock, 1_000)
    clock.set(startAt - 5_000)
    clock.advance(300)
    clock.set('2020-01-01')
    clock.advance(300)
    clock.set('2021-01-01')
    expect(await isOver()).toBe(true)
  })

  it('ends by itself when the clock follows the system again, however far ahead it was', async () => {
    const clock = clockOf({ now: '2030-01-01' })
    const waiting = clock.wait(30)
    clock.useSystemTime()
    await expect(waiting).resolves.toBeUndefined()
  })

  it('keeps what was left when a test runner sets its faked time back', async () => {
    fakeSystemTime()
    const clock = clockOf()
    const isOver = waitOn(clock, 60_000)
    vi.setSystemTime(startAt - 3_600_000)
    expect(clock.now()).toBe(startAt - 3_600_000)
    clock.advance(59_999)
    expect(await isOver()).toBe(false)
    clock.advance(1)
    expect(await isOver()).toBe(true)
  })
})

describe('a wait with a signal', () => {
  it('ends at once when its signal aborts, and others go on', async () => {
    const clock = frozenClock()
    const [leaving, staying] = [new AbortController(), new AbortController()]
    const isOver = waitOn(clock, 1_000, leaving.signal)
    const isOtherOver = waitOn(clock, 1_000, staying.signal)
    leaving.abort()
    expect([await isOver(), await isOtherOver()]).toEqual([true, false])
    clock.advance(1_000)
    expect(await isOtherOver()).toBe(true)
  })

  it('does not begin when its signal has aborted before', async () => {
    await expect(frozenClock().wait(1_000, AbortSignal.abort())).resolves.toBeUndefined()
  })

  it('lasts for ever if it is to, but no longer than its signal', async () => {
    const clock = frozenClock()
    const client = new AbortController()
    const isOver = waitOn(clock, Number.POSITIVE_INFINITY, client.signal)
    clock.set('9999-12-31')
    expect(await isOver()).toBe(false)
    client.abort()
    expect(await isOver()).toBe(true)
  })

  it('leaves nothing at its signal when it ends before', async () => {
    const clock = frozenClock()
    const client = new AbortController()
    const [add, remove] = [
      vi.spyOn(client.signal, 'addEventListener'),
      vi.spyOn(client.signal, 'removeEventListener'),
    ]
    for (let count = 0; count < 20; count++) {
      const waiting = clock.wait(1, client.signal)
      clock.advance(1)
      await waiting
    }
    expect(add).toHaveBeenCalledTimes(20)
    expect(remove.mock.calls.map((call) => call.slice(0, 2))).toEqual(
      add.mock.calls.map((call) => call.slice(0, 2)),
    )
  })
})

describe('Clock.end()', () => {
  it('ends every wait, whatever the clock shows', async () => {
    const clock = frozenClock()
    const isOver = [1, 86_400_000, Number.POSITIVE_INFINITY].map((ms) => waitOn(clock, ms))
    clock.end()
    expect(await Promise.all(isOver.map((one) => one()))).toEqual([true, true, true])
  })
})
