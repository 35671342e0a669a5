import { type Connect, createServer } from 'vite'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../../src/adapters/express.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { listen } from '../../kit/listen.ts'
import { sendRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }

/** Makes a Connect app, which Vite's dev server is, with the middleware mounted at a path. */
async function connectApp(
  mount: string,
  sandbox: Parameters<typeof createMiddleware>[0] = createSandbox(),
  ...next: readonly Connect.ErrorHandleFunction[]
) {
  const vite = await createServer({
    configFile: false,
    logLevel: 'silent',
    appType: 'custom',
    server: { middlewareMode: true, watch: null, ws: false, hmr: false, allowedHosts: true },
    plugins: [
      {
        name: 'petstore',
        configureServer({ middlewares }) {
          middlewares.use(mount, createMiddleware(sandbox))
          for (const handler of next) middlewares.use(handler)
        },
      },
    ],
  })
  onTestFinished(() => vite.close())
  return vite.middlewares
}

describe('createMiddleware() in Connect', () => {
  it.each([
    { mount: '/v1', target: '/v1/pets', status: 200 },
    { mount: '/v1', target: '/v1', status: 404 },
    { mount: '/v1', target: '/v1/', status: 404 },
    { mount: '/v1', target: '/v1?limit=1', status: 404 },
    { mount: '/v1', target: '/v1//pets', status: 404 },
    { mount: '/v1', target: '/V1/pets?limit=2', status: 200 },
    { mount: '/v1', target: '/v1/pets/', status: 404 },
    { mount: '/v1', target: 'http://other.example/v1/pets', status: 200 },
    { mount: '/api/v1', target: '/api/v1/pets', status: 200 },
    { mount: '/', target: '/pets', status: 200 },
  ])('answers $target, mounted at $mount, with $status', async ({ mount, target, status }) => {
    const { port } = await listen(await connectApp(mount))
    const reply = await sendRaw(port, rawHead({ target }))
    expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
    if (status >= 400) expect(JSON.parse(reply.body)).toMatchObject({ status })
  })

  it('knows the same target as in Express', async () => {
    const sandbox = createSandbox()
    const { port } = await listen(await connectApp('/v1', sandbox))
    for (const target of ['/v1', '/v1/', '/v1?a', '/v1/?a', '/v1/pets?b=/v1/pets']) {
      await sendRaw(port, rawHead({ target }))
      expect(sandbox.requests.last()?.request.url).toBe(target)
    }
  })

  it('reads a body', async () => {
    const { url } = await listen(await connectApp('/v1'))
    const body = '{"name":"Bella","categoryId":9007199254740993}'
    const reply = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body })
    expect(reply.status).toBe(201)
    expect(await reply.text()).toContain('9007199254740993')
  })

  it('leaves other paths to what comes next', async () => {
    const app = await connectApp('/v1')
    app.use((_req, res) => res.end('mine'))
    const { url } = await listen(app)
    expect(await (await fetch(`${url}/v1beta/pets`)).text()).toBe('mine')
    expect(await (await fetch(`${url}/v1/pets`, { headers })).json()).toHaveLength(20)
  })

  it('passes a bug of the sandbox on', async () => {
    const bug = new Error('Cannot go on: this is a test')
    const errors: unknown[] = []
    const sandbox = { handle: () => Promise.reject(bug) }
    const app = await connectApp('/v1', sandbox, (error, _req, res, _next) => {
      errors.push(error)
      res.writeHead(500).end()
    })
    const { url } = await listen(app)
    expect((await fetch(`${url}/v1/pets`, { headers })).status).toBe(500)
    expect(errors).toEqual([bug])
  })

  it('serves a bare server of Node, whose requests have nothing but a url', async () => {
    const answer = createMiddleware(createSandbox())
    const { url } = await listen((req, res) => answer(req, res, () => res.end()))
    expect(await (await fetch(`${url}/pets`, { headers })).json()).toHaveLength(20)
  })
})
