import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { journalEvents, maxWaitingBytes } from '../../../src/control/http/events.ts'
import type { Sandbox } from '../../../src/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { send } from '../../kit/send.ts'
import { sendMany } from '../../kit/send-many.ts'

/** An event as a browser reads it. */
interface Read {
  readonly id?: string
  readonly event?: string
  readonly data?: string
}

/** Reads a piece of a stream, which is one block or two. */
function blocksOf(piece: string): Read[] {
  expect(piece.endsWith('\n\n')).toBe(true)
  return piece
    .slice(0, -2)
    .split('\n\n')
    .map((block) =>
      Object.fromEntries(
        block.split('\n').flatMap((line) => {
          const [name = '', value] = line.split(/: (.*)/s)
          return name === '' || value === undefined ? [] : [[name, value]]
        }),
      ),
    )
}

/** Opens a stream, and reads its beginning. */
function open({ journal }: Sandbox, lastEventId?: string, owner?: AbortSignal) {
  const stream = journalEvents(journal, lastEventId, owner)
  const read = async (): Promise<Read[]> => {
    const { value, done } = await stream.next()
    return done ? [] : blocksOf(value)
  }
  /** Reads so many events, as their names and the ids of their entries. */
  const readIds = async (count: number) => {
    const found: (string | number)[] = []
    while (found.length < count) {
      const blocks = await read()
      if (blocks.length === 0) return [...found, 'done']
      for (const { event, data = '{}' } of blocks) {
        if (event !== undefined) found.push(event === 'request' ? JSON.parse(data).id : event)
      }
    }
    return found
  }
  return { stream, read, readIds }
}

/** The id of a sandbox's latest event. */
function lastEventIdOf({ journal: { position } }: Sandbox): string {
  return `${position.epoch}-${position.id}`
}

/** Counts who listens to a sandbox's journal. */
function listeners({ journal }: Sandbox) {
  const { subscribe } = journal
  const open = new Set<object>()
  vi.spyOn(journal, 'subscribe').mockImplementation((listener) => {
    const end = subscribe(listener)
    open.add(end)
    return () => {
      open.delete(end)
      end()
    }
  })
  return open
}

describe('journalEvents()', () => {
  it('begins with where it stands, and gives each exchange as the journal shows it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const { epoch } = sandbox.journal.position
    const { read } = open(sandbox)
    expect(await read()).toEqual([{ id: `${epoch}-1`, retry: '1000' }])
    await send(sandbox, { json: '{"name":"Zoë\\n\\n🐢","categoryId":1}' })
    const [event] = await read()
    expect(event).toMatchObject({ id: `${epoch}-2`, event: 'request' })
    expect(JSON.parse(event?.data ?? '')).toEqual(sandbox.journal.get(2))
  })

  it('hears each exchange once, also while it is read', async () => {
    const sandbox = frozenSandbox()
    const { stream, readIds } = open(sandbox)
    await stream.next()
    const reading = readIds(4)
    await sendMany(sandbox, 4)
    expect(await reading).toEqual([1, 2, 3, 4])
  })

  it('goes on over resets and restores, with ids of their own', async () => {
    const sandbox = frozenSandbox()
    const { read, readIds } = open(sandbox)
    await send(sandbox)
    const snapshot = sandbox.snapshot()
    sandbox.reset()
    await send(sandbox)
    sandbox.restore(snapshot)
    await send(sandbox)
    await read()
    const events = [await read(), await read(), await read(), await read(), await read()].flat()
    expect(events.map(({ event }) => event)).toEqual([
      'request',
      'mark',
      'request',
      'mark',
      'request',
    ])
    const ids = events.flatMap(({ id }) => id ?? [])
    expect(new Set(ids).size).toBe(3)
    expect(ids.map((id) => id.split('-')[1])).toEqual(['1', '2', '3'])
    await send(sandbox)
    expect(await readIds(1)).toEqual([4])
  })
})

describe('journalEvents() after an event', () => {
  it('goes on with what came since, and then with what comes', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 2)
    const lastEventId = lastEventIdOf(sandbox)
    await sendMany(sandbox, 2)
    const { stream, readIds } = open(sandbox, lastEventId)
    await send(sandbox)
    expect(await readIds(3)).toEqual([3, 4, 5])
    const waiting = stream.next()
    await send(sandbox)
    expect((await waiting).value).toContain('"id":6')
  })

  it('says what is lost, and goes on with what the journal has', async () => {
    const sandbox = frozenSandbox({ journalSize: 2 })
    await send(sandbox)
    const lastEventId = lastEventIdOf(sandbox)
    await sendMany(sandbox, 5)
    const { read, readIds } = open(sandbox, lastEventId)
    await read()
    const [lost] = await read()
    const [event] = await read()
    expect(lost).toEqual({
      event: 'lost',
      data: JSON.stringify({
        message: `Cannot give every exchange since event ${lastEventId}: the journal no longer has all of them; read on with those that it has`,
      }),
    })
    expect(event?.data).toContain('"id":5')
    expect(await readIds(1)).toEqual([6])
  })

  it.each(['nonsense', '', '-', 'abc-', 'abc-1e9', '7', 'abc-123', 'x {own}', '{own} x'])(
    'says that it does not know the event %j, and begins with what there is',
    async (id) => {
      const sandbox = frozenSandbox()
      await sendMany(sandbox, 2)
      const lastEventId = id.replace('{own}', lastEventIdOf(sandbox))
      expect(await open(sandbox, lastEventId).readIds(3)).toEqual(['lost', 1, 2])
    },
  )

  it('gives nothing twice when the journal overtakes it', async () => {
    const sandbox = frozenSandbox({ journalSize: 3, rateLimit: 'reported' })
    const lastEventId = lastEventIdOf(sandbox)
    await sendMany(sandbox, 3)
    const { readIds } = open(sandbox, lastEventId)
    expect(await readIds(1)).toEqual([1])
    await sendMany(sandbox, 5)
    expect(await readIds(7)).toEqual([2, 3, 4, 5, 6, 7, 8])
  })
})

