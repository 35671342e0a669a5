import { afterEach, describe, expect, it, vi } from 'vitest'
import type { JournalEntry } from '../../src/client/connect-sandbox.ts'
import { drawnAtOnce, GrowingCount } from '../../src/console/live/pace/growing-count.ts'
import { OneAtATime } from '../../src/console/live/pace/one-at-a-time.ts'
import { sortEvents } from '../../src/console/live/sort-events.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** The ids of a list whose newest is this one. */
function downFrom(newest: number, count = 200): number[] {
  return Array.from({ length: count }, (_, at) => newest - at)
}

describe('GrowingCount', () => {
  function begin() {
    vi.useFakeTimers({ toFake: ['performance'] })
    const growing = new GrowingCount<number>((id) => id)
    return { growing, pass: (ms: number) => vi.advanceTimersByTime(ms) }
  }

  it('begins with a screenful, and grows until all are drawn', () => {
    const { growing, pass } = begin()
    const rows = downFrom(1_000)
    expect(growing.of(rows)).toBe(drawnAtOnce)
    expect(growing.restMs).toBeGreaterThan(0)
    pass(growing.restMs)
    expect(growing.restMs).toBe(0)
    const counts = Array.from({ length: 5 }, () => {
      growing.grow()
      return growing.of(rows)
    })
    expect(counts).toEqual([100, 150, 200, 200, 200])
  })

  it('draws no more at first than the window has room for', () => {
    const rows = downFrom(1_000)
    const few = new GrowingCount<number>((id) => id, 29)
    expect(few.of(rows)).toBe(29)
    few.grow()
    expect(few.of(rows)).toBe(29 + drawnAtOnce)
    expect(new GrowingCount<number>((id) => id, 500).of(rows)).toBe(drawnAtOnce)
  })

  it('draws a screenful for each change of a flood', () => {
    const { growing, pass } = begin()
    growing.of(downFrom(1_000))
    for (let step = 0; step < 3; step++) growing.grow()
    const counts = Array.from({ length: 20 }, (_, frame) => {
      pass(100)
      return growing.of(downFrom(1_200 + frame * 200))
    })
    expect(new Set(counts)).toEqual(new Set([drawnAtOnce]))
  })

  it('goes on to draw all of a list that changes now and then', () => {
    const { growing, pass } = begin()
    growing.of(downFrom(1_000))
    for (let step = 0; step < 3; step++) growing.grow()
    pass(1_000)
    expect(growing.of(downFrom(1_001))).toBe(200)
    pass(1_000)
    expect(growing.of(downFrom(1_004))).toBe(200)
    // Each a little, but soon after one another.
    pass(100)
    expect(growing.of(downFrom(1_005))).toBe(drawnAtOnce)
  })

  it('draws no more than there are', () => {
    const { growing } = begin()
    expect(growing.of([])).toBe(0)
    expect(growing.of([3, 2, 1])).toBe(3)
  })
})

describe('OneAtATime', () => {
  it('is done once more, however often it is asked for meanwhile', async () => {
    const ends: (() => void)[] = []
    const turns = new OneAtATime(
      () =>
        new Promise((resolve) => {
          ends.push(resolve)
        }),
    )
    const first = turns.ask()
    for (let time = 0; time < 100; time++) void turns.ask()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await expect.poll(() => ends).toHaveLength(2)
    ends[1]?.()
    await first
    expect(ends).toHaveLength(2)
    void turns.ask()
    expect(ends).toHaveLength(3)
    ends[2]?.()
  })
})

describe('sortEvents()', () => {
  async function someEntries(): Promise<JournalEntry[]> {
    const sandbox = frozenSandbox()
    for (let count = 0; count < 3; count++) await sandbox.handle(requestOf({}))
    return sandbox.journal.entries()
  }

  it('puts together what came, and only the last word about the connection', async () => {
    const entries = await someEntries()
    const news = sortEvents([
      { kind: 'waiting' },
      ...entries.map((entry) => ({ kind: 'request', entry }) as const),
      { kind: 'live' },
    ])
    expect(news).toMatchObject({ entries, marks: [], link: 'live', isNewJournal: false })
    expect(news.refusal).toBe(undefined)
  })

  it('leaves out what came before a new journal', async () => {
    const [one, two, three] = await someEntries()
    if (one === undefined || two === undefined || three === undefined) throw new Error('no entries')
    const news = sortEvents([
      { kind: 'request', entry: one },
      { kind: 'lost' },
      { kind: 'request', entry: two },
      { kind: 'lost' },
      { kind: 'request', entry: three },
    ])
    expect(news).toMatchObject({ entries: [three], isNewJournal: true, link: undefined })
  })
})
