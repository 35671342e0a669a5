import { describe, expect, it } from 'vitest'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'
import { until } from '../until.ts'

describe('a server that gets requests upon those that it has not answered', () => {
  it('begins to answer thirty-two of a connection, and ends it when it has stood still', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported' })
    let begun = 0
    const server = await testServer({
      sandbox,
      limits: { stalledMs: 300 },
      onExchange: () => {
        begun++
      },
    })
    await server.sandbox.faults.add({ fault: 'timeout', operation: 'listPets' })
    const client = await connectRaw(server.port)
    // More than is read at once.
    void client.send(rawHead().repeat(5_000))
    await until(() => begun === 32)
    await client.closed()
    expect(begun).toBe(32)
    await server.sandbox.faults.clear()
    await expectServing(server)
  })

  it('answers each of thousands in its order, however much of them is read at once', async () => {
    // However slow the machine is on which the client reads.
    const limits = { stalledMs: 60_000 }
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }), limits })
    const client = await connectRaw(server.port)
    const asked = Array.from({ length: 3_000 }, (_, index) => (index % 20) + 1)
    void client.send(asked.map((limit) => rawHead({ target: `/v1/pets?limit=${limit}` })).join(''))
    const found: number[] = []
    while (found.length < asked.length) {
      found.push((JSON.parse((await client.reply()).body) as readonly unknown[]).length)
    }
    expect(found).toEqual(asked)
  })

  it('answers large replies, asked for at once on many connections, in several turns', async () => {
    const sandbox = frozenSandbox({ rateLimit: 'reported', limits: { nameLength: 100_000 } })
    const server = await testServer({ sandbox })
    const name = 'x'.repeat(100_000)
    await server.sandbox.pets.clear()
    await server.sandbox.pets.create(Array.from({ length: 9 }, () => ({ name, categoryId: 1 })))
    const clients = await Promise.all(Array.from({ length: 10 }, () => connectRaw(server.port)))
    for (const client of clients) void client.send(rawHead({ target: '/v1/pets?limit=9' }))
    for (const client of clients) expect((await client.reply()).status).toBe(200)
  })

  it('waits for a body that comes behind many requests', async () => {
    const server = await testServer({ sandbox: frozenSandbox({ rateLimit: 'reported' }) })
    const client = await connectRaw(server.port)
    const body = JSON.stringify({ name: 'Rex', categoryId: 1 })
    const post = rawHead({
      method: 'POST',
      lines: ['Content-Type: application/json', `Content-Length: ${body.length}`],
    })
    void client.send(rawHead().repeat(200) + post, body)
    for (let read = 0; read < 200; read++) expect((await client.reply()).status).toBe(200)
    expect((await client.reply()).status).toBe(201)
  })
})
