import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, type ServerOptions, startServer } from 'petstore-sandbox/server'

const options: ServerOptions = {
  port: 0,
  sandbox: createSandbox({ rateLimits: 'report-only' }),
  limits: { connections: 10 },
}
const server: RunningServer = await startServer(options)
server.sandbox.clock.set('2030-12-05')
server.pool.create({ name: 'other' })
const response = await fetch(`${server.url}/v1/pets/1`, {
  headers: { Authorization: 'Bearer free-key' },
})
await response.text()
await server.close()
if (response.status !== 404) {
  throw new Error(`Cannot move the server's clock: found ${response.status}`)
}

// @ts-expect-error: a port is a number.
void (() => startServer({ port: '7387' }))
