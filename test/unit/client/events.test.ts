import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { connectSandbox } from '../../../src/client/connect-sandbox.ts'
import type { EventsOptions, SandboxEvents } from '../../../src/client/events.ts'
import { SandboxPool } from '../../../src/sandbox/sandbox-pool.ts'
import { controlServer } from '../../kit/control-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { lastingPort } from '../../kit/lasting-port.ts'
import { listen } from '../../kit/listen.ts'
import { send, sendMany } from '../../kit/send.ts'
import { uncollected } from '../../kit/uncollected.ts'

/** How long a check is repeated on a busy machine. */
const patient = { timeout: 20_000 }

/** Reads so many entries, and gives their ids. */
async function readIds(events: SandboxEvents, count: number): Promise<number[]> {
  const ids: number[] = []
  while (ids.length < count) {
    const { value, done } = await events.next()
    if (done) break
    ids.push(value.id)
  }
  return ids
}

/** A server, and the events of its sandbox, which are listened to. */
async function followedServer(options: EventsOptions = {}, maxRequests = 1_000) {
  const sandbox = frozenSandbox({ maxRequests, rateLimits: 'report-only' })
  const server = await controlServer({ sandbox, port: await lastingPort() })
  const events = connectSandbox(server.url).events(options)
  onTestFinished(() => void events.return())
  await events.ready
  return { ...server, events }
}

/** Takes the client's timers under the test's hand, which it keeps from fake ones once it is loaded. */
async function fakedClient(): Promise<typeof connectSandbox> {
  vi.resetModules()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] })
  onTestFinished(() => {
    vi.useRealTimers()
    // Else the next file would get modules that keep the fake ones.
    vi.resetModules()
  })
  const module = await import('../../../src/client/connect-sandbox.ts')
  return module.connectSandbox
}

describe('events()', () => {
  it('gives each request as the request log shows it, from when it is ready on', async () => {
    const { sandbox, events } = await followedServer()
    await send(sandbox, { json: '{"name":"Zoë\\n\\n🐢","categoryId":9007199254740993}' })
    await send(sandbox)
    const entries = [(await events.next()).value, (await events.next()).value]
    expect(entries).toEqual(sandbox.requests.list())
  })

  it('misses nothing when it is read late, after the collector has come', async () => {
    const { sandbox, events } = await followedServer()
    await uncollected([])
    await send(sandbox)
    expect(await readIds(events, 1)).toEqual([1])
  })

  it('is an async iterable, which a break ends', async () => {
    const { sandbox, events, hits } = await followedServer()
    await sendMany(sandbox, 3)
    const ids: number[] = []
    for await (const { id } of events) {
      ids.push(id)
      if (id === 2) break
    }
    expect(ids).toEqual([1, 2])
    expect(await events.next()).toEqual({ value: undefined, done: true })
    expect(hits.filter((hit) => hit.endsWith('/events'))).toHaveLength(1)
  })

  it('rejects options that can not be used', async () => {
    const { events } = connectSandbox('http://127.0.0.1')
    expect(() => events({ patience: 'long' })).toThrow('Cannot set events.patience: found "long"')
    expect(() => events(Object({ patient: 1 }))).toThrow('did you mean patience?')
  })
})

