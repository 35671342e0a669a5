import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

test.override('failOn', 'error') // fails a test whose client breaks a rule of the spec

test('succeeds again when the minute is over', async ({ sandbox, apiUrl }) => {
  const listPets = () => fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })

  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await listPets()).status).toBe(429)

  sandbox.clock.advance('1m') // takes no time
  expect((await listPets()).status).toBe(200)
})
