import { createSandbox } from 'petstore-sandbox'
import { createFetchHandler, type FetchHandler } from 'petstore-sandbox/fetch'

const handler: FetchHandler = createFetchHandler(createSandbox(), { basePath: '/api' })
const response = await handler(
  new Request('https://shop.test/api/pets/1', { headers: { Authorization: 'Bearer free-key' } }),
)
if (response.status !== 200) throw new Error(`Cannot get the pet: found ${response.status}`)

// @ts-expect-error: a response is no request.
void (() => handler(response))
