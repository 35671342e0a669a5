import express, { type NextFunction, type Request, type Response } from 'express'
import { describe, expect, it } from 'vitest'
import type { ServerMiddleware } from '../../../src/server/start-server.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { listen } from '../../kit/listen.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { postHead, rawHead, rawPost } from '../../kit/raw-request.ts'
import { expectServing, testServer } from '../../kit/test-server.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }
const pet = '{"name":"Bella","categoryId":9007199254740993}'

/** Serves a sandbox behind middleware. */
function serverBehind(...middleware: readonly ServerMiddleware[]) {
  return testServer({ sandbox: frozenSandbox(), middleware })
}

function post(url: string, path: string, body: string): Promise<globalThis.Response> {
  return fetch(`${url}${path}`, { method: 'POST', headers, body })
}

describe('startServer() with middleware', () => {
  it('lets it see the text of a response that has more than ASCII', async () => {
    const seen: unknown[] = []
    const server = await serverBehind((_request, response, next) => {
      const end = response.end.bind(response)
      Object.assign(response, {
        end(body: string, encoding: BufferEncoding) {
          seen.push(body)
          return end(body, encoding)
        },
      })
      next()
    })
    const headers = { authorization: 'Bearer free-key' }
    const reply = await fetch(`${server.url}/v1/pets/8`, { headers })
    expect(await reply.json()).toMatchObject({ name: '小花' })
    expect(seen).toEqual([expect.stringContaining('小花')])
  })

  it('runs it before the sandbox, which responds as it does without', async () => {
    const seen: string[] = []
    const { url } = await serverBehind((req, res, next) => {
      seen.push(`${req.method} ${req.url}`)
      res.setHeader('X-Mine', 'yes')
      next()
    })
    const plain = await testServer({ sandbox: frozenSandbox() })
    const paths = ['/v1/pets?limit=2', '/v1/pets/1', '/v1/nothing', '/sandboxes/none/v1/pets', '/']
    for (const path of paths) {
      const [behind, bare] = await Promise.all(
        [url, plain.url].map((base) => fetch(`${base}${path}`, { headers })),
      )
      const { 'x-mine': mine, ...others } = Object.fromEntries(behind?.headers ?? [])
      expect([behind?.status, await behind?.text(), others]).toEqual([
        bare?.status,
        await bare?.text(),
        Object.fromEntries(bare?.headers ?? []),
      ])
      expect(mine).toBe('yes')
    }
    expect(seen).toEqual(paths.map((path) => `GET ${path}`))
  })

  it('serves routes and apps of the user, with all that Express gives a handler', async () => {
    const router = express
      .Router()
      .post('/login', express.json(), (req: Request, res: Response) => {
        res.status(201).json({ token: `${req.body.user}-key`, from: req.query.from })
      })
    const app = express().get('/inner', (_req, res) => {
      res.send('an app')
    })
    const { url } = await serverBehind(router, app)
    const reply = await post(url, '/login?from=test', '{"user":"free"}')
    expect([reply.status, await reply.json()]).toEqual([201, { token: 'free-key', from: 'test' }])
    expect(await (await fetch(`${url}/inner`)).text()).toBe('an app')
    await expectServing({ url })
  })

  it.each([
    { what: 'reads no body', middleware: [] },
    { what: 'reads bodies', middleware: [express.json()] },
    { what: 'reads any body as text', middleware: [express.text({ type: '*/*' })] },
    {
      what: 'hands on later',
      middleware: [(_req: unknown, _res: unknown, next: () => void) => setImmediate(next)],
    },
    {
      what: 'pauses a request',
      middleware: [
        (req: Request, _res: unknown, next: () => void) => {
          req.pause()
          next()
        },
      ],
    },
    {
      what: 'takes a body apart itself',
      middleware: [
        async (req: Request, _res: unknown, next: () => void) => {
          for await (const _ of req);
          next()
        },
      ],
    },
  ])('reads a whole body behind middleware that $what', async ({ middleware }) => {
    const { url, port } = await serverBehind(...middleware)
    const created = await post(url, '/v1/pets', pet)
    expect(created.status).toBe(201)
    expect(await created.text()).toContain('"categoryId":9007199254740993')
    const chunked = rawHead({
      method: 'POST',
      target: '/v1/pets',
      lines: ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
    })
    const client = await connectRaw(port)
    await client.send(chunked, '8\r\n{"name":\r\n', '1a\r\n"Rex 🐢","categoryId":1}\r\n')
    await client.send('0\r\n\r\n')
    expect(JSON.parse((await client.reply()).body)).toMatchObject({ name: 'Rex 🐢' })
  })

  it.each([
    { what: 'that is no JSON', body: '{"name":', status: 400 },
    { what: 'larger than the parser takes', body: pet.padEnd(200_000), status: 201 },
    { what: 'larger than the API takes', body: pet.padEnd(1_048_577), status: 413 },
  ])("leaves a body $what to the sandbox, although it is the parser's, too", async (row) => {
    const { url, port } = await serverBehind(express.json())
    const reply = await sendRaw(port, rawPost(row.body))
    expect(reply.status).toBe(row.status)
    expect(reply.headers['x-ratelimit-limit']).toBe('1000')
    await expectServing({ url })
  })

  it('serves a URL that it rewrites', async () => {
    const { url } = await serverBehind((req, _res, next) => {
      req.url = req.url?.replace(/^\/api\/store\//, '/v1/') ?? ''
      next()
    })
    const reply = await fetch(`${url}/api/store/pets?limit=2`, { headers })
    expect([reply.status, (await reply.json()).length]).toEqual([200, 2])
  })

  it('sees no control request, and guards one that it makes of another', async () => {
    const seen: unknown[] = []
    const { port, sandbox } = await serverBehind((req, _res, next) => {
      seen.push(req.url)
      req.url = req.url?.replace(/^\/hidden/, '/_sandbox') ?? ''
      next()
    })
    const to = (target: string, host: string) =>
      sendRaw(port, rawHead({ method: 'DELETE', target, host, key: null }))
    expect((await to('/_sandbox/pets', 'localhost')).status).toBe(204)
    expect(seen).toEqual([])
    sandbox.reset()
    expect((await to('/hidden/pets', 'evil.test')).status).toBe(403)
    expect(sandbox.pets.size).toBe(30)
    expect((await to('/hidden/pets', 'localhost')).status).toBe(204)
    expect(sandbox.pets.size).toBe(0)
    expect(seen).toEqual(['/hidden/pets', '/hidden/pets'])
  })

  it('sees the path of a whole URL, and nothing of a target that is none', async () => {
    const seen: unknown[] = []
    const { port } = await serverBehind((req, _res, next) => {
      seen.push(req.url)
      next()
    })
    for (const [target, status] of [
      ['http://store.example/v1/pets?limit=1', 200],
      ['*', 404],
      ['http://', 404],
      ['/v1/pets#top', 404],
      ['//', 404],
    ] as const) {
      expect((await sendRaw(port, rawHead({ method: 'GET', target }))).status).toBe(status)
    }
    expect(seen).toEqual(['/v1/pets?limit=1', '//'])
  })

  it('responds with 500 for what it throws, and reports it', async () => {
    const bugs: unknown[] = []
    const bug = new Error('Cannot go on: this is a test')
    const server = await testServer({
      middleware: [
        (req) => {
          if (req.url === '/thrown') throw bug
          return Promise.reject(bug)
        },
      ],
      onError: (error) => bugs.push(error),
    })
    for (const path of ['/thrown', '/rejected', '/v1/pets']) {
      const reply = await fetch(`${server.url}${path}`)
      expect(reply.status).toBe(500)
      expect(await reply.json()).toMatchObject({ code: 'internal_error', status: 500 })
    }
    expect(bugs).toEqual([bug, bug, bug])
  })

  it('responds with the status of an error that a client made, as Express does, and an Error body', async () => {
    const { url } = await serverBehind(
      express.Router().post('/mine', express.json()),
      (_req, _res, next) => next(Object.assign(new Error('Cannot pass'), { status: 403 })),
    )
    const forbidden = await fetch(`${url}/v1/pets`)
    expect([forbidden.status, await forbidden.json()]).toEqual([
      403,
      { code: 'forbidden', message: 'Cannot pass', status: 403 },
    ])
    const reply = await post(url, '/mine', '{"name":')
    expect([reply.status, await reply.json()]).toMatchObject([400, { code: 'invalid_request' }])
  })

  it('leaves errors to a handler of the user', async () => {
    const app = express()
      .use(() => {
        throw new Error('Cannot go on: this is a test')
      })
      .use((error: Error, _req: Request, res: Response, _next: NextFunction) => {
        res.status(418).send(error.message)
      })
    const { url } = await serverBehind(app)
    const reply = await fetch(`${url}/v1/pets`)
    expect([reply.status, await reply.text()]).toEqual([418, 'Cannot go on: this is a test'])
  })

  it('reports nothing when a client leaves within a body', async () => {
    const bugs: unknown[] = []
    const server = await testServer({
      middleware: [
        async (req, _res, next) => {
          for await (const _ of req);
          next()
        },
      ],
      onError: (error) => bugs.push(error),
    })
    const client = await connectRaw(server.port)
    await client.send(postHead('Content-Length: 100', 'Expect: 100-continue'))
    await client.reply()
    await client.send('{"name":')
    client.leave()
    await expectServing(server)
    await server.close()
    expect(bugs).toEqual([])
  })

  it('ends what waits behind it as without: when a client leaves, and at the end', async () => {
    const server = await serverBehind(express.json())
    server.sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const [leaving, staying] = [await connectRaw(server.port), await connectRaw(server.port)]
    for (const client of [leaving, staying]) await client.send(rawPost(pet))
    await expect.poll(() => server.sandbox.faults.list()[0]?.applied).toBe(2)
    leaving.leave()
    await expect.poll(() => server.sandbox.requests.list()).toHaveLength(1)
    await server.close()
    expect((await staying.reply()).status).toBe(201)
  })
})

/** What middleware may do wrong. */
const wrong: readonly { readonly what: string; readonly middleware: ServerMiddleware }[] = [
  {
    what: 'hands on twice',
    middleware(_req, _res, next) {
      next()
      next()
    },
  },
  {
    what: 'hands on, and throws',
    middleware(_req, _res, next) {
      next()
      throw new Error('Cannot go on: this is a test')
    },
  },
  {
    what: 'hands on, and rejects',
    async middleware(_req, _res, next) {
      next()
      await Promise.reject(new Error('Cannot go on: this is a test'))
    },
  },
  {
    what: 'hands an error on, and then the request',
    middleware(_req, _res, next) {
      next(new Error('Cannot go on: this is a test'))
      next()
    },
  },
  { what: 'leaves its router', middleware: (_req, _res, next) => next('router' as never) },
  { what: 'takes away the URL', middleware: rewrite(undefined) },
  { what: 'makes the URL an object', middleware: rewrite({ path: '/v1/pets' }) },
  { what: 'makes the URL no path', middleware: rewrite('* ?') },
  { what: 'makes the URL one with a bad escape', middleware: rewrite('/%zz') },
  {
    what: 'answers, and hands on',
    middleware(_req, res, next) {
      res.writeHead(404, ['Content-Length', '14']).end('{"status":404}')
      next()
    },
  },
  {
    what: 'hands on, and answers',
    middleware(_req, res, next) {
      next()
      res.writeHead(404, ['Content-Length', '14']).end('{"status":404}')
    },
  },
]

function rewrite(url: unknown): ServerMiddleware {
  return (req, _res, next) => {
    Object.assign(req, { url })
    next()
  }
}

describe('startServer() with middleware that is wrong', () => {
  it.each(wrong)('handles each request once where it $what', async ({ middleware }) => {
    const bugs: unknown[] = []
    const server = await testServer({
      sandbox: frozenSandbox(),
      middleware: [middleware],
      onError: (error) => bugs.push(error),
    })
    const client = await connectRaw(server.port)
    const requests = [
      rawHead(),
      rawPost(pet),
      rawPost(pet.padEnd(300_000)),
      rawHead({ target: '/elsewhere' }),
      rawPost(pet.padEnd(1_100_000)),
      rawHead({ method: 'OPTIONS', target: '*' }),
    ]
    for (const request of requests) {
      void client.send(request)
      const { status, body } = await client.reply()
      if (status >= 400) expect(JSON.parse(body)).toMatchObject({ status })
    }
    expect(client.received).toBe('')
    for (const bug of bugs) expect(bug).toBeInstanceOf(Error)
    const control = { target: '/_sandbox/health', host: 'localhost', key: null }
    await client.send(rawHead(control))
    expect((await client.reply()).status).toBe(200)
  })

  it('reports what comes after the response has begun, which goes on', async () => {
    const bugs: unknown[] = []
    const bug = new Error('Cannot go on: this is a test')
    const server = await testServer({
      middleware: [
        (_req, _res, next) => {
          next()
          throw bug
        },
      ],
      onError: (error) => bugs.push(error),
    })
    await expectServing(server)
    expect(bugs).toEqual([bug])
  })

  it.each(['utf8', 'base64'] as const)(
    'reads a body that it has decode as %s',
    async (encoding) => {
      const { url } = await serverBehind((req, _res, next) => {
        req.setEncoding(encoding)
        next()
      })
      const body = JSON.stringify({ name: '小花 🐢', categoryId: 1 }).padEnd(200_000)
      const reply = await post(url, '/v1/pets', body)
      expect([reply.status, await reply.json()]).toMatchObject([201, { name: '小花 🐢' }])
    },
  )
})

describe('the app of a running server', () => {
  it('takes routes and middleware later, which come before the API', async () => {
    const server = await testServer({ sandbox: frozenSandbox() })
    server.app.get('/late', (_req, res) => res.writeHead(200, ['Content-Length', '2']).end('ok'))
    server.app.use((_req, res, next) => {
      res.setHeader('X-Late', 'yes')
      next()
    })
    expect(await (await fetch(`${server.url}/late`)).text()).toBe('ok')
    const reply = await fetch(`${server.url}/v1/pets`, { headers })
    expect([reply.status, reply.headers.get('x-late')]).toEqual([200, 'yes'])
    const control = await fetch(`${server.url}/_sandbox/clock`)
    expect([control.status, control.headers.get('x-late')]).toEqual([200, null])
  })

  it('is served by a server of one’s own, and mounted in an app of one’s own', async () => {
    const { app } = await testServer({ sandbox: frozenSandbox() })
    const own = await listen(express().use('/mine', app))
    const list = await fetch(`${own.url}/mine/v1/pets`, { headers })
    expect([list.status, (await list.json()).length]).toEqual([200, 20])
    const created = await post(own.url, '/mine/v1/pets', pet)
    expect(await created.text()).toContain('"categoryId":9007199254740993')
    const missing = await fetch(`${own.url}/mine/nothing`, { headers })
    expect([missing.status, await missing.json()]).toMatchObject([404, { status: 404 }])
  })
})

describe('startServer() without middleware and files', () => {
  it('adds nothing of Express to a response', async () => {
    const { url } = await testServer({ sandbox: frozenSandbox() })
    const reply = await fetch(`${url}/v1/pets`, { headers })
    for (const name of ['x-powered-by', 'etag']) expect(reply.headers.has(name)).toBe(false)
  })
})
