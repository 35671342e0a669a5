import express from 'express'
import { createSandbox } from 'petstore-sandbox'
import { createMiddleware } from 'petstore-sandbox/express'
import { startServer } from 'petstore-sandbox/server'
import { expect, test } from 'vitest'

const headers = { authorization: 'Bearer free-key' }

test('your own routes in front of the sandbox', async () => {
  const router = express.Router()
  router.get('/login', (_request, response) => {
    response.json({ key: 'free-key' })
  })
  await using server = await startServer({ port: 0, middleware: [router] })
  expect(await (await fetch(`${server.url}/login`)).json()).toEqual({ key: 'free-key' })
  expect((await fetch(`${server.url}/v1/pets`, { headers })).status).toBe(200)
})

test('the API as a part of your Express app, before any body parser', async () => {
  const app = express()
  app.use('/v1', createMiddleware(createSandbox()))
  const server = app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  expect((await fetch(`http://127.0.0.1:${port}/v1/pets`, { headers })).status).toBe(200)
  server.close()
  server.closeAllConnections()
})
