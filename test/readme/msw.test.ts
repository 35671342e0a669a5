import { setupServer } from 'msw/node'
import { createSandbox } from 'petstore-sandbox'
import { createHandlers } from 'petstore-sandbox/msw'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

const baseUrl = 'https://api.example.com/v1'
const sandbox = createSandbox({ clock: { mode: 'frozen' } })
const server = setupServer(...createHandlers(sandbox, { baseUrl }))

beforeAll(() => server.listen())
beforeEach(() => sandbox.reset())
afterAll(() => server.close())

test('gets 429 until the next minute', async () => {
  const list = () => fetch(`${baseUrl}/pets`, { headers: { authorization: 'Bearer free-key' } })
  sandbox.keys.setRemaining('free-key', { minute: 0 })
  expect((await list()).status).toBe(429)
  sandbox.clock.advance('1m')
  expect((await list()).status).toBe(200)
})
