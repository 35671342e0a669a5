import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { LogPosition, NextRequest } from '../../../../../src/mock/log/request-log.ts'
import type { RequestView } from '../../../../../src/mock/log/request-view.ts'
import { EventStreams } from '../../../../../src/sandbox/controls/http/events.ts'
import type { Sandbox } from '../../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../../kit/frozen-sandbox.ts'
import { send, sendMany } from '../../../../kit/send.ts'

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
function open(
  { requests }: Sandbox,
  lastEventId?: string,
  signal?: AbortSignal,
  streams = new EventStreams(),
) {
  const stream = streams.open(requests, lastEventId, signal)
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
function lastEventIdOf({ requests: { position } }: Sandbox): string {
  return `${position.epoch}-${position.id}`
}

/** Counts who listens to a sandbox's request log. */
function listeners({ requests }: Sandbox) {
  const { onRequest } = requests
  const open = new Set<object>()
  vi.spyOn(requests, 'onRequest').mockImplementation((listener) => {
    const end = onRequest(listener)
    open.add(end)
    return () => {
      open.delete(end)
      end()
    }
  })
  return open
}

describe('EventStreams.open()', () => {
  it('begins with where it stands, and gives each request as the request log shows it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const { epoch } = sandbox.requests.position
    const { read } = open(sandbox)
    expect(await read()).toEqual([{ id: `${epoch}-1`, retry: '1000' }])
    await send(sandbox, { json: '{"name":"Zoë\\n\\n🐢","categoryId":1}' })
    const [event] = await read()
    expect(event).toMatchObject({ id: `${epoch}-2`, event: 'request' })
    expect(JSON.parse(event?.data ?? '')).toEqual(sandbox.requests.get(2))
  })

  it('hears each request once, also while it is read', async () => {
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
      'change',
      'request',
      'change',
      'request',
    ])
    const ids = events.flatMap(({ id }) => id ?? [])
    expect(new Set(ids).size).toBe(3)
    expect(ids.map((id) => id.split('-')[1])).toEqual(['1', '2', '3'])
    await send(sandbox)
    expect(await readIds(1)).toEqual([4])
  })
})

