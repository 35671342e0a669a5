import express from 'express'
import { createSandbox } from 'petstore-sandbox'
import { createMiddleware } from 'petstore-sandbox/express'
import { createFetchHandler } from 'petstore-sandbox/fetch'
import { startServer } from 'petstore-sandbox/server'
import { expect, test } from 'vitest'

const headers = { authorization: 'Bearer free-key' }

test('a process of its own', async () => {
  const { url, sandbox, close } = await startServer({ port: 0 })
  sandbox.clock.set('2030-12-05')
  expect((await fetch(`${url}/v1/pets/1`, { headers })).status).toBe(404)
  await close()
})

test('a part of your Express app, before any body parser', async () => {
  const app = express()
  app.use('/v1', createMiddleware(createSandbox()))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  expect((await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers })).status).toBe(200)
  server.close()
  server.closeAllConnections()
})

test('anything that speaks Fetch: Hono, Deno, Bun, a service worker', async () => {
  const handle = createFetchHandler(createSandbox())
  const response = await handle(new Request('https://api.example.com/v1/pets', { headers }))
  expect(response.status).toBe(200)
})
