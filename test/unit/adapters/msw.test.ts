import nodeHttp from 'node:http'
import { getResponse, http } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { afterEach, test as base, beforeEach, describe, expect, vi } from 'vitest'
import { createHandlers, type MswOptions } from '../../../src/adapters/msw.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { testServer } from '../../kit/test-server.ts'

const api = 'https://api.petstore.test/v1'
const headers = { authorization: 'Bearer free-key' }

/** Vitest's `it` with a sandbox on which MSW lets all requests end. */
const it = base.extend<{ sandbox: Sandbox; server: SetupServer }>({
  sandbox: async ({ task: _ }, use) => use(frozenSandbox()),
  server: [
    async ({ sandbox }, use) => {
      const server = setupServer(...createHandlers(sandbox))
      server.listen()
      await use(server)
      server.close()
    },
    { auto: true },
  ],
})

/** Whether the handlers made with these options answer a URL. */
async function covers(options: MswOptions | undefined, url: string): Promise<boolean> {
  const handlers = createHandlers(frozenSandbox(), options)
  return (await getResponse(handlers, new Request(url))) !== undefined
}

describe('createHandlers()', () => {
  it("handles Node's http, headers spelt as the process does", async () => {
    const names = await new Promise<string[]>((resolve, reject) => {
      nodeHttp
        .get('http://api.petstore.test/v1/pets', { headers }, (message) => {
          message.resume()
          resolve(message.rawHeaders.filter((_, index) => index % 2 === 0))
        })
        .on('error', reject)
    })
    expect(names).toContain('X-RateLimit-Remaining')
  })

  it.each([
    { what: 'a preflight', method: 'OPTIONS', asks: { 'access-control-request-method': 'POST' } },
    {
      what: 'a preflight for a header',
      method: 'OPTIONS',
      asks: {
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization,x-own',
      },
    },
    { what: 'a request', method: 'GET', asks: {} },
    { what: 'a rejected request', method: 'DELETE', asks: {} },
  ])('treats $what of another origin as the process does', async ({ method, asks }) => {
    const sandbox = frozenSandbox()
    const handlers = createHandlers(sandbox)
    const init = { method, headers: { ...headers, origin: 'https://shop.example', ...asks } }
    const here = await getResponse(handlers, new Request(`${api}/pets`, init))
    const process = await testServer({ sandbox: frozenSandbox() })
    const there = await new Promise<nodeHttp.IncomingMessage>((resolve, reject) => {
      const request = nodeHttp.request(`${process.url}/v1/pets`, init, resolve)
      request.on('error', reject).end()
    })
    const shown = ([name]: readonly [string, unknown]) => /^access|^vary|^x-rate/.test(name)
    expect(here?.status).toBe(there.statusCode)
    expect([...(here?.headers ?? [])].filter(shown).sort()).toEqual(
      Object.entries(there.headers).filter(shown).sort(),
    )
    expect(sandbox.requests.list()).toHaveLength(method === 'OPTIONS' ? 0 : 1)
  })

  describe('in a page whose requests bypass CORS', () => {
    const ask = (sandbox: Sandbox, url = `${api}/pets`) =>
      getResponse(
        createHandlers(sandbox),
        new Request(url, { headers: { authorization: 'Bearer minute-exhausted-key' } }),
      )
    const readable = (response: Response | undefined) =>
      ['retry-after', 'x-ratelimit-reset', 'content-type'].filter((name) =>
        response?.headers.has(name),
      )

    beforeEach(() => {
      vi.stubGlobal('location', { origin: 'https://shop.example' })
    })
    afterEach(() => {
      vi.unstubAllGlobals()
    })

    it.for([
      { exposedHeaders: 'all', names: ['retry-after', 'x-ratelimit-reset', 'content-type'] },
      { exposedHeaders: 'none', names: ['content-type'] },
    ] as const)(
      'shows $names with exposedHeaders=$exposedHeaders',
      async ({ exposedHeaders, names }) => {
        const sandbox = frozenSandbox({ gaps: { exposedHeaders } })
        expect(readable(await ask(sandbox))).toEqual(names)
        expect(sandbox.requests.last()?.request.headers.origin).toBe('https://shop.example')
        expect(readable(await ask(sandbox, 'https://shop.example/v1/pets'))).toHaveLength(3)
      },
    )

    it('fails a request whose connection breaks', async () => {
      const sandbox = frozenSandbox()
      sandbox.scenario('unreachable')
      expect((await ask(sandbox))?.type).toBe('error')
    })

    it('fails a request with cors=none before the API has it', async () => {
      const sandbox = frozenSandbox({ gaps: { cors: 'none' } })
      expect((await ask(sandbox))?.type).toBe('error')
      expect(sandbox.requests.list()).toEqual([])
      expect((await ask(sandbox, 'https://shop.example/v1/pets'))?.status).toBe(429)
    })
  })

  it.each([
    { baseUrl: undefined, url: 'http://localhost:5173/v1/pets', isCovered: true },
    { baseUrl: undefined, url: 'https://api.petstore.test/v1/%zz', isCovered: true },
    { baseUrl: undefined, url: 'https://api.petstore.test/V1/pets', isCovered: false },
    { baseUrl: ['https://a.test/v1', '/s/v1'], url: 'https://b.test/s/v1/a', isCovered: true },
    { baseUrl: ['https://a.test/v1', '/s/v1'], url: 'https://b.test/v1/a', isCovered: false },
  ])('covers $url, with base URL $baseUrl: $isCovered', async ({ baseUrl, url, isCovered }) => {
    expect(await covers(baseUrl === undefined ? undefined : { baseUrl }, url)).toBe(isCovered)
  })

  it('rejects an unknown option', () => {
    const options = { baseURL: '/v1' } as MswOptions
    expect(() => createHandlers(frozenSandbox(), options)).toThrow('Cannot set baseURL: ')
  })

  it("makes one handler, which MSW's log can name", () => {
    const baseUrl = ['/v1', 'https://a.test/v1']
    const names = createHandlers(frozenSandbox(), { baseUrl }).map(({ info }) => info.header)
    expect(names).toEqual(['petstore-sandbox at /v1, https://a.test/v1'])
  })

  it('gives way to handlers of server.use(), until they are reset', async ({ server }) => {
    const stop = () => new Response('Maintenance', { status: 503 })
    server.use(http.get('*/v1/pets', stop))
    expect((await fetch(`${api}/pets`, { headers })).status).toBe(503)
    expect((await fetch(`${api}/pets/1`, { headers })).status).toBe(200)
    server.resetHandlers()
    expect((await fetch(`${api}/pets`, { headers })).status).toBe(200)
  })

  it.for([{ fault: 'disconnect', when: 'body' } as const, { fault: 'truncated-body' } as const])(
    'breaks off in the middle of the body with $fault',
    async (fault, { sandbox }) => {
      sandbox.faults.add(fault)
      const response = await fetch(`${api}/pets`, { headers })
      expect(response.status).toBe(200)
      await expect(response.text()).rejects.toThrow(TypeError)
    },
  )

  it('never responds with a timeout fault, and ends without a word when the client gives up', async ({
    sandbox,
  }) => {
    sandbox.faults.add({ fault: 'timeout' })
    const written = vi.spyOn(console, 'error')
    const controller = new AbortController()
    const pending = fetch(`${api}/pets`, { headers, signal: controller.signal })
    await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
    controller.abort(new Error('enough'))
    await expect(pending).rejects.toThrow()
    await new Promise((resolve) => setImmediate(resolve))
    expect(written).not.toHaveBeenCalled()
  })

  it('makes a network error of a timeout when the sandbox is reset', async ({ sandbox }) => {
    sandbox.faults.add({ fault: 'timeout' })
    const pending = fetch(`${api}/pets`, { headers })
    await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
    sandbox.reset()
    await expect(pending).rejects.toThrow(TypeError)
  })

  it('lets several requests be under way at once', async ({ sandbox }) => {
    sandbox.faults.add({ fault: 'latency', ms: '1m', times: 1 })
    const late = fetch(`${api}/pets`, { headers })
    await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
    const soon = await fetch(`${api}/pets`, { headers })
    expect(soon.status).toBe(200)
    sandbox.clock.advance('1m')
    expect((await late).status).toBe(200)
  })

  it('ends a slow body when its client leaves', async ({ sandbox }) => {
    const written = vi.spyOn(console, 'error')
    const signals: (AbortSignal | undefined)[] = []
    const { handle } = sandbox
    vi.spyOn(sandbox, 'handle').mockImplementation((request, signal) => {
      signals.push(signal)
      return handle(request, signal)
    })
    sandbox.faults.add({ fault: 'slow-body', ms: '10s' })
    const controller = new AbortController()
    const response = await fetch(`${api}/pets`, { headers, signal: controller.signal })
    expect(signals.map((signal) => signal?.aborted)).toEqual([false])
    controller.abort(new Error('enough'))
    await expect(response.text()).rejects.toThrow()
    await expect.poll(() => signals.map((signal) => signal?.aborted)).toEqual([true])
    expect(written).not.toHaveBeenCalled()
  })

  it.for([
    { method: 'GET', isRead: true },
    { method: 'GET', isRead: false },
    { method: 'HEAD', isRead: false },
  ])('needs no timer that a test has faked: $method, read $isRead', async ({ method, isRead }) => {
    vi.useFakeTimers()
    try {
      for (let sent = 0; sent < 4; sent++) {
        const response = await fetch(`${api}/pets`, { method, headers })
        expect(response.status).toBe(200)
        if (isRead) await response.text()
        if (sent % 2 === 1) await vi.advanceTimersByTimeAsync(5_000)
      }
    } finally {
      vi.useRealTimers()
    }
    expect((await fetch(`${api}/pets`, { headers })).headers.get('connection')).toBeNull()
  })
})
