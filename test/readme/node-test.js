import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from 'petstore-sandbox/server'

test('gets 429 until the next minute', async (t) => {
  const { url, sandbox, close } = await startServer({ port: 0 })
  t.after(close)
  const headers = { authorization: 'Bearer free-key' }
  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  assert.equal((await fetch(`${url}/v1/pets`, { headers })).status, 429)
  sandbox.clock.advance('1m')
  assert.equal((await fetch(`${url}/v1/pets`, { headers })).status, 200)
})
