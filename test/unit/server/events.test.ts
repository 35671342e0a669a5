import { describe, expect, it, onTestFinished } from 'vitest'
import type { RequestView } from '../../../src/mock/log/request-view.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { send } from '../../kit/send.ts'
import { testServer } from '../../kit/test-server.ts'
import { until } from './until.ts'

/** Counts from now on who listens to the request log of a server's sandbox; gives the count. */
function countListeners({ sandbox }: RunningServer): Readonly<Record<'begun' | 'ended', number>> {
  const { requests } = sandbox
  const { onRequest } = requests
  const count = { begun: 0, ended: 0 }
  Object.assign(requests, {
    onRequest(listener: Parameters<typeof onRequest>[0]) {
      count.begun++
      const end = onRequest(listener)
      return () => {
        count.ended++
        end()
      }
    },
  })
  return count
}

/** Opens a stream of events and reads it as a browser does. */
async function openEvents(url: string) {
  const gone = new AbortController()
  onTestFinished(() => gone.abort())
  const reply = await fetch(`${url}/_sandbox/events`, {
    headers: { Accept: 'text/event-stream' },
    signal: gone.signal,
  })
  const reader = reply.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const events: { id: string; event: string; data: RequestView }[] = []
  /** Reads until there are as many events as are asked for. */
  const read = async (count: number) => {
    while (events.length < count) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) throw new Error(`Cannot read event ${count}: the stream has ended`)
      text += value
      for (;;) {
        const [block, ...rest] = text.split('\n\n')
        if (rest.length === 0) break
        text = rest.join('\n\n')
        const fields = Object.fromEntries(
          (block ?? '').split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)),
        )
        if (fields.event === 'request' || fields.event === 'lost') {
          events.push({ id: fields.id, event: fields.event, data: JSON.parse(fields.data) })
        }
      }
    }
    return events
  }
  return { reply, read, leave: () => gone.abort(), reader }
}

async function remove({ url }: RunningServer): Promise<void> {
  const { status } = await fetch(`${url}/_sandbox/sandboxes/gone`, { method: 'DELETE' })
  expect(status).toBe(204)
}

describe('GET /_sandbox/events', () => {
  it('tells every client, and forgets one that leaves, over resets too', async () => {
    const { url, sandbox } = await testServer({ sandbox: frozenSandbox() })
    const [staying, leaving] = [await openEvents(url), await openEvents(url)]
    await send(sandbox)
    await Promise.all([staying.read(1), leaving.read(1)])
    await sandbox.reset()
    leaving.leave()
    await expect(leaving.read(2)).rejects.toMatchObject({ name: 'AbortError' })
    for (let sent = 0; sent < 5; sent++) {
      await send(sandbox)
      await sandbox.reset()
    }
    expect(await staying.read(6)).toHaveLength(6)
  })

  it('listens no longer to a sandbox than its client does', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const listeners = countListeners(server)
    const { leave } = await openEvents(server.url)
    expect(listeners).toEqual({ begun: 1, ended: 0 })
    leave()
    await until(async () => listeners.ended > 0)
    expect(listeners).toEqual({ begun: 1, ended: 1 })
  })

  it.each([
    { how: 'through the API', deleteIt: remove },
    { how: 'in the process', deleteIt: async ({ pool }) => pool.delete('gone') },
  ] satisfies { how: string; deleteIt: (server: RunningServer) => Promise<unknown> }[])(
    'ends the streams of a named sandbox that is deleted $how, and no others',
    async ({ deleteIt }) => {
      const server = await testServer({ sandbox: frozenSandbox() })
      const { url, sandbox, pool } = server
      await pool.create({ name: 'gone' })
      await pool.create({ name: 'stays' })
      const [gone, stays, own] = await Promise.all([
        openEvents(`${url}/sandboxes/gone`),
        openEvents(`${url}/sandboxes/stays`),
        openEvents(url),
      ])
      await deleteIt(server)
      await expect(gone.read(1)).rejects.toThrow('the stream has ended')
      await send(pool.getOrCreate('stays'))
      await send(sandbox)
      expect(await Promise.all([stays.read(1), own.read(1)])).toHaveLength(2)
    },
  )

  it('streams the requests of a named sandbox, and of no other', async () => {
    const { url, sandbox, pool } = await testServer({ sandbox: frozenSandbox() })
    await pool.create({ name: 'mine' })
    const named = pool.getOrCreate('mine')
    const { read } = await openEvents(`${url}/sandboxes/mine`)
    await send(sandbox)
    await send(named, { key: 'pro-key' })
    expect(await read(1)).toMatchObject([
      { id: expect.stringMatching(/-1$/), data: { key: 'pro…' } },
    ])
  })

  it('listens for no client that has left before its turn', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const listeners = countListeners(server)
    await server.sandbox.faults.add({ fault: 'latency', ms: '1h', times: 1 })
    const client = await connectRaw(server.port)
    await client.send(`${rawHead()}GET /_sandbox/events HTTP/1.1\r\nHost: localhost\r\n\r\n`)
    await until(async () => (await server.sandbox.faults.list())[0]?.applied === 1)
    client.leave()
    await until(async () => (await server.sandbox.requests.last()) !== undefined)
    const { begun, ended } = listeners
    expect(begun - ended).toBe(0)
  })

  it('waits for the end of no named sandbox when its client has left', async () => {
    const pool = new SandboxPool()
    pool.create({ name: 'mine' })
    const waiting = new Set<unknown>()
    const onDelete = pool.onDelete.bind(pool)
    const counted: typeof onDelete = (listener) => {
      const end = onDelete(listener)
      waiting.add(listener)
      return () => {
        waiting.delete(listener)
        end()
      }
    }
    const { port } = await testServer({ pool: Object.assign(pool, { onDelete: counted }) })
    const client = await connectRaw(port)
    const events = ' HTTP/1.1\r\nHost: localhost\r\n\r\n'
    // The second waits for the end of the first, which has none.
    await client.send(`GET /_sandbox/events${events}GET /sandboxes/mine/_sandbox/events${events}`)
    await until(() => waiting.size === 2)
    client.leave()
    await until(() => waiting.size === 0)
  })

  it('ends when the server stops, which it does not hold up', async () => {
    const server = await testServer()
    const { reader, reply } = await openEvents(server.url)
    await reader?.read()
    await server.close()
    expect(await reader?.read()).toMatchObject({ done: true })
    expect(reply.ok).toBe(true)
  })
})
