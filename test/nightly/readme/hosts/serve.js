import { createSandbox } from 'petstore-sandbox'
import { createFetchHandler } from 'petstore-sandbox/fetch'

const sandbox = createSandbox()
sandbox.faults.add({ fault: 'disconnect', operation: 'createPet', times: 1 })
const handle = createFetchHandler(sandbox)
const [, , host] = process.argv

/** Serves as the documents say, and gives the port. */
async function serve() {
  if (host === 'bun') return Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: handle }).port
  if (host === 'deno') {
    return Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, handle).addr.port
  }
  const { Hono } = await import('hono')
  const app = new Hono()
  app.all('/v1/*', (context) => handle(context.req.raw, context.env))
  const at = { port: 0, hostname: '127.0.0.1' }
  if (host === 'hono-on-bun') return Bun.serve({ ...at, fetch: app.fetch }).port
  const node = await import('@hono/node-server')
  return await new Promise((resolve) => {
    node.serve({ ...at, fetch: app.fetch }, ({ port }) => resolve(port))
  })
}

process.stdout.write(`${await serve()}\n`)
