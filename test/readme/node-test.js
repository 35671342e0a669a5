import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startServer } from 'petstore-sandbox/server'

test('is refused when the minute is used up, and served in the next one', async (t) => {
  const { url, sandbox, close } = await startServer({ port: 0 })
  t.after(close)
  const list = () => fetch(`${url}/v1/pets`, { headers: { authorization: 'Bearer free-key' } })

  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  assert.equal((await list()).status, 429)

  sandbox.clock.advance('1m')
  assert.equal((await list()).status, 200)
})
