import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Instant } from '../../../../src/mock/input/values.ts'
import { Clock, type ClockSettings, clockStart } from '../../../../src/mock/state/clock.ts'

const systemAt = Date.UTC(2026, 0, 1)

/** Makes a clock as the options of a sandbox do. */
function clockOf(settings: ClockSettings | Instant = {}): Clock {
  return new Clock(clockStart.parse(settings))
}

/** Lets the test say what the system's time is, as test runners do. */
function fakeSystemTime(): void {
  vi.useFakeTimers({ now: systemAt })
  onTestFinished(() => {
    vi.useRealTimers()
  })
}

describe('Clock', () => {
  it('shows the system time by default, also one that a test runner fakes later', () => {
    const clock = new Clock()
    fakeSystemTime()
    expect(clock.now()).toBe(systemAt)
    vi.advanceTimersByTime(61_000)
    expect(clock.now()).toBe(systemAt + 61_000)
    vi.setSystemTime(0)
    expect(clock.now()).toBe(0)
    expect(clock.read()).toEqual({ now: '1970-01-01T00:00:00Z', mode: 'system', speed: 1 })
  })
})

describe('Clock.advance()', () => {
  it('goes neither back nor past the year 9999, and stays where it is', () => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.advance(-1)).toThrow('Cannot set advance: found -1; use milliseconds')
    expect(() => clock.advance('2920000d')).toThrow(
      'Cannot advance the clock: it would go beyond the year 9999; advance by less',
    )
    expect(clock.now()).toBe(systemAt)
  })
})

describe('Clock.set()', () => {
  it('rejects what is no instant, and stays where it is', () => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.set('tomorrow')).toThrow('Cannot set clock: found "tomorrow"; use ISO 8601')
    expect(clock.now()).toBe(systemAt)
  })
})

describe('Clock.setSpeed()', () => {
  it.each([0, -1, 1_000_001, Number.NaN, '60'])('rejects the pace %s', (speed) => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.setSpeed(speed as number)).toThrow(
      /^Cannot set speed: found .+; use a number above 0 and up to 1000000$/,
    )
    expect(clock.read().mode).toBe('frozen')
  })
})

describe('clockStart', () => {
  it.each([
    { value: {}, mode: 'system', now: undefined, speed: 1 },
    { value: 5, mode: 'running', now: 5, speed: 1 },
    { value: '1970-01-01T00:00:00.005Z', mode: 'running', now: 5, speed: 1 },
    { value: new Date(5), mode: 'running', now: 5, speed: 1 },
    { value: { now: 5 }, mode: 'running', now: 5, speed: 1 },
    { value: { speed: 2 }, mode: 'scaled', now: undefined, speed: 2 },
    { value: { now: 5, speed: 2 }, mode: 'scaled', now: 5, speed: 2 },
    { value: { mode: 'scaled' }, mode: 'scaled', now: undefined, speed: 1 },
  ])('takes $value for mode $mode', ({ value, ...expected }) => {
    expect(clockStart.parse(value)).toEqual(expected)
    const written = JSON.parse(JSON.stringify(clockStart.encode(clockStart.parse(value))))
    expect(clockStart.parse(written)).toEqual(expected)
  })
})
