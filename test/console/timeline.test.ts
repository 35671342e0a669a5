import { describe, expect, it } from 'vitest'
import { axisLabels } from '../../src/console/model/timeline/axis-labels.ts'
import { lanesOf } from '../../src/console/model/timeline/lanes.ts'
import { readInstant } from '../../src/console/model/timeline/read-instant.ts'
import { ticksOfAll } from '../../src/console/model/timeline/ticks.ts'
import { drawable, timeScale } from '../../src/console/model/timeline/time-scale.ts'
import { busiest, instantsIn, timelineOf } from '../../src/console/model/timeline/timeline.ts'
import { timelineRows } from '../../src/console/model/timeline/timeline-rows.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

const second = 1_000
const minute = 60 * second

/** What happened in a sandbox, its instants as seconds after its start. */
function timelineIn(sandbox: Sandbox) {
  return timelineOf(sandbox.journal.entries(), sandbox.journal.marks())
}

const seconds = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : (at - startAt) / second

describe('lanesOf()', () => {
  it('has a lane for each key, with the minutes that its requests spent', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await send(sandbox, { key: 'pro-key' })
    sandbox.clock.advance('150s')
    await send(sandbox)
    const [free, pro] = lanesOf(sandbox.journal.entries())
    expect(free).toMatchObject({ key: 'free…', bans: [], waits: [] })
    expect(free?.moments.map(({ at }) => seconds(at))).toEqual([0, 150])
    expect(free?.windows.map(({ from, to }) => [seconds(from), seconds(to)])).toEqual([
      [0, 60],
      [120, 180],
    ])
    expect(pro?.moments).toHaveLength(1)
  })

  it('draws sliding windows one after the other', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'sliding' } })
    for (let count = 0; count < 9; count++) {
      await send(sandbox)
      sandbox.clock.advance('15s')
    }
    const [lane] = lanesOf(sandbox.journal.entries())
    const windows = lane?.windows ?? []
    windows.forEach(({ from }, index) => {
      expect(from).toBeGreaterThanOrEqual(windows[index - 1]?.to ?? 0)
    })
  })

  it.each([
    { comesAfter: 59, isEarly: true },
    { comesAfter: 60, isEarly: false },
  ])('tells when a client came back: after $comesAfter s', async ({ comesAfter, isEarly }) => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.clock.advance(comesAfter * second)
    await send(sandbox, { key: 'minute-exhausted-key' })
    const [wait] = lanesOf(sandbox.journal.entries())[0]?.waits ?? []
    expect(wait).toMatchObject({ from: startAt, to: startAt + minute })
    expect(seconds(wait?.cameAt)).toBe(comesAfter)
    expect((wait?.cameAt ?? 0) < (wait?.to ?? 0)).toBe(isEarly)
  })

  it.each([
    { retryAfter: '7', waits: [7] },
    { retryAfter: 'Thu, 01 Jan 2026 00:00:09 GMT', waits: [9] },
    { retryAfter: '9'.repeat(30), waits: [] },
    { retryAfter: 'soon', waits: [] },
  ])('believes a Retry-After that the sandbox did not mean: $retryAfter', async (given) => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const entries = sandbox.journal.entries().map((entry) => ({
      ...entry,
      outcome: {
        kind: 'reply' as const,
        status: 503,
        body: '',
        headers: { 'retry-after': given.retryAfter },
      },
    }))
    expect(lanesOf(entries)[0]?.waits.map(({ to }) => seconds(to))).toEqual(given.waits)
  })

  it('ends a ban when it ends, or when the key is pardoned', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'banned-key' })
    sandbox.clock.advance('90s')
    sandbox.keys.change('banned-key', { pardon: true })
    await send(sandbox, { key: 'banned-key' })
    sandbox.keys.change('banned-key', { ban: '5m' })
    await send(sandbox, { key: 'banned-key' })
    const [lane] = lanesOf(sandbox.journal.entries())
    expect(lane?.bans.map(({ from, to }) => [seconds(from), seconds(to)])).toEqual([
      [0, 90],
      [90, 390],
    ])
  })
})

