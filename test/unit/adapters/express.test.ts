import express, { type NextFunction, type Request, type Response } from 'express'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createMiddleware } from '../../../src/adapters/express.ts'
import { createSandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { listen } from '../../kit/listen.ts'
import { connectRaw, sendRaw } from '../../kit/raw-client.ts'
import { rawHead } from '../../kit/raw-request.ts'

const headers = { Authorization: 'Bearer free-key', 'Content-Type': 'application/json' }
const pet = '{"name":"Bella","categoryId":9007199254740993}'

describe('createMiddleware()', () => {
  it.each(['/v1', '/api/petstore', '/sub/v2', '/with blank'])(
    'serves the API under %s',
    async (path) => {
      const { url } = await listen(
        express().use(encodeURI(path), createMiddleware(createSandbox())),
      )
      const reply = await fetch(`${url}${encodeURI(path)}/pets?limit=2`, { headers })
      expect(await reply.json()).toHaveLength(2)
    },
  )

  it('serves the API at the root, and within a router', async () => {
    const router = express.Router().use('/inner', createMiddleware(createSandbox()))
    const { url } = await listen(
      express().use('/outer', router).use(createMiddleware(createSandbox())),
    )
    for (const path of ['/pets', '/outer/inner/pets']) {
      const reply = await fetch(`${url}${path}?limit=3`, { headers })
      expect(await reply.json()).toHaveLength(3)
    }
  })

  it('leaves the rest of the app alone', async () => {
    const app = express()
      .use('/v1', createMiddleware(createSandbox()))
      .get('/other', (_req: Request, res: Response) => {
        res.json({ mine: true })
      })
    const { url } = await listen(app)
    expect(await (await fetch(`${url}/other`)).json()).toEqual({ mine: true })
  })

  it.each([
    { target: '/v1', status: 404 },
    { target: '/v1?limit=1', status: 404 },
    { target: '/v1//pets', status: 404 },
    { target: '/v1/pets?limit=1?limit=2', status: 400 },
    { target: '/V1/pets', status: 200 },
    { target: 'http://other.example/v1/pets', status: 200 },
  ])(
    'answers $target with $status and an Error body where one is due',
    async ({ target, status }) => {
      const { port } = await listen(express().use('/v1', createMiddleware(createSandbox())))
      const reply = await sendRaw(port, rawHead({ target }))
      expect(reply).toMatchObject({ status, headers: { 'content-type': 'application/json' } })
      if (status >= 400) expect(JSON.parse(reply.body)).toMatchObject({ status })
    },
  )

  it('says what to do when a body parser has read the body before it', async () => {
    const errors: unknown[] = []
    const app = express()
      .use(express.json())
      .use('/v1', createMiddleware(createSandbox()))
      .use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
        errors.push(error)
        res.sendStatus(500)
      })
    const { url } = await listen(app)
    const reply = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body: pet })
    expect(reply.status).toBe(500)
    expect(errors).toEqual([
      new Error(
        'Cannot read the body: another middleware has read it; put the sandbox before body parsers',
      ),
    ])
    // What has no body is served behind a body parser, too.
    expect(await fetch(`${url}/v1/pets`, { headers })).toMatchObject({ status: 200 })
  })

  it('reads a body that another middleware has stopped', async () => {
    const app = express()
      .use((req, _res, next) => {
        req.pause()
        next()
      })
      .use('/v1', createMiddleware(createSandbox()))
    const { url } = await listen(app)
    const reply = await fetch(`${url}/v1/pets`, { method: 'POST', headers, body: pet })
    expect(reply.status).toBe(201)
  })

  it('tells the app of a bug of the sandbox', async () => {
    const errors: unknown[] = []
    const bug = new Error('Cannot go on: this is a test')
    const app = express()
      .use(createMiddleware({ handle: () => Promise.reject(bug) }))
      .use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
        errors.push(error)
        res.sendStatus(500)
      })
    const { url } = await listen(app)
    await fetch(`${url}/pets`)
    expect(errors).toEqual([bug])
  })

  it('ends what waits when its client leaves, all that it has asked for', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    onTestFinished(() => {
      process.off('warning', warn)
    })
    const sandbox = frozenSandbox()
    sandbox.faults.add({ fault: 'latency', ms: '1h' })
    const { port } = await listen(express().use('/v1', createMiddleware(sandbox)))
    const client = await connectRaw(port)
    await client.send(rawHead().repeat(20))
    await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(20)
    client.leave()
    await expect.poll(() => sandbox.requests.list()).toHaveLength(20)
    expect(warnings).toEqual([])
  })
})
