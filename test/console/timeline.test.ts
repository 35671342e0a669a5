import { describe, expect, it } from 'vitest'
import {
  isCrowded,
  lanesOf,
  orderAxis,
  timeAxis,
  timelineOf,
  timelineRows,
} from '../../src/console/timeline/timeline.ts'
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
      ['second', 2, Number.POSITIVE_INFINITY],
    ])
  })
})

describe('timeAxis()', () => {
  const emptyUntil = (to: number) => timeAxis({ lanes: [], marks: [], tests: [] }, to, undefined)

  it('ends now, unless somebody still waits', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    sandbox.clock.advance('40s')
    expect(seconds(timeAxis(timelineIn(sandbox), sandbox.clock.now(), undefined).to)).toBe(40)
    await send(sandbox, { key: 'minute-exhausted-key' })
    const axis = timeAxis(timelineIn(sandbox), sandbox.clock.now(), undefined)
    // The reset of the minute is 20 s away, but what has happened keeps most of the room.
    expect(seconds(axis.to)).toBe(50)
    expect(axis.placeAt(startAt)).toBe(0)
    expect(axis.placeAt(sandbox.clock.now())).toBe(0.8)
  })

  it.each([
    { length: 10 * second },
    { length: 90 * minute },
    { length: 400 * 24 * 60 * minute },
    { length: 7_000 * 365 * 24 * 60 * minute },
  ])('has labels at round instants, and not one on the other: $length ms', ({ length }) => {
    const view = { from: startAt, to: startAt + length }
    const { labels } = timeAxis({ lanes: [], marks: [], tests: [] }, startAt, view)
    expect(labels.length).toBeGreaterThan(1)
    expect(labels.length).toBeLessThan(10)
    labels.slice(1).forEach(({ place }, index) => {
      expect(place - (labels[index]?.place ?? 0)).toBeGreaterThan(0.1)
    })
  })

  it('has room where nothing has happened yet', () => {
    const { from, to } = emptyUntil(startAt)
    expect(to - from).toBe(second)
  })
})

describe('orderAxis()', () => {
  it('tells requests apart that came at the same instant', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 4; count++) await send(sandbox)
    const timeline = timelineIn(sandbox)
    expect(isCrowded(timeline, timeAxis(timeline, startAt, undefined))).toBe(true)
    const axis = orderAxis(timeline, undefined)
    expect(isCrowded(timeline, axis)).toBe(false)
    const [lane] = timeline.lanes
    expect(lane?.moments.map(axis.placeOf)).toEqual([0.125, 0.375, 0.625, 0.875])
    expect(axis.labels.map(({ text }) => text)).toEqual(['#1', '#2', '#3', '#4'])
  })

  it('puts the end of a wait where the first request after it is', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.clock.advance('1h')
    await send(sandbox, { key: 'minute-exhausted-key' })
    const timeline = timelineIn(sandbox)
    expect(orderAxis(timeline, undefined).placeAt(startAt + minute)).toBe(0.5)
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
    expect(
      timelineRows(timelineIn(sandbox)).map(({ from, lane, counts, notes }) => ({
        from: seconds(from),
        key: lane?.key,
        counts: counts.map(({ tone, count }) => `${count} ${tone}`),
        notes,
      })),
    ).toEqual([
      { from: 60, key: 'minu…', counts: ['1 broken'], notes: ['1 request hit by a fault'] },
      {
        from: 60,
        key: 'bann…',
        counts: ['1 limited'],
        notes: ['banned until 00:06:01', 'told to wait until 00:06:01; not back yet'],
      },
      { from: 60, key: undefined, counts: [], notes: ['clock moved', 'faults changed'] },
      {
        from: 0,
        key: 'minu…',
        counts: ['1 limited'],
        notes: ['told to wait until 00:01:00; came back at 00:01:01'],
      },
      { from: 0, key: undefined, counts: [], notes: ['test began: <b>waits</b>'] },
    ])
  })
})
