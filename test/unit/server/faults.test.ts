import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultSettings } from '../../../src/mock/faults/fault-rules.ts'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox, startAt } from '../../kit/frozen-sandbox.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { stopTimers } from '../../kit/stop-timers.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'
import { until } from './until.ts'

const bearer = { Authorization: 'Bearer free-key' }
/** What a client gets before a break, so that it doesn't send the request again by itself. */
const interim = 'HTTP/1.1 100 Continue'
const newPet = '{"name":"Rex","categoryId":1}'

/** Serves a sandbox with faults, on a clock that stands still. */
async function faultyServer(...faults: readonly FaultSettings[]): Promise<RunningServer> {
  const server = await testServer({ sandbox: frozenSandbox() })
  await server.sandbox.faults.add(faults)
  return server
}

/** What Node's own client makes of a request. */
function seenByClient({ url }: RunningServer, path = '/v1/pets') {
  return new Promise<{ reply?: IncomingMessage; text: string; code?: string }>((resolve) => {
    let text = ''
    const request = get(`${url}${path}`, { agent: false, headers: bearer }, (reply) => {
      reply.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      reply.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve({ reply, text, code }))
      reply.on('end', () => resolve({ reply, text }))
    })
    request.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve({ text, code }))
  })
}

/** What comes over a bare socket: all bytes, and how the connection ended. */
async function openSocket(
  { port }: RunningServer,
  head = rawHead({ target: '/v1/pets', key: 'free-key' }),
) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => {
    socket.destroy()
  })
  let received = Buffer.alloc(0)
  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
  })
  const ended = new Promise<string>((resolve) => {
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code))
    socket.once('end', () => resolve('end'))
  })
  socket.write(head)
  return {
    ended,
    leave: () => socket.destroy(),
    /** The bytes of the body that have come, and how many the head has said. */
    body() {
      const text = received.toString('latin1')
      const [found = '', ...rest] = text.split('\r\n\r\n')
      const length = /^content-length: (\d+)$/im.exec(found)?.[1]
      return { head: found, bytes: rest.join('\r\n\r\n').length, length: Number(length) }
    },
  }
}

/** The end that a socket of this Node reports when the server resets its connection: before Node 22 an ordinary one. */
const reset = process.version.startsWith('v20.') ? 'end' : 'ECONNRESET'

describe('a server with the fault disconnect', () => {
  it('resets the connection before a response', async () => {
    const server = await faultyServer({ fault: 'disconnect', times: 2 })
    expect(await seenByClient(server)).toEqual({ text: '', code: 'ECONNRESET' })
    const socket = await openSocket(server)
    expect(await socket.ended).toBe(reset)
    expect(socket.body()).toMatchObject({ head: interim, bytes: 0 })
    await expectServing(server)
  })

  it('resets it in the middle of the body', async () => {
    const server = await faultyServer({ fault: 'disconnect', when: 'body', times: 2 })
    const { code, reply, text } = await seenByClient(server)
    expect(code).toBe('ECONNRESET')
    expect(reply?.complete ?? false).toBe(false)
    expect(() => JSON.parse(text)).toThrow(SyntaxError)
    const socket = await openSocket(server)
    expect(await socket.ended).toBe(reset)
    await expectServing(server)
  })

  it('has done what was asked, so that a retry does it again', async () => {
    const server = await faultyServer({ fault: 'disconnect', method: 'POST', times: 1 })
    const post = () =>
      fetch(`${server.url}/v1/pets`, {
        method: 'POST',
        body: newPet,
        headers: { ...bearer, 'Content-Type': 'application/json' },
      })
    await expect(post()).rejects.toThrow(TypeError)
    expect((await post()).status).toBe(201)
    const pets = await server.sandbox.pets.list()
    expect(pets.filter(({ name }) => name === 'Rex')).toHaveLength(2)
  })
})

describe('a server with the fault truncated-body', () => {
  it('closes the connection, as it should not, before the length that it said', async () => {
    const server = await faultyServer({ fault: 'truncated-body', times: 2 })
    const { code, reply, text } = await seenByClient(server)
    expect([code, reply?.statusCode, reply?.complete]).toEqual(['ECONNRESET', 200, false])
    expect(text.startsWith('[{"id":1,')).toBe(true)
    const socket = await openSocket(server)
    expect(await socket.ended).toBe('end')
    const { head, bytes, length } = socket.body()
    const whole = await (await fetch(`${server.url}/v1/pets`, { headers: bearer })).arrayBuffer()
    expect(head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(length).toBe(whole.byteLength)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThan(length)
  })
})

describe('a server with the fault timeout', () => {
  it('handles nothing until the client gives up, and then stops at once', async () => {
    stopTimers()
    const server = await faultyServer({ fault: 'timeout', key: 'free-key' })
    const { sandbox } = server
    const socket = await openSocket(server)
    await until(async () => (await sandbox.requests.last()) !== undefined)
    await sandbox.clock.advance('1d')
    await expectServing(server)
    expect(socket.body()).toMatchObject({ head: '', bytes: 0 })
    expect(await sandbox.requests.list({ status: 'timeout' })).toHaveLength(1)
    socket.leave()
    await expectServing(server)
    await server.close()
  })

  it('keeps no server from stopping at once', async () => {
    stopTimers()
    const server = await faultyServer({ fault: 'timeout' })
    const socket = await openSocket(server)
    await until(async () => (await server.sandbox.requests.last()) !== undefined)
    await server.close()
    await socket.ended
    expect(socket.body()).toMatchObject({ head: interim, bytes: 0 })
  })
})

describe('a server with the fault slow-body', () => {
  it('sends the body in pieces, as the clock of the sandbox says', async () => {
    const server = await faultyServer({ fault: 'slow-body', ms: '10s', times: 1 })
    const socket = await openSocket(server)
    await until(() => socket.body().length > 0)
    await expectServing(server)
    expect(socket.body().bytes).toBe(0)
    const sizes = new Set<number>()
    while (socket.body().bytes < socket.body().length) {
      const { bytes } = socket.body()
      await server.sandbox.clock.advance('1s')
      await expectServing(server)
      await until(() => socket.body().bytes > bytes)
      sizes.add(socket.body().bytes)
    }
    expect(await server.sandbox.clock.now()).toBeGreaterThanOrEqual(startAt + 10_000)
    expect(sizes.size).toBeGreaterThanOrEqual(10)
    expect(socket.body().head).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
  })

  it('goes on with other clients when one leaves in the middle of it', async () => {
    const server = await faultyServer({ fault: 'slow-body', ms: '10s', times: 1 })
    const socket = await openSocket(server)
    await until(() => socket.body().length > 0)
    socket.leave()
    for (let second = 0; second < 12; second++) {
      await server.sandbox.clock.advance('1s')
      await expectServing(server)
    }
  })
})
