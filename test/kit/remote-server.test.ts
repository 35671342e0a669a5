import { describe, expect, it, onTestFinished } from 'vitest'
import { frozenSandbox, startAt } from './frozen-sandbox.ts'
import { type HostEvent, startRemoteServer } from './remote-server.ts'
import { send } from './send.ts'

/** Starts a server in another process, by the Node of the tests. */
async function startElsewhere(options: object = {}) {
  const heard: { event: HostEvent; value: unknown }[] = []
  const sandbox = frozenSandbox({ gaps: { banAfter: 3 } })
  sandbox.pets.clear()
  const server = await startRemoteServer(
    process.execPath,
    {
      port: 0,
      sandbox: {
        options: { clock: { now: startAt, mode: 'frozen' }, gaps: { banAfter: 3 } },
        snapshot: sandbox.snapshot(),
      },
      ...options,
    },
    (event, value) => heard.push({ event, value }),
  )
  onTestFinished(async () => {
    await server.close()
    server.forget()
  })
  return { server, heard }
}

describe('startRemoteServer()', () => {
  it('gives members and the results of calls, int64 included, when they are awaited', async () => {
    const { sandbox } = (await startElsewhere()).server
    expect(await sandbox.pets.size).toBe(0)
    expect(await sandbox.gaps).toMatchObject({ banAfter: 3 })
    const pet = { id: 2n ** 63n - 1n, name: 'Rex', categoryId: 1 }
    expect(await sandbox.pets.create(pet)).toEqual(pet)
    expect(await sandbox.clock.now()).toBe(startAt)
  })

  it('begins as the sandbox that it is given, and is reset as it', async () => {
    const { sandbox } = (await startElsewhere()).server
    await sandbox.clock.advance('1h')
    await sandbox.reset()
    expect([await sandbox.pets.size, await sandbox.clock.now()]).toEqual([30, startAt])
    expect(await sandbox.gaps).toMatchObject({ banAfter: 3 })
  })

  it('answers what is sent to a sandbox directly', async () => {
    const { sandbox, pool } = (await startElsewhere()).server
    expect((await send(sandbox)).status).toBe(200)
    await pool.create({ name: 'mine' })
    expect((await send(pool.get('mine'), { key: null })).status).toBe(401)
    expect(await pool.get('mine').journal.entries()).toHaveLength(1)
  })

  it('throws what is thrown there', async () => {
    const { sandbox } = (await startElsewhere()).server
    await expect(sandbox.clock.advance('soon')).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringContaining('found "soon"'),
    })
    await expect(startElsewhere({ port: -1 })).rejects.toMatchObject({ name: 'InputError' })
  })

  it('knows what was asked and never awaited', async () => {
    const { server } = await startElsewhere()
    server.sandbox.pets.clear()
    await server.sandbox.faults.list()
    expect([...server.notDone]).toEqual([{ neverAwaited: 'sandbox.pets.clear()' }])
  })

  it('tells of each exchange', async () => {
    const { server, heard } = await startElsewhere()
    await fetch(`${server.url}/v1/pets`)
    await server.close()
    expect(heard).toMatchObject([
      {
        event: 'exchange',
        value: { request: { url: '/v1/pets' }, outcome: { status: 401 }, hasFaults: false },
      },
    ])
  })
})
