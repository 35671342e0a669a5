import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Window } from '../../../src/mock/state/quotas.ts'

const minuteAt = Date.UTC(2026, 0, 1, 12, 34)
const dayAt = Date.UTC(2026, 0, 1)

describe('Window.roll()', () => {
  it.each([
    { name: 'minute', begins: 'calendar', now: minuteAt + 30_500, endAt: minuteAt + 60_000 },
    { name: 'minute', begins: 'calendar', now: minuteAt, endAt: minuteAt + 60_000 },
    { name: 'day', begins: 'calendar', now: minuteAt + 30_500, endAt: dayAt + 86_400_000 },
    { name: 'minute', begins: 'first-request', now: minuteAt + 30_500, endAt: minuteAt + 90_000 },
    { name: 'day', begins: 'first-request', now: minuteAt, endAt: minuteAt + 86_400_000 },
  ] as const)(
    'ends a $begins $name that begins at $now at $endAt',
    ({ name, begins, now, endAt }) => {
      const window = new Window(name)
      window.roll(now, begins)
      expect(window.resetAt(1)).toBe(endAt)
    },
  )

  it.each(['calendar', 'first-request'] as const)(
    'keeps the counts of a %s window until its last millisecond, and none after it',
    (begins) => {
      const window = new Window('minute')
      window.roll(minuteAt, begins)
      window.used = 5
      window.rejected = 2
      window.roll(minuteAt + 59_999, begins)
      expect(window).toMatchObject({ used: 5, rejected: 2 })
      expect(window.resetAt(5)).toBe(minuteAt + 60_000)
      window.roll(minuteAt + 60_000, begins)
      expect(window).toMatchObject({ used: 0, rejected: 0 })
      expect(window.resetAt(5)).toBe(minuteAt + 120_000)
    },
  )
})

describe('a sliding window', () => {
  it('lets each request go a minute after the end of its second', () => {
    const window = new Window('minute')
    const useAt = (now: number): void => {
      window.roll(now, 'sliding')
      window.used++
    }
    useAt(minuteAt + 500)
    useAt(minuteAt + 1_000)
    useAt(minuteAt + 30_000)
    window.roll(minuteAt + 60_999, 'sliding')
    expect(window.used).toBe(3)
    expect([3, 2, 1, 9].map((limit) => window.resetAt(limit) - minuteAt)).toEqual([
      61_000, 61_000, 90_000, 61_000,
    ])
    window.roll(minuteAt + 61_000, 'sliding')
    expect(window.used).toBe(1)
    window.roll(minuteAt + 90_000, 'sliding')
    expect(window.used).toBe(0)
    expect(window.resetAt(1)).toBe(minuteAt + 150_000)
  })

  it('is a count of the requests of the last minute or day, and of up to a slot before', () => {
    const step = fc.record({ waitMs: fc.nat(40_000), uses: fc.nat(3) })
    fc.assert(
      fc.property(
        fc.constantFrom('minute', 'day'),
        fc.constantFrom(1, 1_440),
        fc.array(step, { maxLength: 60 }),
        (name, factor, steps) => {
          const [length, slot] = name === 'minute' ? [60_000, 1_000] : [86_400_000, 60_000]
          const window = new Window(name as 'minute')
          const uses: number[] = []
          let now = minuteAt
          for (const { waitMs, uses: count } of steps) {
            now += waitMs * factor
            window.roll(now, 'sliding')
            const newest = uses.filter((at) => at > now - length).length
            const oldest = uses.filter((at) => at > now - length - slot).length
            expect(window.used).toBeGreaterThanOrEqual(newest)
            expect(window.used).toBeLessThanOrEqual(oldest)
            window.used += count
            for (let used = 0; used < count; used++) uses.push(now)
            const resetAt = window.resetAt(Math.max(1, window.used))
            expect(resetAt % 1_000).toBe(0)
            expect(resetAt).toBeGreaterThan(now)
          }
        },
      ),
    )
  })

  it('takes no more room with more requests', () => {
    const window = new Window('day')
    for (let second = 0; second < 100_000; second += 10) {
      window.roll(minuteAt + second * 1_000, 'sliding')
      window.used += 1_000
    }
    expect(window.save().slots?.length).toBeLessThanOrEqual(1_441)
    expect(window.used).toBeGreaterThan(8_000_000)
  })

  it('keeps what a fixed one has used, and gives it back when it is fixed again', () => {
    const window = new Window('minute')
    window.roll(minuteAt, 'calendar')
    window.used = 5
    window.roll(minuteAt + 10_000, 'sliding')
    expect(window.used).toBe(5)
    expect(window.resetAt(5)).toBe(minuteAt + 70_000)
    window.roll(minuteAt + 20_000, 'calendar')
    expect(window.used).toBe(5)
    expect(window.resetAt(5)).toBe(minuteAt + 60_000)
    window.roll(minuteAt + 60_000, 'sliding')
    expect(window.used).toBe(0)
  })

  it('forgets the refusals once it has room again, and requests that lie ahead', () => {
    const window = new Window('minute')
    window.roll(minuteAt, 'sliding')
    window.used = 5
    window.rejected = 3
    window.roll(minuteAt + 59_999, 'sliding')
    expect(window).toMatchObject({ used: 5, rejected: 3 })
    window.roll(minuteAt + 60_000, 'sliding')
    expect(window).toMatchObject({ used: 0, rejected: 0 })
    window.used = 5
    window.roll(minuteAt - 1, 'sliding')
    expect(window.used).toBe(0)
  })
})
