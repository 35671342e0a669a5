import { describe, expect, it } from 'vitest'
import {
  isCrowded,
  type Lane,
  lanesOf,
  orderAxis,
  type Sign,
  timeAxis,
  timelineRows,
} from '../../src/console/timeline/timeline.ts'
import type { Sandbox } from '../../src/sandbox.ts'
import { frozenSandbox, startAt } from '../kit/frozen-sandbox.ts'
import { send } from '../kit/send.ts'

const second = 1_000
const minute = 60 * second

function lanesIn(sandbox: Sandbox) {
  return lanesOf(sandbox.journal.entries(), sandbox.journal.marks())
}

/** What happened of a kind, with its beginning and end. */
function spansOf(lane: Lane | undefined, ...signs: readonly Sign[]) {
  const found = lane?.others.filter(({ sign }) => signs.includes(sign)) ?? []
  return found.map(({ from, to }) => [seconds(from), seconds(to)])
}

/** An instant as seconds after the start of a sandbox. */
const seconds = (at: number | undefined): number | undefined =>
  at === undefined ? undefined : (at - startAt) / second

describe('lanesOf()', () => {
  it('has a lane for each key, with the minutes that its requests spent', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    await send(sandbox, { key: 'pro-key' })
    sandbox.clock.advance('150s')
    await send(sandbox)
    const [free, pro] = lanesOf(sandbox.journal.entries(), [])
    expect(free?.key).toBe('free…')
    expect(free?.requests.map(({ from }) => seconds(from))).toEqual([0, 150])
    expect(free?.others).toHaveLength(2)
    expect(spansOf(free, 'window')).toEqual([
      [0, 60],
      [120, 180],
    ])
    expect(pro?.requests).toHaveLength(1)
  })

  it('draws sliding windows one after the other', async () => {
    const sandbox = frozenSandbox({ gaps: { quotaWindow: 'sliding' } })
    for (let count = 0; count < 9; count++) {
      await send(sandbox)
      sandbox.clock.advance('15s')
    }
    const [lane] = lanesOf(sandbox.journal.entries(), [])
    const windows = spansOf(lane, 'window')
    expect(windows).toHaveLength(2)
    expect(windows[1]?.[0]).toBeGreaterThanOrEqual(windows[0]?.[1] ?? Number.POSITIVE_INFINITY)
  })

  it.each([
    { comesAfter: 59, sign: 'early' as const },
    { comesAfter: 60, sign: 'came' as const },
  ])('tells when a client came back: after $comesAfter s, $sign', async ({ comesAfter, sign }) => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.clock.advance(comesAfter * second)
    await send(sandbox, { key: 'minute-exhausted-key' })
    const [lane] = lanesOf(sandbox.journal.entries(), [])
    expect(spansOf(lane, 'wait')).toEqual([[0, 60]])
    expect(spansOf(lane, 'came', 'early')).toEqual([[comesAfter, comesAfter]])
    expect(spansOf(lane, sign)).toHaveLength(1)
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
    expect(spansOf(lanesOf(entries, [])[0], 'wait').map(([, to]) => to)).toEqual(given.waits)
  })

  it('ends a ban when it ends, or when the key is pardoned', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'banned-key' })
    sandbox.clock.advance('90s')
    sandbox.keys.change('banned-key', { pardon: true })
    await send(sandbox, { key: 'banned-key' })
    sandbox.keys.change('banned-key', { ban: '5m' })
    await send(sandbox, { key: 'banned-key' })
    const [lane] = lanesOf(sandbox.journal.entries(), [])
    expect(spansOf(lane, 'ban')).toEqual([
      [0, 90],
      [90, 390],
    ])
  })

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
    const [lane] = lanesIn(sandbox)
    expect(lane).not.toHaveProperty('key')
    expect(lane?.others.map(({ text, from, to }) => [text, seconds(from), seconds(to)])).toEqual([
      ['reset', 0, 0],
      ['test: first', 0, 2],
      ['clock moved', 2, 2],
      ['test: second', 2, Number.POSITIVE_INFINITY],
      ['clock moved', 5, 5],
    ])
  })
})

describe('timeAxis()', () => {
  it('ends now, unless somebody still waits', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    sandbox.clock.advance('40s')
    expect(seconds(timeAxis(lanesIn(sandbox), sandbox.clock.now(), undefined).to)).toBe(40)
    await send(sandbox, { key: 'minute-exhausted-key' })
    const axis = timeAxis(lanesIn(sandbox), sandbox.clock.now(), undefined)
    // The reset of the minute is 20 s away, but what has happened keeps most of the room.
    expect(seconds(axis.to)).toBe(50)
    expect(axis.placeAt(startAt)).toBe(0)
    expect(axis.placeAt(sandbox.clock.now())).toBe(0.8)
  })

  it.each([
    { length: 10 * second },
    { length: 400 * 24 * 60 * minute },
    { length: 7_000 * 365 * 24 * 60 * minute },
  ])('has labels at round instants, and not one on the other: $length ms', ({ length }) => {
    const view = { from: startAt, to: startAt + length }
    const { labels } = timeAxis([], startAt, view)
    expect(labels.length).toBeGreaterThan(1)
    expect(labels.length).toBeLessThan(10)
    labels.slice(1).forEach(({ place }, index) => {
      expect(place - (labels[index]?.place ?? 0)).toBeGreaterThan(0.1)
    })
  })

  it('has room where nothing has happened yet', () => {
    const { from, to } = timeAxis([], startAt, undefined)
    expect(to - from).toBe(second)
  })
})

describe('orderAxis()', () => {
  it('tells requests apart that came at the same instant', async () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 4; count++) await send(sandbox)
    const lanes = lanesIn(sandbox)
    expect(isCrowded(lanes, timeAxis(lanes, startAt, undefined))).toBe(true)
    const axis = orderAxis(lanes, undefined)
    expect(isCrowded(lanes, axis)).toBe(false)
    expect(lanes[0]?.requests.map(axis.placeOf)).toEqual([0.125, 0.375, 0.625, 0.875])
    expect(axis.labels.map(({ text }) => text)).toEqual(['#1', '#2', '#3', '#4'])
  })

  it('puts the end of a wait where the first request after it is', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox, { key: 'minute-exhausted-key' })
    sandbox.clock.advance('1h')
    await send(sandbox, { key: 'minute-exhausted-key' })
    const lanes = lanesIn(sandbox)
    expect(orderAxis(lanes, undefined).placeAt(startAt + minute)).toBe(0.5)
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
    const rows = timelineRows(lanesIn(sandbox)).map(({ from, lane, counts, notes }) => [
      `${seconds(from)} ${lane.key}`,
      ...counts.map(({ tone, count }) => `${count} ${tone}`),
      ...notes,
    ])
    expect(rows).toEqual([
      ['60 undefined', 'clock moved', 'faults changed'],
      ['60 minu…', '1 broken', 'hit by a fault'],
      [
        '60 bann…',
        '1 limited',
        'banned until 00:06:01',
        'told to wait until 00:06:01; not back yet',
      ],
      ['0 undefined', 'test: <b>waits</b>'],
      ['0 minu…', '1 limited', 'told to wait until 00:01:00; came back at 00:01:01'],
    ])
  })

  it('says the same once, and of much only the beginning', () => {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 8; count++) {
      sandbox.faults.clear()
      sandbox.journal.mark({ kind: 'test-began', name: `${count}` })
    }
    const notes = timelineRows(lanesIn(sandbox))[0]?.notes
    expect(notes).toMatchObject({ 0: 'faults changed 8 times', 6: '3 more', length: 7 })
  })
})
