import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSandbox } from 'petstore-sandbox'
import { createMiddleware } from 'petstore-sandbox/express'

// What Express adds to a request is all that the middleware needs of it.
const middleware = createMiddleware(createSandbox())
const server = createServer((request, response) => {
  const whole = Object.assign(request, { originalUrl: request.url ?? '', baseUrl: '/v1' })
  middleware(whole, response, (error) => response.destroy(error as Error))
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as AddressInfo
const response = await fetch(`http://127.0.0.1:${port}/v1/pets/1`, {
  headers: { Authorization: 'Bearer free-key' },
})
await response.text()
server.close()
server.closeAllConnections()
if (response.status !== 200) throw new Error(`Cannot get the pet: found ${response.status}`)
