import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { lastInstantAt } from '../../../../src/mock/input/values.ts'
import { Clock, savedClock } from '../../../../src/mock/state/clock.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const startAt = Date.UTC(2026, 0, 1)

const anyStep = fc.record({
  does: fc.constantFrom(
    ...(['advance', 'set', 'freeze', 'resume', 'speed', 'useSystemTime', 'nothing'] as const),
  ),
  ms: fc.nat(10_000_000),
  /** Near an end of time, too. */
  at: fc.oneof(
    fc.nat(10_000_000_000),
    fc.nat(2_000),
    fc.nat(2_000).map((ms) => lastInstantAt - ms),
  ),
  speed: fc.constantFrom(0.001, 0.5, 1, 2, 60, 1_000_000),
  /** How long the host's clock goes on, or back, after that. */
  passes: fc.integer({ min: -1_000, max: 100_000 }),
  isSaved: fc.boolean(),
})

/** What a clock shows: an instant, and how fast it goes on from when it was there. */
class Model {
  mode = 'system'
  speed = 1
  #from = 0
  #since = 0

  now(host: number): number {
    if (this.mode === 'system') return host
    if (this.mode === 'frozen') return this.#from
    const at = Math.floor(this.#from + (host - this.#since) * this.speed)
    return Math.min(Math.max(at, 0), lastInstantAt)
  }

  goOn(host: number, from: number, mode: string, speed = 1): void {
    this.#from = from
    this.#since = host
    this.mode = mode
    this.speed = speed
  }
}

/** Takes a clock to JSON and back. */
function restored(clock: Clock): Clock {
  return Clock.restore(
    savedClock.parse(JSON.parse(JSON.stringify(savedClock.encode(clock.save())))),
  )
}

describe('Clock', () => {
  it('shows what it would if only its last change counted, over snapshots too', () => {
    const sometimes = new Sometimes(
      ...['system', 'frozen', 'running', 'scaled', 'a step back', 'the first instant', 'the last'],
    )
    let host = startAt
    const spy = vi.spyOn(Date, 'now').mockImplementation(() => host)
    onTestFinished(() => spy.mockRestore())
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 20, size: 'max' }), (steps) => {
        host = startAt
        let clock = new Clock()
        const model = new Model()
        for (const { does, ms, at, speed, passes, isSaved } of steps) {
          const now = model.now(host)
          const ownMode = model.mode === 'system' ? 'running' : model.mode
          if (does === 'advance' && now + ms > lastInstantAt) {
            expect(() => clock.advance(ms)).toThrow('it would go beyond the year 9999')
          } else if (does === 'advance') {
            clock.advance(ms)
            model.goOn(host, now + ms, ownMode, model.speed)
          } else if (does === 'set') {
            clock.set(at)
            model.goOn(host, at, ownMode, model.speed)
          } else if (does === 'freeze') {
            clock.freeze()
            model.goOn(host, now, 'frozen')
          } else if (does === 'resume') {
            clock.resume()
            if (model.mode !== 'system') model.goOn(host, now, 'running')
          } else if (does === 'speed') {
            clock.setSpeed(speed)
            model.goOn(host, now, 'scaled', speed)
          } else if (does === 'useSystemTime') {
            clock.useSystemTime()
            model.goOn(host, 0, 'system')
          }
          host += passes
          if (isSaved) {
            const saved = clock.save()
            if (model.mode === 'system') expect(saved).toMatchObject({ baseAt: 0, anchorAt: 0 })
            if (model.mode === 'frozen') expect(saved).toMatchObject({ anchorAt: 0 })
            clock = restored(clock)
            expect(clock.save()).toEqual(saved)
          }
          expect(clock.now()).toBe(model.now(host))
          expect(clock.read()).toMatchObject({ mode: model.mode, speed: model.speed })
          sometimes.meet({
            [model.mode]: true,
            'a step back': model.now(host) < now,
            'the first instant': model.mode !== 'system' && model.now(host) === 0,
            'the last': model.now(host) === lastInstantAt,
          })
        }
      }),
      { numRuns: draws(300) },
    )
    sometimes.expectAllMet()
  })
})
