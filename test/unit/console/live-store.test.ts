import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import type { RequestView } from '../../../src/client/connect-sandbox.ts'
import type { ConsoleClient, ConsoleEvent } from '../../../src/console/live/console-client.ts'
import { LiveStore, maxEntries } from '../../../src/console/live/live-store.ts'
import { Throttle } from '../../../src/console/live/throttle.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { requestOf } from '../../kit/send.ts'

afterEach(() => {
  vi.useRealTimers()
})

const sandbox = frozenSandbox()
await sandbox.handle(requestOf({}))
const [one] = sandbox.requests.list()

function entriesOf(...ids: readonly number[]): RequestView[] {
  if (one === undefined) throw new Error('Cannot test: there is no entry')
  return ids.map((id) => ({ ...one, id }))
}

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

describe('LiveStore', () => {
  /** A store of a played sandbox, what tells it of events, and the questions for entries that wait for an answer. */
  function started() {
    let hear: (event: ConsoleEvent) => void = () => {}
    const answers: ((entries: RequestView[]) => void)[] = []
    const queries: unknown[] = []
    const nothing = vi.fn(async () => [])
    const client = {
      status: async () => sandbox.status(),
      gaps: async () => sandbox.gaps,
      foundSoFar: nothing,
      scenarios: nothing,
      keys: { list: nothing },
      faults: { list: nothing },
      requests: {
        changes: nothing,
        list(query: unknown) {
          queries.push(query)
          return new Promise<RequestView[]>((resolve) => answers.push(resolve))
        },
      },
      follow(listener: typeof hear) {
        hear = listener
      },
    }
    // All that it asks of a sandbox.
    const store = new LiveStore(client as unknown as ConsoleClient)
    onTestFinished(store.start())
    const tell = (...ids: readonly number[]): void => {
      for (const entry of entriesOf(...ids)) hear({ kind: 'request', entry })
    }
    const shown = () => store.entries.value.map(({ id }) => id)
    const isLoaded = () => store.isLoaded.value
    const others = { nothing, tell, shown, isLoaded, hear: (event: ConsoleEvent) => hear(event) }
    return { answers, queries, ...others }
  }

  it('asks once for what was there when its stream is live, and not if it is rejected', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const live = started()
    const rejected = started()
    await vi.advanceTimersByTimeAsync(50)
    live.hear({ kind: 'live' })
    rejected.hear({ kind: 'rejected', error: new Error('no token') })
    await vi.advanceTimersByTimeAsync(5_000)
    // Keys, faults, marks, findings, scenarios.
    expect(live.nothing).toHaveBeenCalledTimes(5)
    expect([live.answers.length, rejected.answers.length]).toEqual([1, 0])
    expect(rejected.nothing).not.toHaveBeenCalled()
    // A first page without bodies; an empty list means nothing before it is there.
    expect(live.queries).toEqual([{ limit: 100, bodies: false }])
    expect(live.isLoaded()).toBe(false)
    live.answers[0]?.([])
    await vi.advanceTimersByTimeAsync(0)
    expect(live.isLoaded()).toBe(true)
  })

  it('shows each of the latest requests once, in order', async () => {
    const { answers, hear, tell, shown } = started()
    hear({ kind: 'live' })
    await expect.poll(() => answers).toHaveLength(1)
    tell(5, 4, 3)
    answers.shift()?.(entriesOf(1, 2, 3))
    await expect.poll(shown).toEqual([1, 2, 3, 4, 5])
    tell(...Array.from({ length: maxEntries }, (_, at) => at + 6))
    await expect.poll(shown).toHaveLength(maxEntries)
    expect([shown().at(0), shown().at(-1)]).toEqual([6, maxEntries + 5])
  })

  it('keeps the old list when events were lost, until the new one is there', async () => {
    const { answers, hear, tell, shown } = started()
    hear({ kind: 'live' })
    await expect.poll(() => answers).toHaveLength(1)
    answers.shift()?.(entriesOf(1, 2, 3))
    await expect.poll(shown).toHaveLength(3)
    // The process is another one, whose ids begin anew.
    hear({ kind: 'lost' })
    tell(1, 2)
    await expect.poll(() => answers).toHaveLength(1)
    expect(shown()).toEqual([1, 2, 3])
    answers.shift()?.(entriesOf(1))
    await expect.poll(shown).toEqual([1, 2])
  })
})
