import { describe, expect, it } from 'vitest'
import type { FaultSettings } from '../../../src/mock/faults/fault-rules.ts'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { connectRaw, type RawClient } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'
import { stopTimers } from '../../kit/stop-timers.ts'
import { testServer } from '../../kit/test-server.ts'
import { until } from './until.ts'

const latency = { fault: 'latency', ms: '1h', times: 1 } as const
const timeout = { fault: 'timeout', times: 1 } as const
const slowBody = { fault: 'slow-body', ms: '1h', times: 1 } as const
const disconnect = { fault: 'disconnect', times: 1 } as const

/** Serves a sandbox whose clock stands still, so that nothing ends by itself, and a named one of the kind. */
async function stillServer(): Promise<RunningServer> {
  const pool = { defaults: { clock: { mode: 'frozen' } } } as const
  const server = await testServer({ sandbox: frozenSandbox(), pool })
  await server.pool.create({ name: 'mine' })
  return server
}

/** Sends a request that a fault holds back, and waits until it does. */
async function heldBack(
  server: RunningServer,
  fault: FaultSettings,
  name?: string,
): Promise<RawClient> {
  const sandbox = () => (name === undefined ? server.sandbox : server.pool.getOrCreate(name))
  await sandbox().faults.add(fault)
  const client = await connectRaw(server.port)
  const prefix = name === undefined ? '' : `/sandboxes/${name}`
  await client.send(rawHead({ target: `${prefix}/v1/pets?limit=3` }))
  await until(async () => (await sandbox().faults.list())[0]?.applied === 1)
  return client
}

/** What ends all waits of a sandbox, or of all. */
const ends: readonly {
  readonly by: string
  readonly name?: string
  readonly end: (server: RunningServer) => Promise<unknown>
}[] = [
  { by: 'a reset', end: async ({ sandbox }) => await sandbox.reset() },
  { by: 'a restore', end: async ({ sandbox }) => await sandbox.restore(await sandbox.snapshot()) },
  {
    by: 'the end of a named sandbox',
    name: 'mine',
    end: async ({ pool }) => await pool.delete('mine'),
  },
]

describe.each(ends)('a wait that ends by $by', ({ name, end }) => {
  it.each([
    { what: 'a late reply', fault: latency },
    { what: 'a slow body', fault: slowBody },
  ])('lets $what come at once, and whole', async ({ fault }) => {
    const server = await stillServer()
    const client = await heldBack(server, fault, name)
    await end(server)
    const { status, body } = await client.reply()
    expect([status, JSON.parse(body).length]).toEqual([200, 3])
    await client.send(rawHead())
    expect(await client.reply()).toMatchObject({ status: 200 })
  })

  it('closes the connection of a request that would never be handled', async () => {
    const server = await stillServer()
    const client = await heldBack(server, timeout, name)
    await end(server)
    await client.closed()
    expect(await client.reply()).toMatchObject({ status: 100 })
    await expect(client.reply()).rejects.toThrow('the connection is closed after')
  })
})

describe('a wait whose client leaves', () => {
  it('ends at once: the request log reports the request, and that nobody heard the response', async () => {
    const server = await stillServer()
    const client = await heldBack(server, latency)
    expect(await server.sandbox.requests.last()).toBeUndefined()
    client.leave()
    await until(async () => (await server.sandbox.requests.last()) !== undefined)
    expect(await server.sandbox.requests.list()).toMatchObject([
      { durationMs: 0, why: expect.stringMatching(/the client left before the response$/) },
    ])
  })

  it('ends for all that it has asked for on the connection', async () => {
    const server = await stillServer()
    await server.sandbox.faults.add({ ...latency, times: 12 })
    const client = await connectRaw(server.port)
    await client.send(rawHead().repeat(12))
    await until(async () => (await server.sandbox.faults.list())[0]?.applied === 12)
    client.leave()
    await until(async () => (await server.sandbox.requests.list()).length === 12)
  })
})

describe('requests behind one that waits', () => {
  it.each([
    { what: 'is never answered', fault: timeout },
    { what: 'is broken off', fault: disconnect },
  ])('get their turn: the first its reply, and one that $what its end', async ({ fault }) => {
    const server = await stillServer()
    await server.sandbox.faults.add([
      { ...latency, operation: 'listPets' },
      { ...fault, operation: 'getPet' },
    ])
    const client = await connectRaw(server.port)
    await client.send(rawHead() + rawHead({ target: '/v1/pets/1' }))
    await until(async () => (await server.sandbox.requests.last()) !== undefined)
    await server.sandbox.reset()
    expect(await client.reply()).toMatchObject({ status: 200 })
    await client.closed()
  })
})

describe('close()', () => {
  it('handles all requests of a connection, those after a late one too', async () => {
    stopTimers()
    const server = await stillServer()
    await server.sandbox.faults.add(latency)
    const client = await connectRaw(server.port)
    await client.send(rawHead().repeat(5))
    await until(async () => (await server.sandbox.requests.list()).length === 4)
    await server.close()
    for (let reply = 0; reply < 5; reply++) {
      expect(await client.reply()).toMatchObject({ status: 200 })
    }
    await client.closed()
  })

  it('handles a CONNECT that a fault holds back', async () => {
    stopTimers()
    const server = await stillServer()
    await server.sandbox.faults.add({ ...latency, method: 'CONNECT' })
    const client = await connectRaw(server.port)
    await client.send(rawHead({ method: 'CONNECT', target: '/v1/pets' }))
    await until(async () => (await server.sandbox.faults.list())[0]?.applied === 1)
    await server.close()
    expect(await client.reply()).toMatchObject({ status: 405 })
    await client.closed()
  })
})