describe('timelineOf()', () => {
  it('begins anew with the journal, and knows the tests that ran', async () => {
    const sandbox = frozenSandbox()
    sandbox.journal.mark({ kind: 'test-began', name: 'before' })
    sandbox.reset()
    sandbox.journal.mark({ kind: 'test-began', name: 'first' })
    await send(sandbox)
    sandbox.clock.advance('2s')
    sandbox.journal.mark({ kind: 'test-ended', name: 'first' })
    sandbox.journal.mark({ kind: 'test-began', name: 'second' })
    sandbox.clock.advance('3s')
    const { marks, tests } = timelineIn(sandbox)
    expect(marks[0]?.kind).toBe('reset')
    expect(tests.map(({ name, from, to }) => [name, seconds(from), seconds(to)])).toEqual([
      ['first', 0, 2],
      ['second', 2, 5],
    ])
  })

  it('can be seen in part', () => {
    const timeline = { lanes: [], marks: [], tests: [], instants: [1, 5, 9] }
    expect(instantsIn(timeline, undefined)).toEqual([1, 5, 9])
    expect(instantsIn(timeline, { from: 2, to: 8 })).toEqual([2, 5, 8])
  })
})

describe('timeScale()', () => {
  it('is straight where there is no long silence', () => {
    const { xOf, atOf, pieces } = timeScale([10_000, 0, 5_000], 100)
    expect([xOf(-1), xOf(0), xOf(5_000), xOf(10_000), xOf(10_001)]).toEqual([0, 0, 50, 100, 100])
    expect([atOf(-5), atOf(50), atOf(200)]).toEqual([0, 5_000, 10_000])
    expect(pieces).toHaveLength(1)
  })

  it('folds years in which nothing happens', () => {
    const years = 4 * 365 * 24 * 60 * minute
    const { xOf, atOf, pieces } = timeScale([0, 10_000, 20_000, years, years + 10_000], 1_000)
    expect(pieces.map(({ isFolded }) => isFolded)).toEqual([false, true, false])
    expect(xOf(20_000)).toBeGreaterThan(500)
    expect(xOf(years) - xOf(20_000)).toBeLessThan(150)
    expect(xOf(years + 10_000)).toBeCloseTo(1_000)
    expect(atOf(xOf(10_000))).toBe(10_000)
  })

  it('folds nothing where all is far apart', () => {
    const hours = [0, 1, 2, 3].map((hour) => hour * 60 * minute)
    expect(timeScale(hours, 300).pieces).toHaveLength(1)
  })

  it('has room for a single instant', () => {
    const { xOf, from, to } = timeScale([startAt], 100)
    expect(xOf(startAt)).toBe(50)
    expect(to - from).toBe(second)
  })
})

describe('drawable()', () => {
  it('keeps the spans that can be seen and told apart', () => {
    const scale = timeScale([0, 1_000], 100)
    const spans = [-50, 10, 50, 300, 320, 990, 2_000].map((from) => ({ from, to: from + 40 }))
    expect(drawable(spans, scale).map(({ from }) => from)).toEqual([10, 300, 990])
  })

  it('draws no more than there is room for', () => {
    const scale = timeScale([0, 1_000], 100)
    const spans = Array.from({ length: 1_000 }, (_, from) => ({ from, to: from + 1 }))
    expect(drawable(spans, scale).length).toBeLessThan(14)
  })
})

describe('axisLabels()', () => {
  it.each([
    { length: 10 * second },
    { length: 90 * minute },
    { length: 400 * 24 * 60 * minute },
    { length: 7_000 * 365 * 24 * 60 * minute },
  ])('stand at round instants, and not one on the other: $length ms', ({ length }) => {
    const labels = axisLabels(timeScale([startAt, startAt + length], 800))
    const shown = labels.filter(({ time }) => time !== '')
    expect(shown.length).toBeGreaterThan(0)
    expect(labels.length).toBeLessThan(40)
    expect(shown[0]?.date).not.toBe('')
    shown.slice(1).forEach(({ x }, index) => {
      expect(x - (shown[index]?.x ?? 0)).toBeGreaterThan(60)
    })
  })
})

