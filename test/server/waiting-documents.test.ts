import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/server/start-server.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { connectRaw, type RawClient } from '../kit/raw-client.ts'
import { rawHead } from '../kit/raw-request.ts'
import { testServer } from '../kit/test-server.ts'

/** A snapshot with so many pets more than a sandbox begins with. */
function snapshotWith(pets: number): string {
  const sandbox = frozenSandbox()
  sandbox.pets.create(Array.from({ length: pets }, () => ({ name: 'Rex', categoryId: 1 })))
  return JSON.stringify(sandbox.snapshot())
}

/** Writes a part of a body that doesn't say how long it is. */
function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** Begins to put a snapshot, of which something has come; resolves once the server has begun with it. */
async function putSnapshot({ port }: RunningServer, sent: string, prefix = ''): Promise<RawClient> {
  const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
  const own = { host: 'localhost', key: null }
  const client = await connectRaw(port)
  // By the answer to what comes before it, on the same connection.
  await client.send(
    rawHead({ target: '/_sandbox/clock', ...own }) +
      rawHead({ method: 'PUT', target: `${prefix}/_sandbox/snapshot`, ...own, lines }) +
      sent,
  )
  expect((await client.reply()).status).toBe(200)
  return client
}

/** Puts a whole snapshot. */
function putWhole(server: RunningServer, pets: number, prefix = ''): Promise<RawClient> {
  return putSnapshot(server, `${chunk(snapshotWith(pets))}${lastChunk}`, prefix)
}

const lastChunk = '0\r\n\r\n'

/** A server that is taking a long document, for which others wait. */
async function busyServer() {
  const server = await testServer({ sandbox: frozenSandbox() })
  await server.pool.create({ name: 'mine' })
  const json = snapshotWith(1)
  const first = await putSnapshot(server, chunk(json.slice(0, -10)))
  return {
    server,
    async end(): Promise<void> {
      await first.send(chunk(json.slice(-10)), lastChunk)
      expect((await first.reply()).status).toBe(204)
    },
    leave(): void {
      first.leave()
    },
  }
}

describe('a document that waits for another', () => {
  it('is given up when its client leaves, whose whole document has come', async () => {
    const { server, end } = await busyServer()
    const leaving = await putWhole(server, 2)
    leaving.end()
    await leaving.closed()
    expect(leaving.received).toBe('')
    const staying = await putWhole(server, 3)
    await end()
    expect((await staying.reply()).status).toBe(204)
    expect(await server.sandbox.pets.size).toBe(30 + 3)
  })

  it('is refused at once when its sandbox is deleted', async () => {
    const { server, end } = await busyServer()
    const waiting = await putWhole(server, 2, '/sandboxes/mine')
    await server.pool.delete('mine')
    const { status, body } = await waiting.reply()
    expect([status, JSON.parse(body).message]).toEqual([
      404,
      'Cannot find sandbox "mine": it has just been deleted',
    ])
    await end()
  })

  it('is refused at once when the server stops', async () => {
    const { server, leave } = await busyServer()
    const waiting = await putWhole(server, 2)
    const closed = server.close()
    const { status, body } = await waiting.reply()
    expect([status, JSON.parse(body).message]).toEqual([
      503,
      'Cannot read the body: the server stops, and others came before it',
    ])
    leave()
    await closed
  })
})

describe('a document that comes in', () => {
  it('is refused at once when its sandbox is deleted, whether or not more of it comes', async () => {
    const server = await testServer()
    await server.pool.create({ name: 'mine' })
    const json = snapshotWith(1)
    const client = await putSnapshot(server, chunk(json.slice(0, 1_000)), '/sandboxes/mine')
    await server.pool.delete('mine')
    expect((await client.reply()).status).toBe(404)
  })

  it('may end while the server stops', async () => {
    const { server, end } = await busyServer()
    const closed = server.close()
    await end()
    await closed
  })
})
