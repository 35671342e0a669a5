import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw, connectRawTls, type RawClient, sendRaw } from '../../kit/raw-client.ts'
import { postHead, rawHead } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'
import { expectError } from './expect-error.ts'
import { until } from './until.ts'

const certificate = {
  cert: readFileSync('test/kit/tls/cert.pem', 'utf8'),
  key: readFileSync('test/kit/tls/key.pem', 'utf8'),
}

/** Counts from now on the requests of a server for which Node makes a response; gives what tells the count. */
function countRequests(server: RunningServer): () => number {
  let made = 0
  const count = (message: unknown): void => {
    const { server: started } = message as { readonly server: Server }
    const address = started.address()
    if (typeof address === 'object' && address?.port === server.port) made++
  }
  subscribe('http.server.request.start', count)
  onTestFinished(() => void unsubscribe('http.server.request.start', count))
  return () => made
}

/** Long enough for an honest request on a busy machine. */
const slow = { headersMs: 500, requestMs: 1_000 }

describe('a server that gets slow requests', () => {
  it.each([
    { what: 'sends nothing', bytes: '' },
    { what: 'sends half its headers', bytes: 'GET /v1/pets HTTP/1.1\r\nHost: sand' },
    { what: 'sends half its body', bytes: `${postHead('Content-Length: 10')}{"nam` },
  ])('rejects a client that $what in its time', async ({ bytes }) => {
    const server = await testServer({ bounds: slow })
    const client = await connectRaw(server.port)
    await client.send(bytes)
    const reply = await client.reply()
    expectError(reply, 400)
    expect(reply.body).toContain('did not arrive in time')
    await client.closed()
    await expectServing(server)
  })

  it('rejects a second request that is slow, on a connection that was used', async () => {
    const server = await testServer({ bounds: slow })
    const client = await connectRaw(server.port)
    await client.send(rawHead(), 'GET /v1/pe')
    expect(await client.reply()).toMatchObject({ status: 200 })
    expectError(await client.reply(), 400)
    await client.closed()
  })

  it('handles once a client whose body is too large and slow', async () => {
    const server = await testServer({ bounds: slow })
    const client = await connectRaw(server.port)
    await client.send(postHead('Content-Length: 2000000'), ' '.repeat(1_500_000))
    expectError(await client.reply(), 413)
    await expect(client.reply()).rejects.toThrow('the connection is closed after')
    await expectServing(server)
  })
})

describe('a server that gets many halves of large bodies', () => {
  it('rejects those beyond 32 MiB, reads small ones, and has room again once the others have left', async () => {
    const server = await testServer({ limits: { connections: 100 } })
    const half = ' '.repeat(900_000)
    const clients: RawClient[] = []
    const sendHalf = async () => {
      const client = await connectRaw(server.port)
      await client.send(postHead('Content-Length: 1000000'), half)
      clients.push(client)
      return client
    }
    for (let count = 0; count < 45; count++) await sendHalf()
    const reply = await (await sendHalf()).reply()
    expectError(reply, 400)
    expect(reply.body).toContain('the bodies that the server is receiving take 33554432 bytes')
    const post = (size: number) => {
      const text = '{"name":"Rex","categoryId":1}'.padEnd(size)
      return fetch(`${server.url}/v1/pets`, {
        method: 'POST',
        headers: { authorization: 'Bearer pro-key', 'content-type': 'application/json' },
        body: text,
      })
    }
    expect((await post(60_000)).status).toBe(201)
    expect((await post(900_000)).status).toBe(400)
    for (const client of clients) client.leave()
    await expect.poll(async () => (await post(900_000)).status).toBe(201)
  })
})

/** Waits until the only connection that there may be, which came before, has ended: until then others are closed. */
async function expectRoomLater({ port }: { readonly port: number }): Promise<void> {
  const status = () =>
    sendRaw(port, rawHead()).then(
      (reply) => reply.status,
      () => 'closed',
    )
  await expect.poll(status).toBe(200)
}