describe('axisLabels() beside a fold', () => {
  it('leaves the room to what is said of the fold', () => {
    const hour = 60 * minute
    const scale = timeScale([0, 20 * second, 60 * second, hour, hour + 60 * second], 900)
    const [, fold] = scale.pieces
    const last = axisLabels(scale).filter(({ x, time }) => time !== '' && x <= (fold?.left ?? 0))
    expect(fold?.isFolded).toBe(true)
    expect(last.at(-1)?.x).toBeLessThanOrEqual((fold?.left ?? 0) - 44)
  })
})

describe('ticksOfAll()', () => {
  it('draws a few hundred at most, whatever the clients send', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 600; count++) {
      await send(sandbox, { key: count % 2 === 0 ? 'business-key' : 'pro-key' })
      sandbox.clock.advance('1s')
    }
    const timeline = timelineIn(sandbox)
    const scale = timeScale(timeline.instants, 2_000)
    const ticks = ticksOfAll(timeline.lanes, scale, 300).flat()
    expect(ticks.length).toBeLessThanOrEqual(300)
    expect(ticks.reduce((sum, { count }) => sum + count, 0)).toBe(600)
  })
})

describe('busiest()', () => {
  it('keeps the lanes that are used most, in their order', async () => {
    const sandbox = frozenSandbox()
    for (const key of ['a', 'b', 'c', 'b', 'c']) await send(sandbox, { key })
    const { lanes } = timelineIn(sandbox)
    expect(busiest(lanes, 2).map(({ moments }) => moments.length)).toEqual([2, 2])
    expect(busiest(lanes, 3)).toBe(lanes)
  })
})

describe('timelineRows()', () => {
  it('says in words what the picture shows', async () => {
    const sandbox = frozenSandbox()
    sandbox.journal.mark({ kind: 'test-began', name: '<b>waits</b>' })
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.clock.advance('61s')
    sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
    await send(sandbox, { key: 'minute-exhausted-key' })
    await send(sandbox, { key: 'banned-key' })
    const { lanes, marks } = timelineIn(sandbox)
    expect(
      timelineRows(lanes, marks).map(({ from, key, counts, notes }) => ({
        from: seconds(from),
        key,
        counts: counts.map(({ text, count }) => `${count} ${text}`),
        notes,
      })),
    ).toEqual([
      { from: 0, key: undefined, counts: [], notes: ['test began: <b>waits</b>'] },
      {
        from: 0,
        key: 'minu…',
        counts: ['1 beyond a limit'],
        notes: ['told to wait until 00:01:00; came back at 00:01:01'],
      },
      { from: 60, key: undefined, counts: [], notes: ['clock moved', 'faults changed'] },
      { from: 60, key: 'minu…', counts: ['1 broken'], notes: ['1 request struck by a fault'] },
      {
        from: 60,
        key: 'bann…',
        counts: ['1 beyond a limit'],
        notes: ['banned until 00:06:01', 'told to wait until 00:06:01; not back yet'],
      },
    ])
  })

  it('puts longer stretches together where minutes were too many', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 200; count++) {
      await send(sandbox)
      sandbox.clock.advance('1m')
    }
    const { lanes } = timelineIn(sandbox)
    const rows = timelineRows(lanes, [])
    expect(rows).toHaveLength(20)
    expect(rows[0]?.counts).toMatchObject([{ count: 10 }])
  })
})

describe('readInstant()', () => {
  it.each([
    { text: '14:03', at: '2026-01-01T14:03:00Z' },
    { text: ' 14:03:07.5 ', at: '2026-01-01T14:03:07.5Z' },
    { text: '2026-02-03', at: '2026-02-03T00:00:00Z' },
    { text: '2026-02-03T04:05:06', at: '2026-02-03T04:05:06Z' },
    { text: '2026-02-03T04:05:06+02:00', at: '2026-02-03T02:05:06Z' },
  ])('reads "$text"', ({ text, at }) => {
    expect(readInstant(text, startAt)).toBe(Date.parse(at))
  })

  it.each(['', 'now', '25:00', '7', '2026-13-01', '1 Jan 2026', '<b>'])('refuses "%s"', (text) => {
    expect(readInstant(text, startAt)).toBe(undefined)
  })
})
