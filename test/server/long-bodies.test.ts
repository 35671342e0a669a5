import { setImmediate as atNextTurn } from 'node:timers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { frozenSandbox } from '../kit/frozen-sandbox.ts'
import { itInProcess } from '../kit/it-in-process.ts'
import { connectRaw } from '../kit/raw-client.ts'
import { rawHead } from '../kit/raw-request.ts'
import { expectServing, testServer } from '../kit/test-server.ts'

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

  it('reads what it discards in many turns, and gives the answer', async () => {
    const server = await testServer({ controlToken: 'secret' })
    const client = await connectRaw(server.port)
    const turn = countTurns()
    const length = 8_000_000
    const lines = ['Content-Type: application/json', `Content-Length: ${length}`]
    const stranger = { host: 'localhost', key: null, lines }
    await client.send(rawHead({ method: 'PUT', target: '/_sandbox/snapshot', ...stranger }))
    expect((await client.reply()).status).toBe(403)
    const before = turn()
    await client.send(Buffer.alloc(length, ' '), rawHead())
    expect((await client.reply()).status).toBe(200)
    // At most 128 KiB in each.
    expect(turn() - before).toBeGreaterThan(length / 131_072)
    await expectServing(server)
  })
})
