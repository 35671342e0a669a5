import { setImmediate as atNextTurn } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { itInProcess } from '../kit/it-in-process.ts'
import { connectRaw, sendRaw } from '../kit/raw-client.ts'
import { postHead, rawHead, rawPost } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'
import { until } from './until.ts'

/** Counts the turns of the event loop, until the test ends. */
function countTurns(): () => number {
  let turns = 0
  let next: NodeJS.Immediate
  const count = (): void => {
    turns++
    next = atNextTurn(count)
  }
  count()
  onTestFinished(() => clearImmediate(next))
  return () => turns
}

describe('a server that gets long bodies', () => {
  itInProcess('answers each in a turn of its own, however many come at once', async () => {
    const turn = countTurns()
    const answeredAt: number[] = []
    const { port } = await testServer({
      sandbox: frozenSandbox({ rateLimit: 'reported' }),
      onExchange: () => answeredAt.push(turn()),
    })
    const body = 'x'.repeat(300_000)
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const clients = await Promise.all(Array.from({ length: 8 }, () => connectRaw(port)))
    for (const client of clients) {
      await client.send(rawHead({ method: 'POST', lines }), body.slice(1))
    }
    for (let waited = 0; waited < 20; waited++) await nextTurn()
    for (const client of clients) void client.send('x')
    for (const client of clients) expect((await client.reply()).status).toBe(400)
    expect(new Set(answeredAt).size).toBe(clients.length)
  })

  it('reads some at once, whose clients may leave, and answers all others', async () => {
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }) })
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 }).padEnd(400_000)
    const open = async () => {
      const client = await connectRaw(server.port)
      void client.send(rawPost(body).subarray(0, -1))
      return client
    }
    const leaving = await Promise.all(Array.from({ length: 40 }, open))
    const staying = await Promise.all(Array.from({ length: 40 }, open))
    // A short one waits for none of them.
    expect(await sendRaw(server.port, rawPost('{"name":"Rex","categoryId":1}'))).toMatchObject({
      status: 201,
    })
    for (const client of leaving) client.leave()
    for (const client of staying) void client.send(body.slice(-1))
    for (const client of staying) expect((await client.reply()).status).toBe(201)
    expect(await server.sandbox.pets.size).toBe(30 + 1 + staying.length)
    // Nothing of those that left is waited for.
    for (let count = 0; count < 40; count++) {
      expect((await sendRaw(server.port, rawPost(body))).status).toBe(201)
    }
  })

  it.each([
    { what: 'declares', lines: ['Content-Length: 1200000'], end: '' },
    { what: 'has', lines: ['Transfer-Encoding: chunked'], end: '\r\n0\r\n\r\n' },
  ])('leaves room for others when one $what more than it may', async ({ lines, end }) => {
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }) })
    const large = `${end === '' ? '' : '124f80\r\n'}${' '.repeat(1_200_000)}${end}`
    const clients = await Promise.all(Array.from({ length: 40 }, () => connectRaw(server.port)))
    for (const client of clients) void client.send(postHead(...lines), large, rawHead())
    for (const client of clients) {
      expect([(await client.reply()).status, (await client.reply()).status]).toEqual([413, 200])
    }
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 }).padEnd(400_000)
    expect((await sendRaw(server.port, rawPost(body))).status).toBe(201)
  })

  it('reads no more while a fault lets as many wait, which it keeps', async () => {
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }) })
    await server.sandbox.faults.add({ fault: 'latency', ms: 1_000, operation: 'createPet' })
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 }).padEnd(200_000)
    const clients = await Promise.all(Array.from({ length: 40 }, () => connectRaw(server.port)))
    for (const client of clients) void client.send(rawPost(body))
    const added = async () => (await server.sandbox.pets.size) - 30
    await until(async () => (await added()) >= 32)
    for (let waited = 0; waited < 20; waited++) await nextTurn()
    expect(await added()).toBe(32)
    await server.sandbox.clock.advance('1s')
    await until(async () => (await added()) === 40)
    await server.sandbox.clock.advance('1s')
    for (const client of clients) expect((await client.reply()).status).toBe(201)
  })

  it('counts the wait for room as time in which a request is to arrive', async () => {
    const limits = { headersMs: 500, requestMs: 2_000 }
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    const server = await testServer({ sandbox, limits })
    await server.sandbox.faults.add({ fault: 'latency', ms: 1_000, operation: 'createPet' })
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    const clients = await Promise.all(Array.from({ length: 32 }, () => connectRaw(server.port)))
    for (const client of clients) void client.send(rawPost(body.padEnd(70_000)))
    await until(async () => (await server.sandbox.pets.size) === 30 + clients.length)
    const { status, body: refusal } = await sendRaw(server.port, rawPost(body.padEnd(1_000_000)))
    expect([status, JSON.parse(refusal).message]).toEqual([
      400,
      expect.stringContaining('it did not arrive in time'),
    ])
    await server.sandbox.clock.advance('1s')
    for (const client of clients) expect((await client.reply()).status).toBe(201)
  })

  it('reads those of controls, too', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    const body = JSON.stringify([{ name: 'Rex', categoryId: 1 }]).padEnd(400_000)
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`]
    const parts = { method: 'POST', target: '/_sandbox/pets', host: 'localhost', key: null, lines }
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectRaw(server.port)))
    for (const client of clients) void client.send(rawHead(parts), body.slice(1))
    for (const client of clients) void client.send(' ')
    for (const client of clients) expect((await client.reply()).status).toBe(400)
    for (const client of clients) void client.send(rawHead(parts), body)
    for (const client of clients) expect((await client.reply()).status).toBe(201)
  })

  it('reads others when clients leave that wait for room, all of whose bodies have come', async () => {
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }) })
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 }).padEnd(100_000)
    const slow = await Promise.all(Array.from({ length: 32 }, () => connectRaw(server.port)))
    for (const client of slow) await client.send(rawPost(body).subarray(0, -1))
    // By its answer, the server has read what came before.
    await expectServing(server)
    const leaving = await Promise.all(Array.from({ length: 40 }, () => connectRaw(server.port)))
    for (const client of leaving) await client.send(rawPost(body))
    for (const client of leaving) client.end()
    for (const client of leaving) await client.closed()
    expect(leaving.map(({ received }) => received).join('')).toBe('')
    for (const client of slow) void client.send(body.slice(-1))
    for (const client of slow) expect((await client.reply()).status).toBe(201)
    expect((await sendRaw(server.port, rawPost(body))).status).toBe(201)
  })

  it('answers a request behind a body that it discards', async () => {
    const server = await testServer({ controlToken: 'secret' })
    await sendDiscarded(server, 8_000_000)
    await expectServing(server)
  })

  itInProcess('reads what it discards in many turns', async () => {
    const server = await testServer({ controlToken: 'secret' })
    const turn = countTurns()
    const length = 8_000_000
    const before = turn()
    await sendDiscarded(server, length)
    // At most 128 KiB in each.
    expect(turn() - before).toBeGreaterThan(length / 131_072)
  })
})

/** Sends a stranger's snapshot, which is refused before it comes, and a request behind it. */
async function sendDiscarded({ port }: { readonly port: number }, length: number): Promise<void> {
  const client = await connectRaw(port)
  const lines = ['Content-Type: application/json', `Content-Length: ${length}`]
  const stranger = { host: 'localhost', key: null, lines }
  await client.send(rawHead({ method: 'PUT', target: '/_sandbox/snapshot', ...stranger }))
  expect((await client.reply()).status).toBe(403)
  await client.send(Buffer.alloc(length, ' '), rawHead())
  expect((await client.reply()).status).toBe(200)
}
