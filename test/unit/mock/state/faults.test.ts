import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { operationNames } from '../../../../src/mock/api/endpoints.ts'
import {
  type FaultSettings,
  faultKinds,
  faultRule,
} from '../../../../src/mock/faults/fault-rules.ts'
import { namesOf } from '../../../../src/mock/input/record.ts'
import { Faults, type FaultTarget, savedFaults } from '../../../../src/mock/state/faults.ts'
import { anyFault } from '../../../kit/any-fault.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

/** The time of all requests, unless a test says otherwise. */
const noon = Date.UTC(2027, 2, 1, 12)

const getPets: FaultTarget = { operation: 'listPets', method: 'GET', key: 'free-key' }

function faultsOf(...settings: readonly FaultSettings[]): Faults {
  const faults = new Faults(1)
  for (const one of settings) faults.add(faultRule.parse(one), noon)
  return faults
}

/** Tells which faults strike each of a number of equal requests. */
function appliedFaults(
  faults: Faults,
  count: number,
  target: Partial<FaultTarget> = {},
): number[][] {
  return Array.from({ length: count }, () =>
    faults.match({ ...getPets, ...target }, 'admitted', noon).map(({ id }) => id),
  )
}

describe('Faults.strike()', () => {
  it.each<{ filter: Partial<FaultSettings>; target: Partial<FaultTarget>; isApplied: boolean }>([
    { filter: {}, target: {}, isApplied: true },
    { filter: {}, target: { operation: undefined, key: undefined }, isApplied: true },
    { filter: { operation: 'listPets' }, target: {}, isApplied: true },
    { filter: { operation: 'getPet' }, target: {}, isApplied: false },
    { filter: { operation: 'listPets' }, target: { operation: undefined }, isApplied: false },
    { filter: { method: 'GET' }, target: {}, isApplied: true },
    { filter: { method: 'get' }, target: {}, isApplied: true },
    { filter: { method: 'POST' }, target: {}, isApplied: false },
    { filter: { method: 'GET' }, target: { method: 'HEAD' }, isApplied: false },
    { filter: { key: 'free-key' }, target: {}, isApplied: true },
    { filter: { key: 'free' }, target: {}, isApplied: false },
    { filter: { key: 'free-key' }, target: { key: undefined }, isApplied: false },
    { filter: { operation: 'listPets', key: 'pro-key' }, target: {}, isApplied: false },
    {
      filter: { operation: 'listPets', method: 'GET', key: 'free-key' },
      target: {},
      isApplied: true,
    },
  ])('strikes $target with $filter: $isStruck', ({ filter, target, isApplied }) => {
    const faults = faultsOf({ fault: 'timeout', ...filter } as FaultSettings)
    expect(appliedFaults(faults, 1, target)).toEqual([isApplied ? [1] : []])
    expect(faults.list()).toMatchObject([
      { matched: Number(isApplied), applied: Number(isApplied) },
    ])
  })

  it('lets pass what is to pass first, and strikes as often as is said', () => {
    const faults = faultsOf({ fault: 'timeout', skip: 2, times: 2 })
    expect(appliedFaults(faults, 6)).toEqual([[], [], [1], [1], [], []])
    expect(faults.list()).toEqual([
      { id: 1, fault: 'timeout', skip: 2, times: 2, matched: 6, applied: 2 },
    ])
  })

  it('lets every latency count, and of the others the first that strikes', () => {
    const faults = faultsOf(
      { fault: 'latency', ms: 5 },
      { fault: 'timeout', skip: 1 },
      { fault: 'status' },
      { fault: 'latency', ms: 7 },
      { fault: 'disconnect' },
    )
    expect(appliedFaults(faults, 2)).toEqual([
      [1, 3, 4],
      [1, 2, 4],
    ])
  })

  it('leaves the times of a fault that another one keeps out', () => {
    const faults = faultsOf({ fault: 'timeout', times: 2 }, { fault: 'status', times: 1 })
    expect(appliedFaults(faults, 4)).toEqual([[1], [1], [2], []])
  })

  it('puts no fault in the place of a rejection, but lets it spoil its response', () => {
    const faults = faultsOf(
      { fault: 'status' },
      { fault: 'rate-limit' },
      { fault: 'truncated-body' },
    )
    const applied = faults.match(getPets, 'rejected', noon)
    expect(applied.map(({ fault }) => fault)).toEqual(['truncated-body'])
    expect(faults.list().map(({ matched }) => matched)).toEqual([0, 0, 1])
  })

  it.each([0, 0.2, 0.5, 1])(
    'strikes a share of about %d, the same with the same seed',
    (probability) => {
      const run = (seed: number): number[] => {
        const faults = new Faults(seed)
        faults.add(faultRule.parse({ fault: 'timeout', probability }), noon)
        return appliedFaults(faults, 5_000).map(({ length }) => length)
      }
      const first = run(1)
      const share = first.filter((applied) => applied === 1).length / 5_000
      expect(Math.abs(share - probability)).toBeLessThan(0.02)
      expect(run(1)).toEqual(first)
      if (probability > 0 && probability < 1) expect(run(2)).not.toEqual(first)
    },
  )

  it('strikes the same requests beside a fault that leaves nothing to chance', () => {
    const chosen = { fault: 'timeout', probability: 0.5 } as const
    const alone = appliedFaults(faultsOf(chosen), 50).map(({ length }) => length > 0)
    for (const sure of [{ probability: 1 }, { ms: [5, 5] }] as const) {
      const faults = faultsOf({ fault: 'latency', ms: 5, ...sure }, chosen)
      expect(appliedFaults(faults, 50).map((ids) => ids.includes(2))).toEqual(alone)
    }
  })

  it('counts passes and strikes with a probability, too', () => {
    const faults = faultsOf({ fault: 'timeout', probability: 0.5, skip: 10, times: 3 })
    const applied = appliedFaults(faults, 200).map(({ length }) => length)
    expect(applied.slice(0, 10)).toEqual(new Array(10).fill(0))
    expect(applied.filter((one) => one === 1)).toHaveLength(3)
    expect(faults.list()).toMatchObject([{ matched: 200, applied: 3 }])
  })

  it.each([
    { ms: [3, 6], waits: [3, 4, 5, 6] },
    { ms: [3, 4], waits: [3, 4] },
    { ms: [3, 3], waits: [3] },
  ] as const)('takes latencies from all of $ms, ends included', ({ ms, waits }) => {
    const faults = faultsOf({ fault: 'latency', ms })
    const found = Array.from(
      { length: 500 },
      () => faults.match(getPets, 'admitted', noon)[0]?.waitMs,
    )
    expect([...new Set(found)].sort()).toEqual(waits)
  })
})

