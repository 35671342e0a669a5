import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import {
  type RunningServer,
  type ServedRequest,
  startServer,
} from '../../../src/server/start-server.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { lastingPort } from '../../kit/lasting-port.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { stopTimers } from '../../kit/stop-timers.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'
import { uncollected } from '../../kit/uncollected.ts'
import { until } from './until.ts'

const key = 'Host: sandbox\r\nAuthorization: Bearer free-key\r\n'
const getPets = `GET /v1/pets?limit=1 HTTP/1.1\r\n${key}\r\n`
const pet = '{"name":"Bella","categoryId":1}'

/** Node's own objects of all requests that come until the end of the test. */
function requestsFromNow(): readonly WeakRef<object>[] {
  const requests: WeakRef<object>[] = []
  const add = (message: unknown): void => {
    requests.push(new WeakRef((message as { readonly request: object }).request))
  }
  subscribe('http.server.request.start', add)
  onTestFinished(() => {
    unsubscribe('http.server.request.start', add)
  })
  return requests
}

/** Whether a server takes no connections any more. */
function isRejected({ port }: RunningServer): Promise<boolean> {
  return connectRaw(port).then(
    () => false,
    ({ code }: NodeJS.ErrnoException) => code === 'ECONNREFUSED',
  )
}

describe('startServer()', () => {
  it('keeps nothing of the connections of requests that its request log shows', async () => {
    const { port, sandbox, close } = await startServer({ port: 0 })
    onTestFinished(close)
    const requests = requestsFromNow()
    for (let sent = 0; sent < 30; sent++) {
      const client = await connectRaw(port)
      await client.send('GET /v1/pets HTTP/1.1\r\nHost: sandbox\r\n\r\n')
      await client.reply()
      client.leave()
    }
    expect(requests).toHaveLength(30)
    await until(async () => (await uncollected(requests)) < 10)
    expect(sandbox.requests.list({ status: 401 })).toHaveLength(30)
  })

  it('serves on a free port of the loopback address and gives the real URL', async () => {
    const server = await testServer()
    expect(server.port).toBeGreaterThan(0)
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`)
    await expectServing(server)
  })

  it('serves the sandbox that it is given', async () => {
    const sandbox = createSandbox({ gaps: { storeOrders: 'empty-list' } })
    const server = await testServer({ sandbox })
    expect(server.sandbox).toBe(sandbox)
    const reply = await fetch(`${server.url}/v1/store/orders`, {
      headers: { Authorization: 'Bearer free-key' },
    })
    expect(await reply.json()).toEqual([])
  })

  it('serves on an IPv6 address with brackets in its URL, or says that the machine has none', async () => {
    const outcome = await startServer({ port: 0, host: '::1' }).catch((error: unknown) => error)
    if (outcome instanceof Error) {
      expect(outcome).toMatchObject({
        code: expect.stringMatching(/^EADDRNOTAVAIL|EAFNOSUPPORT$/),
      })
      return
    }
    const server = outcome as Awaited<ReturnType<typeof startServer>>
    onTestFinished(() => server.close())
    expect(server.url).toBe(`http://[::1]:${server.port}`)
    await expectServing(server)
  })

  it('rejects when the port is in use, and the first server goes on', async () => {
    const server = await testServer()
    await expect(startServer({ port: server.port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await expectServing(server)
  })

  it.each([
    { options: { prot: 80 }, message: /^Cannot set prot: / },
    {
      options: { limits: { headers: 1 } },
      message: /^Cannot set limits.headers: /,
    },
    { options: { sandbox: {} }, message: /^Cannot set sandbox: .*use a sandbox made by create/ },
    { options: { pool: {} }, message: /^Cannot set pool: found an object; use a SandboxPool/ },
    { options: { allowedHosts: [''] }, message: /^Cannot set allowedHosts\[0\]: found ""; / },
    { options: { middleware: ['cors'] }, message: /^Cannot set middleware\[0\]: found "cors"; / },
    { options: { staticFolder: 5 }, message: /^Cannot set staticFolder: found 5; / },
    { options: { staticFolder: '/none' }, message: /^Cannot set staticFolder: .*not a folder/ },
  ])('rejects the options $options', async ({ options, message }) => {
    const served = startServer({ port: 0, ...options } as never)
    await expect(served).rejects.toThrow(message)
    await expect(served).rejects.toMatchObject({ name: 'InputError' })
  })

  it('reports each request: its message, its outcome, when it came and how long it took', async () => {
    const requests: ServedRequest[] = []
    const { url } = await testServer({
      sandbox: frozenSandbox(),
      onRequest: (request) => requests.push(request),
    })
    await fetch(`${url}/v1/pets`, { headers: { Authorization: 'Bearer free-key' } })
    await fetch(`${url}/v1/pets`, {
      method: 'POST',
      body: pet,
      headers: { Authorization: 'Bearer none', 'Content-Type': 'application/json' },
    })
    await until(() => requests.length === 2)
    expect(requests).toMatchObject([
      { request: { method: 'GET', url: '/v1/pets', body: '' }, outcome: { status: 200 } },
      { request: { method: 'POST', url: '/v1/pets', body: pet }, outcome: { status: 401 } },
    ])
    for (const { at, durationMs, request } of requests) {
      expect(at).toBe(startAt)
      expect(durationMs).toBeGreaterThanOrEqual(0)
      expect(request.headers.authorization).toMatch(/^Bearer /)
    }
  })

  it('reports a request that could not be read, too', async () => {
    const requests: ServedRequest[] = []
    const { port } = await testServer({ onRequest: (request) => requests.push(request) })
    const client = await connectRaw(port)
    await client.send('NONSENSE\r\n\r\n')
    await client.reply()
    await until(() => requests.length === 1)
    expect(requests).toMatchObject([
      { request: { unreadable: expect.any(String) }, outcome: { status: 400 } },
    ])
  })

  it('answers a bug of its own with 500 and an Error body, and tells of it', async () => {
    const bugs: unknown[] = []
    const bug = new Error('Cannot go on: this is a test')
    const sandbox = createSandbox()
    const { url } = await testServer({
      sandbox: Object.assign(sandbox, { handle: () => Promise.reject(bug) }),
      onError: (error) => bugs.push(error),
    })
    const reply = await fetch(`${url}/v1/pets`)
    expect(reply.status).toBe(500)
    expect(reply.headers.get('date')).not.toBeNull()
    const body = await reply.text()
    expect(JSON.parse(body)).toMatchObject({ code: 'internal_error', status: 500 })
    expect(body).not.toContain('this is a test')
    expect(bugs).toEqual([bug])
  })

  it.each([
    { what: 'a request', bytes: getPets, status: 200 },
    { what: 'what could not be read', bytes: 'NONSENSE\r\n\r\n', status: 400 },
    { what: 'a CONNECT', bytes: `CONNECT /v1/pets HTTP/1.1\r\n${key}\r\n`, status: 405 },
  ])('answers $what although a listener throws, and tells of that', async ({ bytes, status }) => {
    const bugs: unknown[] = []
    const server = await startServer({
      port: 0,
      onRequest() {
        throw new Error('Cannot listen: this is a test')
      },
      onError: (error) => bugs.push(error),
    })
    onTestFinished(() => server.close())
    const client = await connectRaw(server.port)
    await client.send(bytes)
    expect(await client.reply()).toMatchObject({ status })
    expect(bugs).toEqual([new Error('Cannot listen: this is a test')])
    await expectServing(server)
  })

  it('writes bugs to standard error, and those of a listener of bugs too', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    onTestFinished(() => write.mockRestore())
    const fail = (message: string) => () => {
      throw new Error(message)
    }
    for (const onError of [undefined, fail('a second bug')]) {
      const server = await startServer({ port: 0, onRequest: fail('a first bug'), onError })
      await expectServing(server)
      await server.close()
    }
    const written = write.mock.calls.map(([text]) => String(text).split('\n')[0])
    expect(written).toEqual(
      ['a first bug', 'a first bug', 'a second bug'].map((text) => `Error: ${text}`),
    )
  })
})

describe('a server of `await using`', () => {
  it('is closed at the end of its block', async () => {
    let port = 0
    {
      await using server = await startServer({ port: 0 })
      await expectServing(server)
      port = server.port
    }
    await expect(connectRaw(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })
})

describe('close()', () => {
  it('frees the port', async () => {
    const first = await testServer({ port: await lastingPort() })
    await first.close()
    const second = await testServer({ port: first.port })
    await expectServing(second)
  })

  it('lets a running request end, and takes no new connection', async () => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(
      `POST /v1/pets HTTP/1.1\r\n${key}Content-Type: application/json\r\nContent-Length: ${pet.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    expect(await client.reply()).toMatchObject({ status: 100 })
    const closed = server.close()
    await until(() => isRejected(server))
    await client.send(pet)
    expect(await client.reply()).toMatchObject({ status: 201 })
    await closed
    await client.closed()
  })

  it.each([
    { connection: 'that was used', first: getPets },
    { connection: 'that was never used', first: '' },
    { connection: 'with half the headers', first: 'GET /v1/pets HTTP/1.1\r\nHost: ' },
  ])('ends a connection $connection at once', async ({ first }) => {
    stopTimers()
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(first)
    if (first === getPets) await client.reply()
    // The server takes connections in turn, so by then it has the first one.
    await expectServing(server)
    await server.close()
    await client.closed()
  })
})
