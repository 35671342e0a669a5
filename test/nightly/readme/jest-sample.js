import { expect, test as jestTest } from '@jest/globals'
import { withSandbox } from 'petstore-sandbox/jest'

const test = withSandbox(jestTest, { failOn: 'error' })

test('gets 401 once its key is revoked', async ({ sandbox, apiUrl }) => {
  sandbox.keys.revoke('free-key')
  const headers = { authorization: 'Bearer free-key' }
  expect((await fetch(`${apiUrl}/pets`, { headers })).status).toBe(401)
})