describe('events() after a lost connection', () => {
  it('go on where they began, before any request', async () => {
    const { sandbox, events, dropAll } = await followedServer()
    const reading = readIds(events, 2)
    dropAll()
    await sendMany(sandbox, 2)
    expect(await reading).toEqual([1, 2])
  })

  it('go on when the address is served again', async () => {
    const { sandbox, events, close, port } = await followedServer()
    await send(sandbox)
    const reading = readIds(events, 3)
    await close()
    await sendMany(sandbox, 2)
    await controlServer({ sandbox, port })
    expect(await reading).toEqual([1, 2, 3])
  })

  it('go on over a reset of which nothing is missing', async () => {
    const { sandbox, events, close, port } = await followedServer()
    await send(sandbox)
    expect(await readIds(events, 1)).toEqual([1])
    await close()
    sandbox.reset()
    await send(sandbox)
    await controlServer({ sandbox, port })
    expect(await readIds(events, 1)).toEqual([2])
  })

  it.each([
    { what: 'a reset has deleted some', size: 1_000, count: 1, isReset: true },
    { what: 'the request log was too small', size: 2, count: 5, isReset: false },
  ])('end and say so where $what', async ({ size, count, isReset }) => {
    const { sandbox, events, close, port } = await followedServer({}, size)
    await close()
    await sendMany(sandbox, count)
    if (isReset) sandbox.reset()
    await controlServer({ sandbox, port })
    await expect(events.next()).rejects.toMatchObject({
      name: 'RemoteError',
      reason: 'events-lost',
      message: expect.stringMatching(/^Cannot send every request since event .*-0: the log/),
    })
    expect(await events.next()).toEqual({ value: undefined, done: true })
  })

  it('say that the process was restarted, and go on for who wants that', async () => {
    const onLost = vi.fn()
    const { sandbox, events, close, port } = await followedServer({ onLost })
    await sendMany(sandbox, 2)
    expect(await readIds(events, 2)).toEqual([1, 2])
    await close()
    const restarted = frozenSandbox()
    await sendMany(restarted, 3)
    await controlServer({ sandbox: restarted, port })
    expect(await readIds(events, 3)).toEqual([1, 2, 3])
    expect(onLost).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining('Cannot send every request since event'),
    )
    await send(restarted)
    expect(await readIds(events, 1)).toEqual([4])
  })

  it('go on after the end that a slow reader gets, with nothing missing', async () => {
    const { sandbox, events, hits } = await followedServer()
    const json = JSON.stringify({ name: 'x'.repeat(60_000), categoryId: 1 })
    const count = 200
    for (let sent = 0; sent < count; sent++) await send(sandbox, { json })
    const ids = await readIds(events, count)
    expect(ids).toEqual(Array.from({ length: count }, (_, index) => index + 1))
    expect(hits.filter((hit) => hit.endsWith('/events')).length).toBeGreaterThan(1)
  })

  it('throw what the sandbox says, when it was deleted meanwhile', async () => {
    const pool = new SandboxPool()
    pool.create({ name: 'gone' })
    const { url, dropAll } = await controlServer({ pool })
    const events = connectSandbox(url, { sandbox: 'gone' }).events()
    await events.ready
    pool.delete('gone')
    dropAll()
    await expect(events.next()).rejects.toMatchObject({
      name: 'NotFoundError',
      message: expect.stringContaining('Cannot find sandbox "gone"'),
    })
  })

  it('do not take another response for a stream', async () => {
    const { url } = await listen((_request, response) => response.end('{"status":"ok"}'))
    await expect(connectSandbox(url).events().next()).rejects.toMatchObject({
      reason: 'not-a-sandbox',
    })
  })

  it('listen to their signal no more than once, however often they come back', async () => {
    const warnings = vi.fn()
    process.on('warning', warnings)
    onTestFinished(() => void process.off('warning', warnings))
    const { sandbox, events, dropAll } = await followedServer()
    for (let lost = 1; lost <= 12; lost++) {
      dropAll()
      await send(sandbox)
      expect(await readIds(events, 1)).toEqual([lost])
    }
    expect(warnings).not.toHaveBeenCalled()
  })

  it('are not waited for without patience', async () => {
    const { events, dropAll, url } = await followedServer({ patience: 0 })
    dropAll()
    await expect(events.next()).rejects.toMatchObject({
      reason: 'unreachable',
      message: `Cannot follow ${url}/_sandbox any longer: the connection was lost`,
    })
  })

  it('are waited for as long as there is patience, in longer and longer pauses', async () => {
    const connect = await fakedClient()
    const { url, close } = await controlServer()
    const events = connect(url).events({ patience: '5s' })
    await events.ready
    let isOver = false
    const reading = events.next().catch((error: unknown) => {
      isOver = true
      return error
    })
    await close()
    const begun = Date.now()
    while (!isOver) {
      await vi.advanceTimersByTimeAsync(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(await reading).toMatchObject({ name: 'RemoteError', reason: 'unreachable' })
    expect(Date.now() - begun).toBeGreaterThanOrEqual(5_000)
  })

  it('are found to be lost when not even a heartbeat comes', async () => {
    const connect = await fakedClient()
    const asked: (string | undefined)[] = []
    const { url } = await listen((request, response) => {
      if (request.url === '/_sandbox/health') {
        response.end('{"status":"ok"}')
        return
      }
      asked.push(request.headers['last-event-id']?.toString())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(asked.length === 1 ? 'id: a-7\n\n' : ': alive\n\n')
    })
    const events = connect(url).events()
    await events.ready
    const reading = events.next()
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(1), patient)
    await vi.advanceTimersByTimeAsync(34_000)
    expect(asked).toEqual([undefined])
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000)
      expect(asked).toEqual([undefined, 'a-7'])
    }, patient)
    await events.return()
    expect(await reading).toEqual({ value: undefined, done: true })
  })
})

