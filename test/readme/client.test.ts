import { connectSandbox } from 'petstore-sandbox/client'
import { startServer } from 'petstore-sandbox/server'
import { expect, test } from 'vitest'

test('a suite of its own controls a sandbox elsewhere', async () => {
  await using server = await startServer({ port: 0 })
  const sandbox = connectSandbox(server.url)

  await sandbox.clock.freeze()
  await sandbox.keys.setRemaining('free-key', { minute: 0 })
  const headers = { authorization: 'Bearer free-key' }
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(429)

  await sandbox.clock.advance('1m')
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(200)

  const entries = await sandbox.requests.list()
  expect(entries.map(({ why }) => why)).toEqual([
    expect.stringContaining('60 of 60'),
    expect.stringContaining('200: listPets'),
  ])
  await sandbox.reset()
})
