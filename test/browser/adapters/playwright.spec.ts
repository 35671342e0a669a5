import { expect, type Page } from '@playwright/test'
import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { matchers } from 'petstore-sandbox/matchers'
import { type RouteOptions, routeRequests, test as sandboxTest } from 'petstore-sandbox/playwright'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { chromiumLaunchOptions } from '../../../scripts/browsers.ts'
import type { Outcome } from '../../../src/mock/api/message.ts'
import { emptyPage, openServer } from '../../kit/open-server.ts'

/** What a page got of a request: the reply as far as it may read it, or the name of the error. */
type Seen =
  | { readonly status: number; readonly headers: Record<string, string>; readonly text: string }
  | { readonly error: string }

interface PageRequest extends RequestInit {
  readonly url: string
  /** The key to send; `null` for none. */
  readonly key?: string | null
}

/** Sends a request from a page, with the key of the Free plan unless it says another. */
function sendFrom(page: Page, { url, key = 'free-key', ...init }: PageRequest): Promise<Seen> {
  const headers = key === null ? {} : { authorization: `Bearer ${key}` }
  return page.evaluate(
    async ({ url, init }) => {
      try {
        const response = await fetch(url, init)
        const text = await response.text()
        return { status: response.status, headers: Object.fromEntries(response.headers), text }
      } catch (error) {
        return { error: error instanceof Error ? error.name : String(error) }
      }
    },
    { url, init: { ...init, headers: { ...headers, ...init.headers } } },
  )
}

/** What all tests of a worker share. */
interface WorkerFixtures {
  /** An address with nothing on it. */
  readonly shopUrl: string
  /** The process, and a page that it answers; and a page that routes answer, from a sandbox that is like its. */
  readonly served: {
    readonly server: RunningServer
    readonly page: Page
    readonly sandbox: Sandbox
    readonly routedPage: Page
  }
  /** A page of a context that outlives a test, and what it has sent. */
  readonly hanging: { readonly page: Page; readonly sent: Promise<Seen>[] }
}

/** Where the API is that routes stand for. */
const routedUrl = 'http://routed.test/v1'

const start = { clock: { now: '2027-01-15T08:00:20Z', mode: 'frozen' } } as const

/** Playwright's `test` with a page at an address of its own. */
const test = sandboxTest.extend<{ blankPage: Page }, WorkerFixtures>({
  // A page that is not of the loopback itself may not ask there.
  shopUrl: [
    async ({ browserName: _ }, use) => {
      const { url, close } = await openServer(emptyPage)
      await use(`${url}/`)
      await close()
    },
    { scope: 'worker' },
  ],
  served: [
    async ({ playwright, shopUrl }, use) => {
      const server = await startServer({ port: 0, sandbox: createSandbox(start) })
      // Of a browser of its own, whose contexts have no routes: with any, Playwright allows preflights of its own accord.
      const browser = await playwright.chromium.launch(chromiumLaunchOptions())
      const page = await browser.newPage()
      const routedPage = await browser.newPage()
      const sandbox = createSandbox(start)
      await routeRequests(routedPage.context(), sandbox, { apiUrl: routedUrl })
      for (const one of [page, routedPage]) await one.goto(shopUrl)
      await use({ server, page, sandbox, routedPage })
      await browser.close()
      await server.close()
    },
    { scope: 'worker' },
  ],
  hanging: [
    async ({ browser, shopUrl }, use) => {
      const page = await browser.newPage()
      await page.goto(shopUrl)
      await use({ page, sent: [] })
      await page.context().close()
    },
    { scope: 'worker' },
  ],
  blankPage: async ({ page, shopUrl }, use) => {
    await page.goto(shopUrl)
    await use(page)
  },
})

const api = 'https://api.petstore.test/v1'

