import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const baseUrl = 'https://api.example.com/v1'
const sandbox = createSandbox()
const server = setupServer(...createHandlers(sandbox, { baseUrl }))

beforeAll(() => server.listen())
beforeEach(() => sandbox.reset())
afterAll(() => server.close())

test('gets 401 once its key is revoked', async () => {
  sandbox.keys.revoke('free-key')
  const headers = { authorization: 'Bearer free-key' }
  expect((await fetch(`${baseUrl}/pets`, { headers })).status).toBe(401)
})
