import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Instant } from '../../../src/mock/input/values.ts'
import { Clock, type ClockSettings, clockStart } from '../../../src/mock/state/clock.ts'

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

  it('stands still when frozen', () => {
    fakeSystemTime()
    const clock = clockOf({ now: '2030-12-05T00:00:00Z', mode: 'frozen' })
    vi.advanceTimersByTime(86_400_000)
    expect(clock.read()).toEqual({ now: '2030-12-05T00:00:00Z', mode: 'frozen', speed: 1 })
  })

  it.each([
    { settings: '2030-12-05', why: 'an instant' },
    { settings: Date.UTC(2030, 11, 5), why: 'Unix milliseconds' },
    { settings: new Date(Date.UTC(2030, 11, 5)), why: 'a Date' },
    { settings: { now: '2030-12-05' }, why: 'settings' },
    { settings: { now: '2030-12-05', mode: 'running' }, why: 'settings with a mode' },
  ] as const)('runs on from $why at the pace of the system', ({ settings }) => {
    fakeSystemTime()
    const clock = clockOf(settings)
    vi.advanceTimersByTime(1_500)
    expect(clock.read()).toEqual({ now: '2030-12-05T00:00:01.500Z', mode: 'running', speed: 1 })
  })

  it.each([
    { speed: 60, ms: 1_000, shown: 60_000 },
    { speed: 0.5, ms: 1_001, shown: 500 },
    { speed: 1_000_000, ms: 1, shown: 1_000_000 },
  ])('runs $speed times as fast: after $ms ms it shows $shown more', ({ speed, ms, shown }) => {
    fakeSystemTime()
    const clock = clockOf({ now: systemAt, speed })
    vi.advanceTimersByTime(ms)
    expect(clock.now()).toBe(systemAt + shown)
    expect(clock.read()).toMatchObject({ mode: 'scaled', speed })
  })

  it('never shows less than 1970, nor more than the year 9999', () => {
    fakeSystemTime()
    const early = clockOf({ now: 0 })
    const late = clockOf({ now: '9999-12-31T23:59:59.999Z' })
    vi.setSystemTime(systemAt - 1)
    expect(early.now()).toBe(0)
    vi.setSystemTime(systemAt + 1)
    expect(late.read().now).toBe('9999-12-31T23:59:59.999Z')
  })
})

describe('Clock.advance()', () => {
  it.each([
    { mode: 'system', after: 'running' },
    { mode: 'frozen', after: 'frozen' },
    { mode: 'running', after: 'running' },
    { mode: 'scaled', after: 'scaled' },
  ] as const)('moves a clock that is $mode on at once, which is then $after', ({ mode, after }) => {
    fakeSystemTime()
    const clock = clockOf({ mode })
    clock.advance('61s')
    clock.advance(500)
    expect(clock.read()).toEqual({ now: '2026-01-01T00:01:01.500Z', mode: after, speed: 1 })
  })

  it('refuses to go back, or past the year 9999, and stays where it is', () => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.advance(-1)).toThrow('Cannot set advance: found -1; use milliseconds')
    expect(() => clock.advance('2920000d')).toThrow(
      'Cannot advance the clock: it would go beyond the year 9999; advance by less',
    )
    expect(clock.now()).toBe(systemAt)
  })
})

describe('Clock.set()', () => {
  it.each([
    { mode: 'system', after: 'running' },
    { mode: 'frozen', after: 'frozen' },
    { mode: 'running', after: 'running' },
    { mode: 'scaled', after: 'scaled' },
  ] as const)('jumps forth and back on a clock that is $mode, which is then $after', (row) => {
    fakeSystemTime()
    const clock = clockOf({ mode: row.mode })
    clock.set('2030-12-05T00:00:00Z')
    expect(clock.read()).toEqual({ now: '2030-12-05T00:00:00Z', mode: row.after, speed: 1 })
    clock.set(0)
    expect(clock.now()).toBe(0)
  })

  it('refuses what is no instant, and stays where it is', () => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.set('tomorrow')).toThrow('Cannot set clock: found "tomorrow"; use ISO 8601')
    expect(clock.now()).toBe(systemAt)
  })
})

describe('Clock.freeze(), resume(), scale() and useSystemTime()', () => {
  it('stops a running clock where it is, and lets it run on from there', () => {
    fakeSystemTime()
    const clock = clockOf({ now: '2030-12-05' })
    vi.advanceTimersByTime(1_000)
    clock.freeze()
    vi.advanceTimersByTime(1_000)
    expect(clock.read()).toEqual({ now: '2030-12-05T00:00:01Z', mode: 'frozen', speed: 1 })
    clock.resume()
    vi.advanceTimersByTime(1_000)
    expect(clock.read()).toEqual({ now: '2030-12-05T00:00:02Z', mode: 'running', speed: 1 })
  })

  it('leaves a clock on system time there when it is to resume', () => {
    const clock = clockOf()
    clock.resume()
    expect(clock.read().mode).toBe('system')
  })

  it('changes the pace from where the clock is', () => {
    fakeSystemTime()
    const clock = clockOf({ now: systemAt })
    vi.advanceTimersByTime(1_000)
    clock.setSpeed(10)
    vi.advanceTimersByTime(1_000)
    clock.setSpeed(0.5)
    vi.advanceTimersByTime(1_000)
    expect(clock.now()).toBe(systemAt + 1_000 + 10_000 + 500)
  })

  it.each([0, -1, 1_000_001, Number.NaN, '60'])('refuses the pace %s', (speed) => {
    const clock = clockOf({ now: systemAt, mode: 'frozen' })
    expect(() => clock.setSpeed(speed as number)).toThrow(
      /^Cannot set speed: found .+; use a number above 0 and up to 1000000$/,
    )
    expect(clock.read().mode).toBe('frozen')
  })

  it('goes back to the time of the system', () => {
    fakeSystemTime()
    const clock = clockOf({ now: '2030-12-05', speed: 60 })
    clock.useSystemTime()
    expect(clock.read()).toEqual({ now: '2026-01-01T00:00:00Z', mode: 'system', speed: 1 })
  })
})

describe('clockStart', () => {
  it.each([
    { value: {}, mode: 'system', now: undefined, speed: 1 },
    { value: 5, mode: 'running', now: 5, speed: 1 },
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
