import { matchers } from 'petstore-sandbox/matchers'
import { test } from 'petstore-sandbox/vitest'
import { expect } from 'vitest'

expect.extend(matchers)

// A test fails if its client breaks a rule of the interface.
test.override('audit', 'error')

test('comes back when Retry-After has passed', async ({ sandbox, baseUrl }) => {
  const list = () => fetch(`${baseUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  await list()
  sandbox.clock.advance('1m')
  await list()
  expect(sandbox).toHaveWaited('listPets')
  expect(sandbox).toHaveRetried('listPets', { times: 1 })
  expect(sandbox).toHaveBehaved({ atLeast: 'warning' })
})
