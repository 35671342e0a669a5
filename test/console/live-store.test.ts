import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { JournalEntry } from '../../src/client/connect-sandbox.ts'
import type { ConsoleClient, ConsoleEvent } from '../../src/console/live/console-client.ts'
import {
  LiveStore,
  mergeEntries,
  mostEntries,
  sortEvents,
} from '../../src/console/live/live-store.ts'
import { Throttle } from '../../src/console/live/throttle.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { requestOf } from '../kit/send.ts'

afterEach(() => {
  vi.useRealTimers()
})

const sandbox = frozenSandbox()
await sandbox.handle(requestOf({}))
const [one] = sandbox.journal.entries()

function entriesOf(...ids: readonly number[]): JournalEntry[] {
  if (one === undefined) throw new Error('Cannot test: there is no entry')
  return ids.map((id) => ({ ...one, id }))
}

describe('mergeEntries()', () => {
  it.each([
    { kept: [], come: [1, 2], all: [1, 2] },
    { kept: [1, 2], come: [3], all: [1, 2, 3] },
    { kept: [2, 3], come: [1, 2, 3, 4], all: [1, 2, 3, 4] },
    { kept: [1, 5], come: [3, 5, 4], all: [1, 3, 4, 5] },
    { kept: [1], come: [], all: [1] },
  ])('makes $all of $kept and $come', ({ kept, come, all }) => {
    const merged = mergeEntries(entriesOf(...kept), entriesOf(...come))
    expect(merged.map(({ id }) => id)).toEqual(all)
  })

  it('keeps the latest', () => {
    const many = Array.from({ length: mostEntries }, (_, at) => at + 1)
    const merged = mergeEntries(entriesOf(...many), entriesOf(mostEntries + 1))
    expect([merged.length, merged[0]?.id, merged.at(-1)?.id]).toEqual([
      mostEntries,
      2,
      mostEntries + 1,
    ])
  })
})

describe('Throttle', () => {
  it('is done once more, however often it is asked for meanwhile', async () => {
    const ends: (() => void)[] = []
    const turns = new Throttle(
      0,
      () =>
        new Promise<void>((resolve) => {
          ends.push(resolve)
        }),
    )
    const first = turns.now()
    for (let time = 0; time < 100; time++) void turns.now()
    expect(ends).toHaveLength(1)
    ends[0]?.()
    await expect.poll(() => ends).toHaveLength(2)
    ends[1]?.()
    await first
    expect(ends).toHaveLength(2)
    void turns.now()
    expect(ends).toHaveLength(3)
    ends[2]?.()
  })

  it('is done at most every so often where there is no hurry', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const doneAt: number[] = []
    const throttle = new Throttle(1_000, () => doneAt.push(performance.now() - begunAt))
    const begunAt = performance.now()
    for (let step = 0; step < 25; step++) {
      throttle.soon()
      await vi.advanceTimersByTimeAsync(100)
    }
    throttle.stop()
    await vi.advanceTimersByTimeAsync(5_000)
    expect(doneAt).toEqual([0, 1_000, 2_000])
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
    expect(news).toMatchObject({ entries, marks: [], link: 'live', newJournal: undefined })
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
    expect(news).toMatchObject({ entries: [three], newJournal: 'lost', link: undefined })
  })
})

describe('LiveStore', () => {
  it.each([
    { kind: 'live' as const, times: 1 },
    { kind: 'refused' as const, error: new Error('no token'), times: 0 },
  ])(
    'asks $times times for what was there once its stream is $kind',
    async ({ times, ...event }) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
      const asked = vi.fn(async () => [])
      const client = {
        status: async () => sandbox.status(),
        gaps: async () => sandbox.gaps,
        findings: asked,
        keys: { list: asked },
        faults: { list: asked },
        journal: { marks: asked, entries: asked },
        follow: (listener: (event: ConsoleEvent) => void) =>
          void setTimeout(() => listener(event), 50),
      }
      onTestFinished(new LiveStore(client as unknown as ConsoleClient).start())
      await vi.advanceTimersByTimeAsync(5_000)
      // Findings, keys, faults, marks, entries.
      expect(asked).toHaveBeenCalledTimes(5 * times)
    },
  )

  it('keeps the old list when events were lost, until the new one is there', async () => {
    const [before, later] = [entriesOf(1, 2, 3), entriesOf(1, 2)]
    let hear: (event: ConsoleEvent) => void = () => {}
    const answers: ((entries: JournalEntry[]) => void)[] = []
    const nothing = async (): Promise<never[]> => []
    const client = {
      status: async () => sandbox.status(),
      gaps: async () => sandbox.gaps,
      findings: nothing,
      keys: { list: nothing },
      faults: { list: nothing },
      journal: {
        marks: nothing,
        entries: () => new Promise<JournalEntry[]>((resolve) => answers.push(resolve)),
      },
      follow(listener: typeof hear) {
        hear = listener
      },
    }
    // All that it asks of a sandbox.
    const store = new LiveStore(client as unknown as ConsoleClient)
    onTestFinished(store.start())
    hear({ kind: 'live' })
    await expect.poll(() => answers).toHaveLength(1)
    answers.shift()?.(before)
    await expect.poll(() => store.entries.value).toHaveLength(3)
    // The process is another one, whose ids begin anew.
    hear({ kind: 'lost' })
    for (const entry of later) hear({ kind: 'request', entry })
    await expect.poll(() => answers).toHaveLength(1)
    expect(store.entries.value).toEqual(before)
    answers.shift()?.(entriesOf(1))
    await expect.poll(() => store.entries.value).toEqual(later)
  })
})
