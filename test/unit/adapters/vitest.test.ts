import type { IncomingMessage } from 'node:http'
import { fileURLToPath } from 'node:url'
import { http, passthrough } from 'msw'
import { describe, expect, test as plainTest, vi } from 'vitest'
import { test, withSandbox } from '../../../src/adapters/vitest.ts'
import { openServer } from '../../kit/open-server.ts'
import { runSuite } from '../../kit/run-suite.ts'

const it = test

/** Sends a request with the key of the Free plan. */
function send(url: string): Promise<Response> {
  return fetch(url, { headers: { authorization: 'Bearer free-key' } })
}

/** How many requests the key has left after each of a number of requests. */
async function remainingAfter(count: number, url: string): Promise<string[]> {
  const left: string[] = []
  while (left.length < count) {
    const response = await send(url)
    left.push(response.headers.get('x-ratelimit-remaining') ?? '')
    await response.text()
  }
  return left
}

/** Serves the text `real` on the loopback, and gives the address. */
async function serveReal() {
  const asked: IncomingMessage[] = []
  const { url, close } = await openServer((request, response) => {
    asked.push(request)
    response.end('real')
  })
  return { url: `${url}/`, asked, close }
}

describe('test()', () => {
  // A minute that ends meanwhile would begin a new window.
  test.override('sandboxOptions', { clock: { now: '2026-01-01', mode: 'frozen' } })

  it.for([1, 2])('gives each test a sandbox that nobody has used (%i)', async (_, { apiUrl }) => {
    expect(await remainingAfter(2, `${apiUrl}/pets`)).toEqual(['59', '58'])
  })

  describe('with coverage', () => {
    test.override('sandboxOptions', { coverage: true })

    it('says which test covered what', async ({ apiUrl, sandbox }) => {
      await send(`${apiUrl}/pets`)
      const { items } = (await sandbox.coverage()).categories.outcomes
      expect(items.filter(({ covered }) => covered)).toMatchObject([
        {
          name: 'listPets 200',
          coveredBy: 'test() > with coverage > says which test covered what',
        },
      ])
    })
  })

  describe('server.use()', () => {
    it('responds in place of the sandbox', async ({ apiUrl, server }) => {
      const stop = () => new Response('Maintenance', { status: 503 })
      server.use(http.get(`${apiUrl}/pets`, stop))
      expect((await send(`${apiUrl}/pets`)).status).toBe(503)
    })

    it('lets requests through to the network', async ({ server }) => {
      const real = await serveReal()
      server.use(http.get(real.url, () => passthrough()))
      expect(await (await fetch(real.url)).text()).toBe('real')
      await real.close()
    })

    it('leaves requests as their clients made them', async ({ apiUrl, sandbox, server }) => {
      const real = await serveReal()
      const seen: string[] = []
      server.use(
        http.get('*', ({ request }) => {
          seen.push(...request.headers.keys())
          return request.url === real.url ? passthrough() : undefined
        }),
      )
      await (await fetch(real.url)).text()
      await (await send(`${apiUrl}/pets`)).text()
      await real.close()
      seen.push(...Object.keys(real.asked[0]?.headers ?? {}))
      seen.push(...Object.keys(sandbox.requests.last()?.request.headers ?? {}))
      expect(seen).toContain('authorization')
      expect(seen.filter((name) => name.includes('petstore'))).toEqual([])
    })
  })

  it('begins anew when it is retried', { retry: 1 }, async ({ task, apiUrl, sandbox, server }) => {
    expect(sandbox.requests.list()).toEqual([])
    const isFirst = task.result?.retryCount === undefined
    expect((await send(`${apiUrl}/pets`)).status).toBe(200)
    expect(sandbox.requests.list()).toHaveLength(1)
    server.use(http.get(`*/pets`, () => new Response('Maintenance', { status: 503 })))
    expect(isFirst).toBe(false)
  })

  it('lists the handlers that were added, the latest first', ({ server }) => {
    const [first, second] = ['*/a', '*/b'].map((path) => http.get(path, () => undefined))
    if (first === undefined || second === undefined) throw new Error('Cannot add handlers')
    server.use(first)
    server.use(second)
    expect(server.listHandlers()).toEqual([second, first])
  })

  describe.for([
    { fault: 'timeout', becomes: 'TypeError' },
    { fault: 'latency', ms: '1d', becomes: '200' },
    { fault: 'slow-body', ms: '1d', becomes: '200' },
  ] as const)('when a test ends while a $fault holds up its request', ({ becomes, ...fault }) => {
    const left: Promise<string>[] = []

    it('hooks still find the request log', async ({ apiUrl, sandbox, onTestFinished }) => {
      sandbox.faults.add(fault)
      const sent = send(`${apiUrl}/pets`)
      left.push(
        sent.then(
          (response) => response.text().then(() => String(response.status)),
          (error: Error) => error.name,
        ),
      )
      await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
      onTestFinished(async () => {
        await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
      })
    })

    it('the request has ended by the next one', async () => {
      expect(await Promise.all(left)).toEqual([becomes])
    })
  })

  plainTest('leaves the network alone while no such test runs', async () => {
    const real = await serveReal()
    expect(await (await fetch(real.url)).text()).toBe('real')
    await real.close()
  })

  describe('with faked timers', () => {
    test.override('sandboxOptions', {})

    it.beforeEach(({ onTestFinished }) => {
      vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) })
      onTestFinished(() => {
        vi.useRealTimers()
      })
    })

    it('carries the sandbox along', async ({ apiUrl, sandbox }) => {
      sandbox.keys.setRemaining('free-key', { minute: 0 })
      const rejected = await send(`${apiUrl}/pets`)
      expect(rejected.headers.get('retry-after')).toBe('60')
      await vi.advanceTimersByTimeAsync(59_999)
      expect((await send(`${apiUrl}/pets`)).status).toBe(429)
      await vi.advanceTimersByTimeAsync(1)
      expect((await send(`${apiUrl}/pets`)).status).toBe(200)
    })

    it('hangs in no wait of the sandbox', async ({ apiUrl, sandbox }) => {
      sandbox.faults.add({ fault: 'latency', ms: '1m', times: 1 })
      const response = send(`${apiUrl}/pets`)
      await vi.advanceTimersByTimeAsync(60_000)
      expect((await response).status).toBe(200)
    })

    it('reads and rejects bodies', async ({ apiUrl }) => {
      const init = {
        method: 'POST',
        headers: { authorization: 'Bearer free-key', 'content-type': 'application/json' },
      }
      const body = '{"name":"Rex","categoryId":1}'
      expect((await fetch(`${apiUrl}/pets`, { ...init, body })).status).toBe(201)
      const large = ' '.repeat(2_000_000)
      expect((await fetch(`${apiUrl}/pets`, { ...init, body: large })).status).toBe(413)
    })
  })

  describe.concurrent('side by side', () => {
    it.for([1, 2, 3, 4, 5, 6])('tells test %i by its address', async (count, { apiUrl }) => {
      const left = await remainingAfter(count, `${apiUrl}/pets`)
      expect(left.at(-1)).toBe(String(60 - count))
    })

    describe('at one address', () => {
      test.override('apiUrl', 'https://api.petstore.test/v1')

      it.for([1, 2, 3, 4, 5, 6])('tells test %i by its async context', async (count) => {
        const left = await remainingAfter(count, 'https://api.petstore.test/v1/pets')
        expect(left.at(-1)).toBe(String(60 - count))
      })

      describe('with hooks', () => {
        it.beforeEach(({ sandbox }) => sandbox.keys.setRemaining('free-key', { minute: 30 }))

        it.for([1, 2, 3, 4, 5, 6])(
          'tells test %i by its async context',
          async (count, { sandbox }) => {
            const left = await remainingAfter(count, 'https://api.petstore.test/v1/pets')
            expect(left.at(-1)).toBe(String(30 - count))
            expect(sandbox.requests.list()).toHaveLength(count)
          },
        )
      })

      it.for([1, 2, 3])('gives handlers to test %i alone', async (number, { server }) => {
        server.use(http.get('https://vets.test/today', () => Response.json(number)))
        expect(await (await fetch('https://vets.test/today')).json()).toBe(number)
      })
    })
  })

  describe('laid over a test with fixtures of its own', () => {
    const own = plainTest
      .extend<{ readonly greeting: string }>({ greeting: 'Hello' })
      .extend('shout', ({ greeting }) => `${greeting}!`)
    const both = withSandbox(own).extend<{ readonly list: () => Promise<Response> }>({
      list: async ({ apiUrl }, use) => use(() => send(`${apiUrl}/pets`)),
    })
    both.override('sandboxOptions', { clock: { now: '2026-01-01', mode: 'frozen' } })

    both('gives a test all of them', async ({ greeting, shout, list, sandbox }) => {
      expect([greeting, shout, (await list()).status]).toEqual(['Hello', 'Hello!', 200])
      expect(sandbox.requests.list()).toHaveLength(1)
    })
  })

  describe('of a run with requests that nothing handles', () => {
    const { results, stderr, status } = runSuite(
      fileURLToPath(new URL('unanswered', import.meta.url)),
    )

    plainTest.for(results)('gives each test what its title says: $title', ({ title, status }) => {
      expect(status).toBe(title.startsWith('fails') ? 'failed' : 'passed')
    })

    plainTest('names the request', () => {
      const messages = results.flatMap(({ failureMessages }) => failureMessages)
      expect(messages.length).toBeGreaterThan(0)
      for (const message of messages) {
        expect(message).toContain('Cannot handle GET https://elsewhere.test/')
      }
    })

    plainTest('names the handler that lets it through', () => {
      const alone = results.filter(
        ({ title }) => title === 'fails with a request that nothing handles',
      )
      expect(alone).toHaveLength(1)
      expect(alone[0]?.failureMessages.join()).toContain(
        "server.use(http.all('https://elsewhere.test/*', () => passthrough()))",
      )
    })

    plainTest('names the tests that may have sent it, where several can have', () => {
      const unclear = results.filter(({ title }) => title.includes('may be its own'))
      expect(unclear).toHaveLength(2)
      for (const { failureMessages } of unclear) {
        expect(failureMessages.join()).toContain(
          'any of these concurrent tests may have sent it: fails with what may be its own: one, fails with what may be its own: two;',
        )
      }
    })

    plainTest('reports what came after its test, and fails nothing else for it', () => {
      expect(stderr).toContain('the test that sent it has ended (passes, and leaves a request)')
      expect(stderr).toContain('several tests run, and it is unclear which one sent it')
      expect(stderr).not.toContain('Unhandled')
      expect(status).toBe(1)
    })
  })
})