describe('the end of events()', () => {
  it('comes at once, too, while they are about to be connected again', async () => {
    let asked = 0
    let tell: () => void = () => {}
    const isAskedAgain = new Promise<void>((resolve) => {
      tell = resolve
    })
    const { url } = await listen((request, response) => {
      if (request.url === '/_sandbox/health') {
        response.end('{"status":"ok"}')
        return
      }
      asked++
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      if (asked === 1) response.end(': alive\n\n')
      else if (asked === 2) tell()
      else response.write(': alive\n\n')
    })
    const events = connectSandbox(url).events()
    const reading = events.next()
    await isAskedAgain
    await events.return()
    expect(await reading).toEqual({ value: undefined, done: true })
    expect(asked).toBe(2)
  })

  it('comes at once with its signal, while somebody reads', async () => {
    const leave = new AbortController()
    const { events } = await followedServer({ signal: leave.signal })
    const reading = events.next()
    leave.abort()
    expect(await reading).toEqual({ value: undefined, done: true })
    expect(await events.next()).toEqual({ value: undefined, done: true })
  })

  it('comes at once with a signal that has aborted', async () => {
    const { url } = await controlServer()
    const events = connectSandbox(url).events({ signal: AbortSignal.abort() })
    expect(await events.next()).toEqual({ value: undefined, done: true })
  })

  it('comes while it tries to come back', async () => {
    const leave = new AbortController()
    const { events, close } = await followedServer({ signal: leave.signal })
    const reading = events.next()
    await close()
    leave.abort()
    expect(await reading).toEqual({ value: undefined, done: true })
  })

  it.each([
    { when: 'before it is read', count: 0 },
    { when: 'between two requests', count: 1 },
  ])('closes the connection $when', async ({ count }) => {
    const closed = new AbortController()
    const { url } = await listen((request, response) => {
      if (request.url === '/_sandbox/health') {
        response.end('{"status":"ok"}')
        return
      }
      response.on('close', () => closed.abort())
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\nevent: request\ndata: {"id":1,"outcome":{}}\n\n')
    })
    const events = connectSandbox(url).events()
    await events.ready
    expect(await readIds(events, count)).toHaveLength(count)
    const isClosed = once(closed.signal, 'abort')
    await events.return()
    await isClosed
  })

  it('keeps no process alive', async () => {
    const { url, sandbox } = await controlServer()
    await send(sandbox)
    const module = new URL('../../../src/client/connect-sandbox.ts', import.meta.url).href
    const script = `
      const { connectSandbox } = await import('${module}')
      const events = connectSandbox('${url}').events()
      await events.ready
      process.stdout.write('ready')
      for await (const { id } of events) break`
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script])
    onTestFinished(() => void child.kill())
    const exit = once(child, 'exit')
    await once(child.stdout, 'data')
    await send(sandbox)
    // Its own time limit is less than that of a silent connection.
    expect(await exit).toEqual([0, null])
  })
})