describe('a server whose client reads nothing', () => {
  it('ends the connection, and has room for another', async () => {
    const sandbox = frozenSandbox()
    const server = await testServer({ bounds: { stalledMs: 500, connections: 1 }, sandbox })
    // More than the system keeps for a connection.
    const name = 'x'.repeat(1_000)
    await server.sandbox.pets.clear()
    await server.sandbox.pets.create(Array.from({ length: 100 }, () => ({ name, categoryId: 1 })))
    const socket = connect(server.port, '127.0.0.1').pause()
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write(rawHead({ target: '/v1/pets?limit=100' }).repeat(100))
    await until(async () => (await server.sandbox.requests.last()) !== undefined)
    await server.sandbox.pets.clear()
    await expectRoomLater(server)
  })

  it('ends a stream of events', async () => {
    const bounds = { stalledMs: 500, connections: 1 }
    const sandbox = frozenSandbox({ rateLimits: 'report-only' })
    const server = await testServer({ bounds, sandbox })
    const socket = connect(server.port, '127.0.0.1').pause()
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write(rawHead({ target: '/_sandbox/events', host: 'localhost', key: null }))
    await once(socket, 'connect')
    const body = 'x'.repeat(60_000)
    const request = { method: 'POST', url: '/v1/pets', headers: {}, body }
    // More than the system keeps for a connection, each once the one before is on its way.
    for (let sent = 0; sent < 200; sent++) {
      await server.sandbox.handle(request)
      for (let turns = 0; turns < 20; turns++) {
        await setImmediate()
        // A turn of a server in another process.
        await server.sandbox.clock.now()
      }
    }
    await expectRoomLater(server)
  })

  it('ends it, too, where a middleware has written the reply', async () => {
    const server = await testServer({
      bounds: { stalledMs: 500, connections: 1 },
      // More than the system keeps for a connection.
      middleware: [
        (request, response, next) => {
          if (request.url === '/large') response.end('x'.repeat(30_000_000))
          else next()
        },
      ],
    })
    const socket = connect(server.port, '127.0.0.1').pause()
    onTestFinished(() => {
      socket.destroy()
    })
    socket.write(rawHead({ target: '/large' }))
    await expectRoomLater(server)
  })
})

describe('a server with as many connections as it may have', () => {
  it('closes more at once, and takes one again when one is closed', async () => {
    const server = await testServer({ limits: { connections: 2 } })
    const clients = await Promise.all([connectRaw(server.port), connectRaw(server.port)])
    const others = await Promise.all(Array.from({ length: 20 }, () => connectRaw(server.port)))
    for (const other of others) await other.closed()
    for (const client of clients) {
      await client.send(rawHead({ lines: ['Connection: close'] }))
      expect(await client.reply()).toMatchObject({ status: 200 })
      await client.closed()
    }
    await expectServing(server)
  })
})

describe('a server that gets requests one upon the other', () => {
  const get = (limit: number): string => rawHead({ target: `/v1/pets?limit=${limit}` })
  const sizeOf = async (client: RawClient): Promise<number> => {
    const { body } = await client.reply()
    return (JSON.parse(body) as readonly unknown[]).length
  }

  it.each([
    { what: 'nonsense', bytes: 'NONSENSE\r\n\r\n', status: 400 },
    { what: 'a header flood', bytes: rawHead({ lines: ['a'.repeat(20_000)] }), status: 400 },
    {
      what: 'a broken body',
      bytes: `${postHead('Transfer-Encoding: chunked')}zz\r\n`,
      status: 400,
    },
    { what: 'a CONNECT', bytes: rawHead({ method: 'CONNECT', target: '/v1/pets' }), status: 405 },
  ])('answers those before $what first', async ({ bytes, status }) => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(get(1) + get(2) + get(3) + bytes)
    expect([await sizeOf(client), await sizeOf(client), await sizeOf(client)]).toEqual([1, 2, 3])
    expectError(await client.reply(), status)
    await client.closed()
    await expectServing(server)
  })

  it('ends a connection with more unanswered than there may be, and others go on', async () => {
    const server = await testServer()
    await server.sandbox.faults.add({ fault: 'timeout', key: 'business-key', times: 1 })
    const client = await connectRaw(server.port)
    void client.send(rawHead().repeat(150))
    await client.closed()
    expect(client.received).toBe('')
    await expectServing(server)
    const other = await connectRaw(server.port)
    await other.send(rawHead({ key: 'enterprise-key' }).repeat(90))
    for (let count = 0; count < 90; count++) expect((await other.reply()).status).toBe(200)
  })

  it.each([
    { where: 'a plain connection', tls: undefined, connectTo: connectRaw },
    { where: 'one over TLS', tls: certificate, connectTo: connectRawTls },
  ])('makes nothing of what it has read beyond them on $where', async ({ tls, connectTo }) => {
    const server = await testServer({ ...(tls && { tls }) })
    await server.sandbox.faults.add({ fault: 'timeout', key: 'business-key', times: 1 })
    const made = countRequests(server)
    const client = await connectTo(server.port)
    // Without a bound, Node makes messages of all 64 KiB that it reads at once.
    await client.send(rawHead().repeat(1_500))
    await client.closed()
    expect(made()).toBe(101)
    await server.sandbox.reset()
    expect(made()).toBe(101)
  })

  it('serves nothing after what it could not read', async () => {
    const server = await testServer()
    const client = await connectRaw(server.port)
    await client.send(`NONSENSE\r\n\r\n${get(1)}`)
    expectError(await client.reply(), 400)
    await expect(client.reply()).rejects.toThrow('the connection is closed after')
    await expectServing(server)
  })
})