test.describe('sandbox', () => {
  test('handles the requests of a page', async ({ blankPage, sandbox }) => {
    const seen = await sendFrom(blankPage, { url: `${api}/pets?limit=1` })
    expect(seen).toMatchObject({ status: 200, text: expect.stringContaining('"Bella"') })
    const created = await sendFrom(blankPage, {
      url: `${api}/pets`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Señor 🐢","categoryId":9007199254740993}',
    })
    expect(created).toMatchObject({
      status: 201,
      text: '{"id":31,"name":"Señor 🐢","categoryId":9007199254740993,"status":"available"}',
    })
    expect(sandbox.pets.size).toBe(31)
  })

  test('handles a navigation', async ({ page }) => {
    const response = await page.goto('http://shop.test/v1/pets')
    expect(response?.status()).toBe(401)
  })

  for (const name of ['one', 'another']) {
    test(`is new in ${name} test`, async ({ blankPage, sandbox }) => {
      const seen = await sendFrom(blankPage, { url: `${api}/pets` })
      expect(seen).toMatchObject({ headers: { 'x-ratelimit-remaining': '59' } })
      sandbox.keys.setRemaining('free-key', { minute: 0 })
    })
  }

  test('leaves other addresses alone', async ({ blankPage }) => {
    await blankPage.route('**/other', (route) => route.fulfill({ body: 'other' }))
    expect(await sendFrom(blankPage, { url: '/other' })).toMatchObject({ text: 'other' })
    await blankPage.route('**/v10/pets', (route) => route.fulfill({ body: 'ten' }))
    expect(await sendFrom(blankPage, { url: '/v10/pets' })).toMatchObject({ text: 'ten' })
  })

  test("lets a test's own routes go before", async ({ blankPage }) => {
    await blankPage.route(`${api}/pets`, (route) => route.fulfill({ status: 503 }))
    const url = `${api}/pets`
    expect(await sendFrom(blankPage, { url })).toMatchObject({ status: 503 })
    expect(await sendFrom(blankPage, { url: `${url}/1` })).toMatchObject({ status: 200 })
  })
})

test.describe('with coverage', () => {
  test.use({ sandboxOptions: { coverage: true } })

  test('says which test covered what', async ({ blankPage, sandbox }) => {
    await sendFrom(blankPage, { url: `${api}/pets` })
    const { items } = (await sandbox.coverage()).categories.outcomes
    expect(items[0]).toMatchObject({
      name: 'listPets 200',
      coveredBy: 'with coverage > says which test covered what',
    })
  })
})

test.describe('apiUrl', () => {
  test.use({ apiUrl: ['https://api.petstore.test/pet-store/v1/', 'http://staging.test/v1'] })

  test('stands for the API, and leaves other origins alone', async ({ blankPage }) => {
    for (const base of ['https://api.petstore.test/pet-store', 'http://staging.test']) {
      const seen = await sendFrom(blankPage, { url: `${base}/v1/pets` })
      expect(seen).toMatchObject({ status: 200 })
    }
    await blankPage
      .context()
      .route('http://other.test/**', (route) =>
        route.fulfill({ headers: { 'access-control-allow-origin': '*' }, body: 'other' }),
      )
    const seen = await sendFrom(blankPage, { url: 'http://other.test/v1/pets' })
    expect(seen).toMatchObject({ text: 'other' })
  })
})

test.describe('CORS by gaps', () => {
  const url = 'https://api.petstore.test/v1/pets'

  test('hides the headers of the API with exposedHeaders=none', async ({ blankPage, sandbox }) => {
    const reset = () =>
      blankPage.evaluate(
        async ([target]) => {
          const headers = { authorization: 'Bearer free-key' }
          return (await fetch(`${target}`, { headers })).headers.get('x-ratelimit-reset')
        },
        [url],
      )
    expect(await reset()).toMatch(/^\d+$/)
    sandbox.setGaps({ exposedHeaders: 'none' })
    expect(await reset()).toBeNull()
  })

  test('holds requests back with cors=none', async ({ blankPage, sandbox }) => {
    sandbox.setGaps({ cors: 'none' })
    expect(await sendFrom(blankPage, { url })).not.toMatchObject({ status: 200 })
    expect(sandbox.requests.list()).toEqual([])
  })
})

test.describe('what the test itself sends', () => {
  test.use({ apiUrl: 'https://api.petstore.test/v1', baseURL: 'https://api.petstore.test' })

  for (const by of ['request', 'context.request', 'page.request']) {
    test(`is handled by the sandbox: ${by}`, async ({ request, context, page, sandbox }) => {
      const contexts = { request, 'context.request': context.request, 'page.request': page.request }
      const sender = Object.entries(contexts).find(([name]) => name === by)?.[1] ?? request
      const headers = { authorization: 'Bearer free-key' }
      for (const url of [`${api}/pets`, '/v1/pets']) {
        const response = await sender.get(url, { headers, params: { limit: 2 } })
        expect(response.headers()).toMatchObject({ 'x-ratelimit-limit': '60' })
        expect(await response.json()).toHaveLength(2)
      }
      const data = { name: 'Rex', categoryId: 1 }
      expect((await sender.post(`${api}/pets`, { headers, data })).status()).toBe(201)
      expect(sandbox.pets.size).toBe(31)
      sandbox.faults.add({ fault: 'disconnect', times: 1 })
      await expect(sender.get(`${api}/pets`, { headers })).rejects.toThrow('ECONNRESET')
      expect(sandbox.requests.list()).toHaveLength(4)
    })
  }

  test('goes elsewhere as ever', async ({ request, shopUrl }) => {
    expect(await (await request.get(shopUrl)).text()).toContain('Shop')
  })

  test('can be a request of the page again', async ({ blankPage, request, sandbox }) => {
    const asked = blankPage.waitForRequest('**/pets')
    const headers = { 'content-type': 'application/json' }
    const body = '{"name":"Rex","categoryId":1}'
    await sendFrom(blankPage, { url: `${api}/pets`, method: 'POST', headers, body })
    const again = await request.fetch(await asked)
    expect(again.status()).toBe(201)
    expect(sandbox.pets.size).toBe(32)
  })
})

