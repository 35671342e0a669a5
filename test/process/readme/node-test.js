import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from 'petstore-sandbox/server'

test('gets 401 once its key is revoked', async (t) => {
  const { url, sandbox, close } = await startServer({ port: 0 })
  t.after(close)
  sandbox.keys.revoke('free-key')
  const headers = { authorization: 'Bearer free-key' }
  assert.equal((await fetch(`${url}/v1/pets`, { headers })).status, 401)
})
