import { connectSandbox } from 'petstore-sandbox/client'
import { startServer } from 'petstore-sandbox/server'
import { expect, test } from 'vitest'

test('controls a sandbox elsewhere', async () => {
  await using server = await startServer({ port: 0 })
  const sandbox = connectSandbox(server.url)
  await sandbox.clock.freeze()
  await sandbox.keys.setRemaining('free-key', { minute: 0 })

  const headers = { authorization: 'Bearer free-key' }
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(429)
  expect((await sandbox.requests.last())?.why).toContain('60 of 60')

  await sandbox.reset()
})