test.describe('contexts of its own', () => {
  test('are handled, in each test by its own sandbox', async ({ browser, sandbox, shopUrl }) => {
    const page = await browser.newPage()
    await page.goto(shopUrl)
    expect(await sendFrom(page, { url: `${api}/pets` })).toMatchObject({ status: 200 })
    expect(sandbox.requests.list()).toHaveLength(1)
    await page.context().close()
  })

  test.describe('that outlive a test', () => {
    test.describe.configure({ mode: 'serial' })

    test('are its own', async ({ hanging, shopUrl }) => {
      const seen = await sendFrom(hanging.page, { url: '/v1/pets' })
      expect(seen).toMatchObject({ headers: { 'x-ratelimit-limit': '60' } })
      const asked = await hanging.page.request.get(`${shopUrl}v1/pets`)
      expect(asked.headers()).toMatchObject({ 'x-ratelimit-limit': '60' })
    })

    test('are left alone by the next one', async ({ hanging, sandbox, shopUrl }) => {
      const seen = await sendFrom(hanging.page, { url: '/v1/pets' })
      expect(seen).toMatchObject({ text: expect.stringContaining('Shop') })
      const asked = await hanging.page.request.get(`${shopUrl}v1/pets`)
      expect(await asked.text()).toContain('Shop')
      expect(sandbox.requests.list()).toEqual([])
    })
  })
})

test.describe('page.clock', () => {
  const at = '2027-01-15T08:00:20Z'
  const timeOf = (page: Page) => page.evaluate(() => Date.now())

  for (const ticks of [61_000, '00:01:01'] as const) {
    test(`takes the sandbox on by ${JSON.stringify(ticks)}`, async ({ page, sandbox }) => {
      await page.clock.install({ time: '2027-01-15T08:00:00Z' })
      await page.clock.pauseAt(at)
      await page.clock.fastForward(ticks)
      expect(sandbox.clock.read()).toMatchObject({ now: '2027-01-15T08:01:21Z', mode: 'frozen' })
      expect(await timeOf(page)).toBe(sandbox.clock.now())
      await page.clock.runFor(1_000)
      expect(await timeOf(page)).toBe(sandbox.clock.now())
    })
  }

  test('leaves it to Playwright to reject what is no time', async ({ page, sandbox }) => {
    sandbox.clock.freeze()
    const before = sandbox.clock.now()
    for (const ticks of ['61', '1:1', 'soon', Number.NaN]) {
      await expect(page.clock.fastForward(ticks)).rejects.toThrow()
    }
    expect(sandbox.clock.now()).toBe(before)
  })

  test('sets the time of the sandbox, which goes on or stands still as it does', async ({
    page,
    sandbox,
  }) => {
    await page.clock.setFixedTime(at)
    expect(sandbox.clock.read()).toMatchObject({ now: at, mode: 'frozen' })
    await page.clock.resume()
    expect(sandbox.clock.read().mode).not.toBe('frozen')
    await page.clock.setSystemTime(new Date('2030-01-01'))
    const { now } = sandbox.clock.read()
    expect(now).toContain('2030-01-01T00:00:0')
  })

  test('has moved the sandbox when a timer of the page is due', async ({ blankPage, sandbox }) => {
    await blankPage.clock.install({ time: at })
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    await blankPage.evaluate(() => {
      const headers = { authorization: 'Bearer free-key' }
      setTimeout(async () => {
        const { status } = await fetch('/v1/pets', { headers })
        document.title = String(status)
      }, 40_000)
    })
    await blankPage.clock.fastForward(40_000)
    await expect(blankPage).toHaveTitle('200')
  })
})