describe('Faults', () => {
  it('gives each fault an id that no other one gets, even when it is gone', () => {
    const faults = faultsOf({ fault: 'timeout' }, { fault: 'status' })
    expect(faults.remove(2)).toBe(true)
    expect(faults.remove(2)).toBe(false)
    expect(faults.add(faultRule.parse({ fault: 'disconnect' }), noon).id).toBe(3)
    faults.clear()
    expect(faults.add(faultRule.parse({ fault: 'disconnect' }), noon).id).toBe(4)
    expect(faults.list()).toHaveLength(1)
  })

  it('has room for 1,000 faults', () => {
    const faults = faultsOf(...Array.from({ length: 1_000 }, () => ({ fault: 'timeout' }) as const))
    expect(() => faults.add(faultRule.parse({ fault: 'timeout' }), noon)).toThrow(
      'there would be 1001, and 1000 are allowed; remove some',
    )
  })
})

describe('Faults.list()', () => {
  it('shows any fault as it was written, with its counts', () => {
    const sometimes = new Sometimes(...namesOf(faultKinds))
    fc.assert(
      fc.property(anyFault, (settings) => {
        const shown = faultsOf(settings).list()
        sometimes.meet({ [settings.fault]: true })
        const written = faultRule.encode(faultRule.parse(settings))
        expect(shown).toEqual([{ id: 1, ...written, matched: 0, applied: 0 }])
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('Faults.restore()', () => {
  /** Takes faults to JSON and back. */
  function restored(faults: Faults): Faults {
    const saved = JSON.parse(JSON.stringify(savedFaults.encode(faults.save())))
    return Faults.restore(savedFaults.parse(saved))
  }

  it('goes on as the saved one would, over any faults and requests', () => {
    const anyTarget = fc.record({
      operation: fc.constantFrom(undefined, ...operationNames),
      method: fc.constantFrom('GET', 'POST'),
      key: fc.constantFrom('free-key', 'pro-key', undefined),
    })
    const anyFate = fc.constantFrom('admitted', 'rejected')
    const anyRequests = fc.array(fc.tuple(anyTarget, anyFate), { maxLength: 30 })
    const sometimes = new Sometimes('a strike', 'a fault that has ended')
    fc.assert(
      fc.property(
        fc.array(anyFault, { maxLength: 6 }),
        anyRequests,
        anyRequests,
        (settings, before, after) => {
          const faults = faultsOf(...settings)
          for (const [target, fate] of before) faults.match(target, fate, noon)
          const other = restored(faults)
          expect(other.list()).toEqual(faults.list())
          for (const [target, fate] of after) {
            const told = [other, faults].map((one) =>
              one.match(target, fate, noon).map(({ id, fault, action, waitMs }) => {
                return { id, fault, step: action.step, waitMs }
              }),
            )
            expect(told[0]).toEqual(told[1])
            sometimes.meet({ 'a strike': told[0]?.length !== 0 })
          }
          sometimes.meet({
            'a fault that has ended': faults.list().some(({ times, applied }) => times === applied),
          })
          expect(savedFaults.encode(other.save())).toEqual(savedFaults.encode(faults.save()))
        },
      ),
    )
    sometimes.expectAllMet()
  })
})

describe('a fault with times', () => {
  const minute = 60_000
  const hour = 60 * minute
  const day = 24 * hour

  const struckAt = (settings: object, now: number): boolean => {
    const faults = new Faults(1)
    faults.add(faultRule.parse({ fault: 'timeout', ...settings }), noon)
    return faults.match(getPets, 'admitted', now).length > 0
  }

  it.each([
    { settings: { for: '1h' }, begins: 0, ends: hour },
    { settings: { at: '13:30' }, begins: 90 * minute, ends: undefined },
    {
      settings: { at: '13:30:15', for: '1h' },
      begins: 90 * minute + 15_000,
      ends: 150 * minute + 15_000,
    },
    { settings: { at: '11:00', for: '10m' }, begins: 23 * hour, ends: 23 * hour + 10 * minute },
    { settings: { at: '11:55', for: '10m' }, begins: 0, ends: 5 * minute },
    { settings: { at: noon + day }, begins: day, ends: undefined },
    { settings: { at: '2027-03-02T12:00:00Z', for: 1_000 }, begins: day, ends: day + 1_000 },
    { settings: { for: '1h', every: '1d' }, begins: 30 * day, ends: 30 * day + hour },
    {
      settings: { at: '12:30', for: '1h', every: '1d' },
      begins: 2 * day + hour / 2,
      ends: 2 * day + 1.5 * hour,
    },
  ])('$settings begins and ends to the millisecond', ({ settings, begins, ends }) => {
    expect(struckAt(settings, noon + begins)).toBe(true)
    if (begins > 0) expect(struckAt(settings, noon + begins - 1)).toBe(false)
    if (ends === undefined) return
    expect(struckAt(settings, noon + ends - 1)).toBe(true)
    expect(struckAt(settings, noon + ends)).toBe(false)
  })

  it.each([
    { settings: { every: '1d' }, why: 'every: it needs for, too' },
    { settings: { for: '2h', every: '1h' }, why: 'every: it is shorter than for' },
    { settings: { at: '25:00' }, why: 'at: found "25:00"; use ISO 8601' },
    { settings: { for: 0 }, why: 'for: found 0' },
  ])('rejects $settings', ({ settings, why }) => {
    const { faults } = frozenSandbox()
    const [path = '', text = ''] = why.split(': ')
    expect(() => faults.add({ fault: 'timeout', ...settings })).toThrow(
      `Cannot set fault.${path}: ${text}`,
    )
    expect(faults.list()).toEqual([])
  })

  it('shows its beginning as an instant, and keeps it in a snapshot', () => {
    const sandbox = frozenSandbox({ clock: { now: noon, mode: 'frozen' } })
    sandbox.faults.add({ fault: 'disconnect', at: '13:00', for: '1h', every: '1d' })
    const [shown] = sandbox.faults.list()
    expect(shown).toMatchObject({ at: '2027-03-01T13:00:00Z', for: '1h', every: '1d' })
    const other = frozenSandbox()
    other.restore(JSON.parse(JSON.stringify(sandbox.snapshot())))
    expect(other.faults.list()).toEqual([shown])
  })
})
