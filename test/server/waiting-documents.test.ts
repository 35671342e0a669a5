import { describe, expect, it } from 'vitest'
import type { RunningServer } from '../../src/server/start-server.ts'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { connectRaw, type RawClient } from '../kit/raw-client.ts'
import { rawHead } from '../kit/raw-request.ts'
import { testServer } from '../kit/test-server.ts'
import { beginPut, write } from './begin-put.ts'

/** A snapshot with so many pets more than a sandbox begins with. */
function snapshotWith(pets: number): string {
  const sandbox = frozenSandbox()
  sandbox.pets.create(Array.from({ length: pets }, () => ({ name: 'Rex', categoryId: 1 })))
  return JSON.stringify(sandbox.snapshot())
}

/** Asks for a control: by its answer, the server has begun with what was sent before. */
async function askControl({ url }: { readonly url: string }): Promise<void> {
  expect((await fetch(`${url}/_sandbox/clock`)).status).toBe(200)
}

/** Sends a whole snapshot that doesn't say how long it is. */
async function sendSnapshot(
  { port, url }: RunningServer,
  pets: number,
  prefix = '',
): Promise<RawClient> {
  const lines = ['Content-Type: application/json', 'Transfer-Encoding: chunked']
  const target = `${prefix}/_sandbox/snapshot`
  const json = snapshotWith(pets)
  const client = await connectRaw(port)
  await client.send(
    rawHead({ method: 'PUT', target, host: 'localhost', key: null, lines }),
    `${Buffer.byteLength(json).toString(16)}\r\n${json}\r\n0\r\n\r\n`,
  )
  await askControl({ url })
  return client
}

/** A server that is taking a long document, for which others wait. */
async function busyServer() {
  const server = await testServer({ sandbox: frozenSandbox() })
  await server.pool.create({ name: 'mine' })
  const first = beginPut(server.url, '/snapshot')
  first.sent.on('error', () => {})
  first.answered.catch(() => {})
  const json = snapshotWith(1)
  await write(first.sent, json.slice(0, -10))
  await askControl(server)
  return {
    server,
    async end(): Promise<void> {
      first.sent.end(json.slice(-10))
      expect((await first.answered).status).toBe(204)
    },
    leave(): void {
      first.sent.destroy()
    },
  }
}

describe('a document that waits for another', () => {
  it('is given up when its client leaves, whose whole document has come', async () => {
    const { server, end } = await busyServer()
    const leaving = await sendSnapshot(server, 2)
    leaving.end()
    await leaving.closed()
    expect(leaving.received).toBe('')
    const staying = await sendSnapshot(server, 3)
    await end()
    expect((await staying.reply()).status).toBe(204)
    expect(await server.sandbox.pets.size).toBe(30 + 3)
  })

  it('is refused at once when its sandbox is deleted', async () => {
    const { server, end } = await busyServer()
    const waiting = await sendSnapshot(server, 2, '/sandboxes/mine')
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
    const waiting = await sendSnapshot(server, 2)
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
  it('is refused when its sandbox is deleted, before its end', async () => {
    const { url, pool } = await testServer()
    await pool.create({ name: 'mine' })
    const { sent, answered } = beginPut(`${url}/sandboxes/mine`, '/snapshot')
    const json = snapshotWith(1)
    await write(sent, json.slice(0, 1_000))
    await askControl({ url })
    await pool.delete('mine')
    await write(sent, json.slice(1_000, 2_000))
    expect((await answered).status).toBe(404)
    sent.end()
  })

  it('may end while the server stops', async () => {
    const { server, end } = await busyServer()
    const closed = server.close()
    await end()
    await closed
  })
})