test.describe('routeRequests()', () => {
  test('gives two contexts one store', async ({ blankPage, browser, sandbox }) => {
    const context = await browser.newContext()
    await routeRequests(context, sandbox)
    const page = await context.newPage()
    await page.goto('http://shop.test/v1/pets')
    const headers = { 'content-type': 'application/json' }
    const body = '{"name":"Rex","categoryId":1}'
    await sendFrom(page, { url: '/v1/pets', method: 'POST', headers, body })
    const seen = await sendFrom(blankPage, { url: `${api}/pets/31` })
    expect(seen).toMatchObject({ text: expect.stringContaining('"Rex"') })
    await context.close()
  })

  test('rejects options that it does not know', async ({ context, sandbox }) => {
    const options = { baseURL: 'https://api.petstore.test/v1' } as RouteOptions
    await expect(routeRequests(context, sandbox, options)).rejects.toThrow(
      'Cannot set baseURL: unknown property; use apiUrl',
    )
    await expect(routeRequests(context, sandbox, { apiUrl: 'api' })).rejects.toThrow(
      'Cannot set apiUrl: found "api"; use a URL such as',
    )
  })
})

/** How a page's client leaves. */
const departures: readonly {
  readonly what: string
  readonly leave: (page: Page) => Promise<unknown>
}[] = [
  { what: 'gives up', leave: (page) => page.evaluate('controller.abort()') },
  { what: 'goes elsewhere', leave: (page) => page.goto('about:blank') },
  { what: 'is closed', leave: (page) => page.close() },
  { what: 'is closed with its context', leave: (page) => page.context().close() },
]

test.describe('what waits for a response', () => {
  for (const { what, leave } of departures) {
    test(`ends when its page ${what}`, async ({ browser, sandbox, shopUrl }) => {
      const context = await browser.newContext()
      await routeRequests(context, sandbox)
      const page = await context.newPage()
      await page.goto(shopUrl)
      sandbox.faults.add({ fault: 'latency', ms: '1d' })
      const asked = page.waitForRequest('**/v1/pets')
      await page.evaluate(() => {
        const controller = new AbortController()
        Object.assign(globalThis, { controller })
        fetch('/v1/pets', { signal: controller.signal }).catch(() => {})
      })
      await asked
      await expect.poll(() => sandbox.faults.list()[0]?.applied).toBe(1)
      expect(sandbox.requests.list()).toEqual([])
      await leave(page)
      await expect
        .poll(() => sandbox.requests.last()?.why)
        .toContain('the client left before the response')
      await context.close()
    })
  }

  test('ends when the sandbox is reset', async ({ blankPage, sandbox }) => {
    sandbox.faults.add({ fault: 'timeout' })
    const sent = sendFrom(blankPage, { url: '/v1/pets' })
    await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
    sandbox.reset()
    expect(await sent).toEqual(failed)
  })

  test.describe('when its test ends', () => {
    test.describe.configure({ mode: 'serial' })

    test('is there', async ({ hanging, sandbox }) => {
      const { page, sent } = hanging
      await routeRequests(page.context(), sandbox)
      sandbox.faults.add({ fault: 'timeout' })
      sent.push(sendFrom(page, { url: '/v1/pets' }))
      await expect.poll(() => sandbox.requests.list()).toHaveLength(1)
    })

    test('ends', async ({ hanging }) => {
      expect(await Promise.all(hanging.sent)).toEqual([failed])
    })
  })
})

/** What a page of another origin asks for. */
const crossOriginRequests: readonly (RequestInit & { readonly what: string })[] = [
  { what: 'a simple GET' },
  { what: 'a GET with a header of its own', headers: { 'x-own': '1' } },
  { what: 'a HEAD', method: 'HEAD' },
  {
    what: 'a POST of JSON',
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  },
  { what: 'a POST of text', method: 'POST', body: 'Rex' },
  { what: 'a PUT', method: 'PUT', body: '{}' },
  { what: 'a DELETE', method: 'DELETE' },
  { what: 'a PATCH in lower case', method: 'patch' },
  { what: 'an OPTIONS', method: 'OPTIONS' },
  { what: 'a GET with credentials', credentials: 'include' },
  { what: 'a GET that follows no redirect', redirect: 'error' },
  { what: 'a GET without CORS', mode: 'no-cors' },
  { what: 'a GET of the same origin only', mode: 'same-origin' },
]

const failed: Seen = { error: 'TypeError' }

async function* inTurn(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces
}

