import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test('gets 429 until the next minute', async ({ sandbox, apiUrl }) => {
  const listPets = () => fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await listPets()).status).toBe(429)
  sandbox.clock.advance('1m')
  expect((await listPets()).status).toBe(200)
})