describe('EventStreams.open() after an event', () => {
  it('resumes 60 readers, each after another event, without one missing or doubled', async () => {
    const sandbox = frozenSandbox()
    const streams = new EventStreams()
    const count = 60
    const ids: string[] = []
    for (let sent = 0; sent < count; sent++) {
      ids.push(lastEventIdOf(sandbox))
      await send(sandbox)
    }
    const readers = ids.map((id) => open(sandbox, id, undefined, streams))
    const added = send(sandbox)
    const found = await Promise.all(
      readers.map(async ({ readIds }, at) => await readIds(count + 1 - at)),
    )
    await added
    const all = Array.from({ length: count + 1 }, (_, at) => at + 1)
    expect(found).toEqual(ids.map((_, at) => all.slice(at)))
  })

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

  it('says the same of an id that is none, without repeating it', async () => {
    const sandbox = frozenSandbox()
    await send(sandbox)
    const { read } = open(sandbox, 'zzz')
    const blocks = [...(await read()), ...(await read())]
    const lost = blocks.find(({ event }) => event === 'lost')
    expect(lost?.data).toContain('since the last event: the log')
  })

  it('says what is lost, and goes on with what the request log has', async () => {
    const sandbox = frozenSandbox({ maxRequests: 2 })
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
        message: `Cannot send every request since event ${lastEventId}: the log no longer has all of them; continue with those that it has`,
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

  it('gives nothing twice when the request log overtakes it', async () => {
    const sandbox = frozenSandbox({ maxRequests: 3, rateLimits: 'report-only' })
    const lastEventId = lastEventIdOf(sandbox)
    await sendMany(sandbox, 3)
    const { readIds } = open(sandbox, lastEventId)
    expect(await readIds(1)).toEqual([1])
    await sendMany(sandbox, 5)
    expect(await readIds(4)).toEqual(['lost', 6, 7, 8])
    await send(sandbox)
    expect(await readIds(1)).toEqual([9])
  })
})

describe('the end of a stream of events', () => {
  it('comes at once with its client, while it is read', async () => {
    const sandbox = frozenSandbox()
    const heard = listeners(sandbox)
    const client = new AbortController()
    const { stream } = open(sandbox, undefined, client.signal)
    await stream.next()
    const reading = stream.next()
    expect(heard.size).toBe(1)
    client.abort()
    expect(await reading).toEqual({ value: undefined, done: true })
    expect(heard.size).toBe(0)
  })

  it('comes with a client that left before it began, or before it was read', async () => {
    const sandbox = frozenSandbox()
    const heard = listeners(sandbox)
    const left = open(sandbox, undefined, AbortSignal.abort())
    const client = new AbortController()
    const leaving = open(sandbox, undefined, client.signal)
    await send(sandbox)
    client.abort()
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

  it('is said to a reader that is too slow, which can ask for the rest', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const heard = listeners(sandbox)
    const { stream } = open(sandbox)
    const json = JSON.stringify({ name: 'x'.repeat(60_000), categoryId: 1 })
    for (; heard.size > 0; ) await send(sandbox, { json })
    const pieces: string[] = []
    for await (const piece of stream) pieces.push(piece)
    const [begin, ...events] = pieces
    expect(events).toEqual([
      'event: end\ndata: {"message":"Cannot keep more than 1 MiB of events for a reader: this one is too slow; ask again with Last-Event-ID"}\n\n',
    ])
    const [, lastEventId = ''] = /^id: (.*)$/m.exec(begin ?? '') ?? []
    expect(await readWhole(open(sandbox, lastEventId).stream)).toMatch(/^id: \S+-1$/m)
  })

  it('comes to no reader because of another one that reads nothing', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const streams = new EventStreams()
    const slow = open(sandbox, undefined, undefined, streams)
    const quick = open(sandbox, undefined, undefined, streams)
    await quick.read()
    const json = JSON.stringify({ name: 'x'.repeat(10_000), categoryId: 1 })
    for (let id = 1; id <= 120; id++) {
      await send(sandbox, { json })
      expect(await quick.readIds(1)).toEqual([id])
    }
    await slow.read()
    expect(await slow.readIds(1)).toEqual(['end'])
  })
})

describe('the events that readers have not read', () => {
  const json = JSON.stringify({ name: 'x'.repeat(64_000), categoryId: 1 })

  /** A sandbox with so many events that are longer than a piece of a stream. */
  async function sandboxWithLongEvents(count: number): Promise<Sandbox> {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    for (let sent = 0; sent < count; sent++) await send(sandbox, { json })
    return sandbox
  }

  it('are bounded: a reader that is in the midst of the oldest ends, and can ask for it again', async () => {
    const sandbox = await sandboxWithLongEvents(300)
    const { epoch } = sandbox.requests.position
    const streams = new EventStreams()
    const readers = Array.from({ length: 300 }, (_, id) =>
      open(sandbox, `${epoch}-${id}`, undefined, streams),
    )
    // The start, and the first piece of an event.
    for (const { stream } of readers) await stream.next()
    for (const { stream } of readers) expect((await stream.next()).value).toHaveLength(16_384)
    const [first, last] = [readers[0], readers.at(-1)]
    expect(await first?.stream.next()).toEqual({ value: undefined, done: true })
    expect((await last?.stream.next())?.done).toBe(false)
    expect(await readWhole(open(sandbox, `${epoch}-0`, undefined, streams).stream)).toContain(
      `\nid: ${epoch}-1\n\n`,
    )
  })

  it('end with the event that the sandbox drops while they are sent', async () => {
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const { stream } = open(sandbox)
    await stream.next()
    await send(sandbox, { json })
    expect((await stream.next()).value).toHaveLength(16_384)
    for (let sent = 0; sent < 30; sent++) await send(sandbox, { json })
    expect(await stream.next()).toEqual({ value: undefined, done: true })
  })

  // R2: 300 readers of a full log made a server format each request 300 times, in one turn of the event loop.
  it('are formatted once, and one by one, so that no other client waits for 60 readers', async () => {
    const sandbox = frozenSandbox()
    await sendMany(sandbox, 20)
    const { requests } = sandbox
    const order: string[] = []
    const log = {
      position: requests.position,
      onRequest: requests.onRequest,
      onEvent: requests.onEvent,
      subscribeUnderWay: requests.subscribeUnderWay,
      next(after: LogPosition): NextRequest {
        const { show, ...step } = requests.next(after)
        if (show === undefined) return { ...step, show }
        const shown = (): RequestView => {
          order.push('formatted')
          return show()
        }
        return { ...step, show: shown }
      },
    }
    const streams = new EventStreams()
    const { epoch } = requests.position
    const readers = Array.from({ length: 60 }, (_, index) =>
      streams.open(log, `${epoch}-${index % 20}`, undefined),
    )
    let isOver = false
    const otherClient = (): void => {
      order.push('other')
      if (!isOver) setImmediate(otherClient)
    }
    otherClient()
    const all = await Promise.all(
      readers.map(async (stream) => [await stream.next(), await stream.next()]),
    )
    isOver = true
    expect(all.every(([, event]) => String(event?.value).includes('event: request'))).toBe(true)
    expect(order.filter((one) => one === 'formatted')).toHaveLength(20)
    expect(order.join(' ')).not.toContain('formatted formatted')
  })

  it('are read whole, in pieces', async () => {
    const sandbox = await sandboxWithLongEvents(1)
    const text = await readWhole(open(sandbox, 'x').stream)
    const [, data = ''] = /^event: request\ndata: (.*)$/m.exec(text) ?? []
    expect(JSON.parse(data)).toEqual(sandbox.requests.get(1))
  })
})

/** Reads a stream to the end of its first request. */
async function readWhole(stream: AsyncIterableIterator<string>): Promise<string> {
  let text = ''
  for await (const piece of stream) {
    text += piece
    if (/^id: /m.test(text) && text.endsWith('\n\n')) return text
  }
  return text
}

describe('the heartbeat of a stream of events', () => {
  // The host's own timers are taken when the module is loaded.
  async function fakedModule() {
    vi.resetModules()
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => {
      vi.useRealTimers()
      // Else the next file would get modules that keep the fake ones.
      vi.resetModules()
    })
    return await import('../../../../../src/sandbox/controls/http/events.ts')
  }

  it('comes every 15 seconds to who waits, and in between nothing', async () => {
    const { EventStreams: Faked } = await fakedModule()
    const stream = new Faked().open(frozenSandbox().requests, undefined, undefined)
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

  it('leaves no timer when an event comes, or when the client leaves', async () => {
    const { EventStreams: Faked } = await fakedModule()
    const sandbox = frozenSandbox()
    const client = new AbortController()
    const stream = new Faked().open(sandbox.requests, undefined, client.signal)
    await stream.next()
    const reading = stream.next()
    expect(vi.getTimerCount()).toBe(1)
    await send(sandbox)
    await reading
    expect(vi.getTimerCount()).toBe(0)
    const waiting = stream.next()
    client.abort()
    await waiting
    expect(vi.getTimerCount()).toBe(0)
  })
})