test.describe('CORS', () => {
  test.use({ sandboxOptions: start, apiUrl: routedUrl })

  test('keeps a response from a page that sends credentials, but not the request itself', async ({
    blankPage,
    sandbox,
  }) => {
    // The process would not see this request: Playwright does not tell that it carries credentials.
    const seen = await sendFrom(blankPage, {
      url: `${routedUrl}/pets`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
      credentials: 'include',
    })
    expect(seen).toEqual(failed)
    expect(sandbox.pets.size).toBe(31)
  })

  test('treats requests as the process does', async ({ served }) => {
    const { server, page, sandbox, routedPage } = served
    for (const { what, ...init } of crossOriginRequests) {
      for (const one of [server.sandbox, sandbox]) one.reset()
      for (const key of ['free-key', null, 'free-key']) {
        const request = { ...init, key }
        expect(await sendFrom(routedPage, { ...request, url: `${routedUrl}/pets` }), what).toEqual(
          await sendFrom(page, { ...request, url: `${server.url}/v1/pets` }),
        )
      }
      expect(sandbox.pets.size, what).toBe(server.sandbox.pets.size)
    }
  })
})

test.describe('an outcome', () => {
  test('disconnect fails the request', async ({ blankPage, context }) => {
    await routeRequests(context, { handle: async () => ({ kind: 'disconnect' }) })
    expect(await sendFrom(blankPage, { url: '/v1/pets' })).toEqual(failed)
  })

  test('timeout leaves the page without a response until it gives up', async ({
    blankPage,
    context,
  }) => {
    const ended = new Promise<void>(() => {})
    await routeRequests(context, { handle: async () => ({ kind: 'timeout', ended }) })
    const error = await blankPage.evaluate(() =>
      fetch('/v1/pets', { signal: AbortSignal.timeout(250) }).catch((error: Error) => error.name),
    )
    expect(error).toBe('TimeoutError')
  })

  test('with 204 has no body, and no length', async ({ blankPage, context }) => {
    for (const kind of ['response', 'broken-response'] as const) {
      const reply = { status: 204, headers: { 'content-length': '0', 'x-own': '1' }, body: '' }
      const sent = { pieces: inTurn(['']), end: 'whole' } as const
      await routeRequests(context, { handle: async () => ({ kind, ...reply, ...sent }) })
      const seen = await sendFrom(blankPage, { url: '/v1/pets' })
      expect(seen).toEqual({ status: 204, headers: { 'x-own': '1' }, text: '' })
    }
  })

  test('broken-response comes whole or not at all', async ({ blankPage, context }) => {
    for (const end of ['whole', 'close', 'reset'] as const) {
      const pieces = ['[', ']'].slice(0, end === 'whole' ? 2 : 1)
      const reply = { status: 200, headers: { 'content-length': '2' }, body: '[]' }
      await routeRequests(context, {
        handle: async () => ({ kind: 'broken-response', ...reply, pieces: inTurn(pieces), end }),
      })
      const seen = await sendFrom(blankPage, { url: '/v1/pets' })
      expect(seen).toEqual(end === 'whole' ? expect.objectContaining({ text: '[]' }) : failed)
    }
  })

  test('that comes after its page is closed troubles nobody', async ({ context, blankPage }) => {
    let answer: (outcome: Outcome) => void = () => {}
    const responded = new Promise<Outcome>((resolve) => {
      answer = resolve
    })
    await routeRequests(context, { handle: () => responded })
    const other = await context.newPage()
    await other.goto(blankPage.url())
    const asked = other.waitForRequest('**/v1/pets')
    const sent = sendFrom(other, { url: '/v1/pets' }).catch((error: Error) => error.message)
    await asked
    await other.close()
    expect(await sent).toContain('closed')
    answer({ kind: 'response', status: 200, headers: {}, body: '[]' })
    expect(await sendFrom(blankPage, { url: '/v1/pets' })).toMatchObject({ text: '[]' })
  })
})

test.describe('audit', () => {
  test.use({ failOn: 'error', apiUrl: api })

  /** Sends a key where anybody reads it. */
  async function tellKey(page: Page): Promise<void> {
    await sendFrom(page, { url: `${api}/pets?key=free-key` })
  }

  test('fails a test whose page misbehaves', async ({ blankPage }) => {
    test.fail(true, 'its page has the key in an address')
    await tellKey(blankPage)
  })

  test('has matchers', async ({ blankPage, sandbox }) => {
    await sendFrom(blankPage, { url: `${api}/pets?limit=2` })
    const own = expect.extend(matchers)
    await own(sandbox).toHaveNoFindings()
    await own(sandbox).toHaveReceived('listPets', { times: 1, query: { limit: 2 } })
    await own(sandbox).not.toHaveSeenRetry('listPets')
    expect(() => own(sandbox).toHaveSeenDuplicate('createPet')).toThrow(
      "expect(sandbox).toHaveSeenDuplicate('createPet')",
    )
  })
})
