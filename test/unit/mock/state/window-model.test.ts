import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GapValues } from '../../../../src/mock/api/gaps.ts'
import { savedWindow, Window } from '../../../../src/mock/state/quotas.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

type Begins = GapValues['quotaWindow']

const lengths = { minute: 60_000, day: 86_400_000 } as const

/** In what steps requests leave a sliding window. */
const slots = { minute: 1_000, day: 60_000 } as const

/** A window as it would be without a thought of what it takes: each request that slides is in a list. */
class Model {
  readonly #length: number
  readonly #slot: number
  #startAt = Number.NaN
  used = 0
  rejected = 0
  /** When each request leaves, the earliest first; of a fixed window, nothing. */
  #leaveAt: number[] | undefined
  #rolledAt = 0

  constructor(name: 'minute' | 'day') {
    this.#length = lengths[name]
    this.#slot = slots[name]
  }

  roll(now: number, begins: Begins): void {
    const isOver = !(now >= this.#startAt && now < this.#startAt + this.#length)
    if (begins === 'sliding') this.#slide(now, isOver)
    else {
      this.#leaveAt = undefined
      if (!isOver) return
      this.#startAt = now - (now % (begins === 'calendar' ? this.#length : 1_000))
      this.used = 0
      this.rejected = 0
    }
  }

  #slide(now: number, isOver: boolean): void {
    if (this.#leaveAt === undefined) {
      this.#leaveAt = []
      this.#rolledAt = now
      if (isOver) this.used = 0
      if (isOver) this.rejected = 0
    }
    const leaveAt = this.#listed()
    const left = leaveAt.filter((at) => at > now && at <= this.#endOf(now))
    this.used -= leaveAt.length - left.length
    if (left.length < leaveAt.length) this.rejected = 0
    this.#leaveAt = left
    this.#rolledAt = now
  }

  resetAt(limit: number): number {
    if (this.#leaveAt === undefined) return this.#startAt + this.#length
    const leaveAt = this.#listed()
    const most = Math.min(limit, this.used) - 1
    const when = leaveAt.find((one) => leaveAt.filter((at) => at > one).length <= most)
    return when ?? this.#endOf(this.#rolledAt)
  }

  /** How many requests leave when. */
  get slots(): { endAt: number; count: number }[] | undefined {
    if (this.#leaveAt === undefined) return undefined
    const leaveAt = this.#listed()
    return [...new Set(leaveAt)].map((endAt) => {
      return { endAt, count: leaveAt.filter((at) => at === endAt).length }
    })
  }

  #listed(): number[] {
    const leaveAt = this.#leaveAt ?? []
    while (leaveAt.length < this.used) leaveAt.push(this.#endOf(this.#rolledAt))
    while (leaveAt.length > Math.max(0, this.used)) leaveAt.pop()
    return leaveAt
  }

  #endOf(now: number): number {
    return Math.ceil(now / this.#slot) * this.#slot + this.#length
  }
}

/** Takes a window to JSON and back. */
function restored(window: Window): Window {
  const other = new Window(window.name)
  other.restore(savedWindow.parse(JSON.parse(JSON.stringify(savedWindow.encode(window.save())))))
  return other
}

const anyStep = fc.record({
  /** In slots; the clock may be set back. */
  wait: fc.oneof(
    fc.integer({ min: 0, max: 20 }),
    fc.integer({ min: -70, max: 70 }),
    fc.double({ min: 0, max: 3, noNaN: true }),
  ),
  begins: fc.constantFrom<Begins>('sliding', 'sliding', 'sliding', 'calendar', 'first-request'),
  uses: fc.nat(3),
  refunds: fc.nat(2),
  rejected: fc.nat(2),
  isSaved: fc.boolean(),
  limit: fc.nat(8),
})

describe('Window', () => {
  it.each(['minute', 'day'] as const)(
    'of a %s is at every moment what a list of its requests would be, over snapshots too',
    (name) => {
      const anySteps = fc.array(anyStep, { maxLength: 40, size: 'max' })
      const sometimes = new Sometimes('a request that leaves', 'a sliding window', 'a rejection')
      fc.assert(
        fc.property(anySteps, (steps) => {
          let window = new Window(name)
          const model = new Model(name)
          let now = 200 * lengths[name]
          for (const { wait, begins, uses, refunds, rejected, isSaved, limit } of steps) {
            now += Math.round(wait * slots[name])
            window.roll(now, begins)
            const before = model.used
            model.roll(now, begins)
            sometimes.meet({
              'a request that leaves': model.used > 0 && model.used < before,
              'a sliding window': model.slots !== undefined,
              'a rejection': model.rejected > 0,
            })
            for (const one of [window, model]) {
              one.used += uses - refunds
              one.rejected += rejected
            }
            if (isSaved) {
              window = restored(window)
              // Nobody is shown a window before it is rolled.
              window.roll(now, begins)
            }
            const { used } = model
            expect(window).toMatchObject({ used, rejected: model.rejected })
            expect(window.resetAt(limit)).toBe(model.resetAt(limit))
            expect(window.save().slots).toEqual(model.slots)
          }
        }),
        { numRuns: draws(200) },
      )
      sometimes.expectAllMet()
    },
  )
})
