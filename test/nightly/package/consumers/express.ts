import type { AddressInfo } from 'node:net'
import express from 'express'
import { createSandbox } from 'petstore-sandbox'
import { createMiddleware, type Middleware } from 'petstore-sandbox/express'
import { startServer } from 'petstore-sandbox/server'

const middleware: Middleware = createMiddleware(createSandbox())
const app = express()
app.use('/api', middleware)
const server = app.listen(0, '127.0.0.1')
await new Promise((resolve) => server.once('listening', resolve))
const { port } = server.address() as AddressInfo
const response = await fetch(`http://127.0.0.1:${port}/api/pets?limit=1`, {
  headers: { Authorization: 'Bearer free-key' },
})
await response.text()
server.close()
server.closeAllConnections()
if (response.status !== 200) throw new Error(`Cannot list the pets: found ${response.status}`)

const router = express.Router().post('/mine', (req, res) => {
  res.json(req.body)
})
const process = await startServer({ port: 0, middleware: [express.json(), router] })
for (const path of ['/mine', '/v1/pets']) {
  const reply = await fetch(`${process.url}${path}`, {
    method: 'POST',
    body: '{"name":"Rex","categoryId":1}',
    headers: { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' },
  })
  const { name } = (await reply.json()) as { readonly name: unknown }
  if (name !== 'Rex') throw new Error(`Cannot send a pet to ${path}: found ${name}`)
}
await process.close()

// @ts-expect-error: an app is no sandbox.
void (() => createMiddleware(app))
