import { expect, test as jestTest } from '@jest/globals'
import { withSandbox } from 'petstore-sandbox/jest'
import { matchers } from 'petstore-sandbox/matchers'

expect.extend(matchers)

// A test fails if its client breaks a rule of the interface.
const test = withSandbox(jestTest, { failOn: 'error' })

test('is refused when the minute is used up, and served in the next one', async ({
  sandbox,
  apiUrl,
}) => {
  const list = () => fetch(`${apiUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  sandbox.clock.freeze()
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await list()).status).toBe(429)
  sandbox.clock.advance('1m')
  expect((await list()).status).toBe(200)
  expect(sandbox).toHaveSeenWait('listPets')
})
