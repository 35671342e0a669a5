import { createSandbox } from 'petstore-sandbox'
import { createFetchHandler } from 'petstore-sandbox/fetch'
import { expect, test } from 'vitest'

const handle = createFetchHandler(createSandbox())

test('responds to requests of the Fetch API', async () => {
  const headers = { authorization: 'Bearer free-key' }
  const response = await handle(new Request('https://api.example.com/v1/pets', { headers }))
  expect(response.status).toBe(200)
})