describe('the end of journalEvents()', () => {
  it('comes at once with its owner, while it is read', async () => {
    const sandbox = frozenSandbox()
    const heard = listeners(sandbox)
    const owner = new AbortController()
    const { stream } = open(sandbox, undefined, owner.signal)
    await stream.next()
    const reading = stream.next()
    expect(heard.size).toBe(1)
    owner.abort()
    expect(await reading).toEqual({ value: undefined, done: true })
    expect(heard.size).toBe(0)
  })

  it('comes with an owner that left before it began, or before it was read', async () => {
    const sandbox = frozenSandbox()
    const heard = listeners(sandbox)
    const left = open(sandbox, undefined, AbortSignal.abort())
    const owner = new AbortController()
    const leaving = open(sandbox, undefined, owner.signal)
    await send(sandbox)
    owner.abort()
    expect(await Promise.all([left.stream.next(), leaving.stream.next()])).toEqual([
      { value: undefined, done: true },
      { value: undefined, done: true },
    ])
    expect(heard.size).toBe(0)
  })

  it('comes when its reader stops', async () => {
    const sandbox = frozenSandbox()
    const heard = listeners(sandbox)
    for await (const piece of open(sandbox).stream) {
      expect(piece).toContain('from now on')
      break
    }
    expect(heard.size).toBe(0)
  })

  it('is said to a reader that is too slow, after all that waits, and can be gone on from', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    const heard = listeners(sandbox)
    const { stream } = open(sandbox)
    const json = JSON.stringify({ name: 'x'.repeat(60_000), categoryId: 1 })
    let sent = 0
    for (; heard.size > 0; sent++) await send(sandbox, { json })
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(piece)
    const [begin, ...events] = pieces
    expect(begin).toContain('from now on')
    expect(events.at(-1)).toMatch(
      /^event: end\ndata: \{"message":"Cannot keep more than 1 MiB .*; ask again with Last-Event-ID"\}\n\n$/,
    )
    expect(events).toHaveLength(sent)
    const bytes = events.slice(0, -1).reduce((sum, one) => sum + Buffer.byteLength(one), 0)
    expect(bytes).toBeLessThanOrEqual(maxWaitingBytes)
    expect(bytes).toBeGreaterThan(maxWaitingBytes / 2)
    const [, lastEventId = ''] = /^id: (.*)$/m.exec(events.at(-2) ?? '') ?? []
    expect(await open(sandbox, lastEventId).readIds(1)).toEqual([sent])
  })
})

describe('the heartbeat of journalEvents()', () => {
  // The host's own timers are taken when the module is loaded.
  async function fakedModule() {
    vi.resetModules()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      // Else the next file would get modules that keep the fake ones.
      vi.resetModules()
    })
    return await import('../../../src/control/http/events.ts')
  }

  it('comes every 15 seconds to who waits, and in between nothing', async () => {
    const { journalEvents: fakedEvents } = await fakedModule()
    const stream = fakedEvents(frozenSandbox().journal, undefined, undefined)
    await stream.next()
    expect(vi.getTimerCount()).toBe(0)
    for (let beat = 0; beat < 3; beat++) {
      let piece: unknown
      const reading = stream.next().then(({ value }) => {
        piece = value
      })
      await vi.advanceTimersByTimeAsync(14_999)
      expect(piece).toBeUndefined()
      await vi.advanceTimersByTimeAsync(1)
      await reading
      expect(piece).toBe(': alive\n\n')
    }
    expect(vi.getTimerCount()).toBe(0)
  })

  it('leaves no timer when an event comes, or when the owner leaves', async () => {
    const { journalEvents: fakedEvents } = await fakedModule()
    const sandbox = frozenSandbox()
    const owner = new AbortController()
    const stream = fakedEvents(sandbox.journal, undefined, owner.signal)
    await stream.next()
    const reading = stream.next()
    expect(vi.getTimerCount()).toBe(1)
    await send(sandbox)
    await reading
    expect(vi.getTimerCount()).toBe(0)
    const waiting = stream.next()
    owner.abort()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })
})
