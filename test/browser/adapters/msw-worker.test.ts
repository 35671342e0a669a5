import { randomUUID } from 'node:crypto'
import type { ConsoleMessage, Page } from 'playwright'
import { afterAll, test as base, beforeAll, describe, expect, onTestFinished } from 'vitest'
import type { WorkerOptions } from '../../../src/adapters/msw-worker.ts'
import { browser } from '../../kit/browser.ts'
import type { parts as pageParts } from './worker-page/page.ts'
import { buildPage, type MswName, type Site, serve, workerScript } from './worker-page/site.ts'

/** Known in the page only. */
declare const parts: typeof pageParts

const workerPath = '/mockServiceWorker.js'

/** What {@link start} leaves in the page. */
interface PageGlobals {
  readonly sandbox: ReturnType<typeof parts.createSandbox>
}

/** A tab that goes from site to site: a new one for each test would take most of the time. */
let tab: Page
const pages = new Map<MswName, string>()

beforeAll(async () => {
  tab = await (await browser.newContext()).newPage()
  for (const name of ['msw', 'msw2'] as const) pages.set(name, await buildPage(name))
})
afterAll(() => tab.context().close())

interface Fixtures {
  /** The version of MSW that the page has. */
  readonly msw: MswName
  /** Text by path. */
  readonly files: Readonly<Record<string, string>>
  readonly site: Site
  readonly page: Page
  /** The warnings on the page's console. */
  readonly warnings: readonly string[]
}

const it = base.extend<Fixtures>({
  msw: 'msw',
  files: async ({ msw }, use) => use({ [workerPath]: workerScript(msw) }),
  site: async ({ msw, files }, use) => {
    // An origin that no test before has had: the browser has kept nothing for it, but has a process for its domain.
    const host = `${randomUUID()}.shop.localhost`
    const site = await serve(pages.get(msw) ?? '', files, { host })
    await use(site)
    await site.close()
  },
  page: async ({ site }, use) => {
    await tab.goto(site.url)
    await use(tab)
    tab.removeAllListeners()
    await tab.unrouteAll()
    await endWorkers(tab, site)
  },
  warnings: async ({ page }, use) => {
    const warnings: string[] = []
    page.on('console', (message: ConsoleMessage) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    await use(warnings)
  },
})

/** Ends the workers of a site, which would run on for half a minute. */
async function endWorkers(page: Page, { url }: Site): Promise<void> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  const storageTypes = 'service_workers'
  await session.send('Storage.clearDataForOrigin', { origin: new URL(url).origin, storageTypes })
  await session.detach()
}

/** Starts the worker in a page, and gives the message of the error if it can't be. */
function start(page: Page, options: WorkerOptions = {}): Promise<string | undefined> {
  return page.evaluate(async (options) => {
    const sandbox = parts.createSandbox({ clock: { now: '2026-01-01', mode: 'frozen' } })
    Object.assign(globalThis, { sandbox })
    try {
      const worker = await parts.startWorker(sandbox, { quiet: true, ...options })
      Object.assign(globalThis, { worker })
      return undefined
    } catch (error) {
      return (error as Error).message
    }
  }, options)
}

/** Sends a request from a page, with the key of the Free plan, and gives status and text. */
function send(page: Page, url: string): Promise<{ status: number; remaining: string | null }> {
  return page.evaluate(async (url) => {
    const response = await fetch(url, { headers: { authorization: 'Bearer free-key' } })
    await response.text()
    return { status: response.status, remaining: response.headers.get('x-ratelimit-remaining') }
  }, url)
}

describe.each(['msw', 'msw2'] as const)('startWorker() with %s', (name) => {
  it.override('msw', name)

  it('handles the requests of the page', async ({ page, site }) => {
    expect(await start(page)).toBeUndefined()
    expect(await send(page, '/v1/pets')).toEqual({ status: 200, remaining: '59' })
    expect(await send(page, 'https://api.petstore.test/v1/pets/1')).toMatchObject({ status: 200 })
    expect(site.asked.filter((path) => path !== workerPath)).toEqual([])
  })

  it('lets no request pass by while it starts, the first time and after a reload', async ({
    page,
    site,
  }) => {
    for (const _ of ['first', 'again']) {
      const statuses = await page.evaluate(async () => {
        const started = parts.startWorker(parts.createSandbox(), { quiet: true })
        const early = fetch('/v1/pets')
        const request = new XMLHttpRequest()
        request.open('GET', '/v1/pets')
        const loaded = new Promise((resolve) => request.addEventListener('loadend', resolve))
        request.send()
        await started
        await loaded
        return [(await early).status, request.status, (await fetch('/v1/pets')).status]
      })
      expect(statuses).toEqual([401, 401, 401])
      await page.reload()
    }
    expect(site.asked.filter((path) => path !== workerPath)).toEqual([])
  })

  it.for([
    { onUnhandledRequest: 'bypass', isWarned: false, isSent: true },
    { onUnhandledRequest: 'warn', isWarned: true, isSent: true },
    { onUnhandledRequest: 'error', isWarned: true, isSent: false },
  ] as const)(
    'does with what it does not answer as it is told: $onUnhandledRequest',
    async (one, { page, site, warnings }) => {
      const { onUnhandledRequest, isWarned, isSent } = one
      await start(page, { onUnhandledRequest })
      await send(page, '/elsewhere').catch(() => {})
      expect(warnings.some((text) => text.includes('[MSW]'))).toBe(isWarned)
      expect(site.asked.includes('/elsewhere')).toBe(isSent)
    },
  )

  it('breaks connections off as faults say', async ({ page }) => {
    await start(page)
    const outcomes = await page.evaluate(async () => {
      const { sandbox } = globalThis as unknown as PageGlobals
      const headers = { authorization: 'Bearer free-key' }
      const get = async (init: RequestInit = {}): Promise<string> => {
        try {
          const response = await fetch('/v1/pets', { headers, ...init })
          return await response.text().then(
            () => `${response.status} whole`,
            (error: Error) => `${response.status} ${error.name}`,
          )
        } catch (error) {
          return (error as Error).name
        }
      }
      sandbox.faults.add({ fault: 'disconnect', times: 1 })
      const disconnect = await get()
      sandbox.faults.add({ fault: 'truncated-body', times: 1 })
      const truncated = await get()
      sandbox.faults.add({ fault: 'timeout', times: 1 })
      const timeout = await get({ signal: AbortSignal.timeout(200) })
      return { disconnect, truncated, timeout, after: await get() }
    })
    expect(outcomes).toEqual({
      disconnect: 'TypeError',
      truncated: '200 TypeError',
      timeout: 'TimeoutError',
      after: '200 whole',
    })
  })

  describe('with the script of another version', () => {
    it.override('files', { [workerPath]: workerScript(name === 'msw' ? 'msw2' : 'msw') })

    it('says so', async ({ page }) => {
      const message = await start(page)
      expect(message).toContain(name === 'msw' ? 'is from MSW 2.' : 'is from MSW 3.')
      expect(message).toContain(name === 'msw' ? 'the page uses MSW 3' : 'the page uses MSW 2')
    })
  })
})

describe('startWorker()', () => {
  it('sets up the scenario that the address names, and warns of an unknown one', async ({
    page,
    warnings,
  }) => {
    const startIn = async (scenario: string) => {
      await page.reload()
      await page.evaluate((query) => history.replaceState(null, '', query), `?scenario=${scenario}`)
      expect(await start(page)).toBeUndefined()
      return (await send(page, '/v1/pets')).status
    }
    expect(await startIn('down')).toBe(503)
    await page.evaluate(() => history.replaceState(null, '', '/'))
    expect(await startIn('up')).toBe(200)
    expect(warnings.filter((text) => text.includes('found "up"; use one of '))).toHaveLength(1)
  })

  it('responds at the base URL that it is given, and leaves the rest alone', async ({ page }) => {
    const baseUrl = 'https://api.petstore.test/v1'
    await start(page, { baseUrl, onUnhandledRequest: 'bypass' })
    expect(await send(page, `${baseUrl}/pets`)).toMatchObject({ status: 200 })
    expect(await send(page, '/v1/pets')).toMatchObject({ status: 404, remaining: null })
  })

  it('ends what hangs when the sandbox is reset', async ({ page }) => {
    await start(page)
    const ended = await page.evaluate(async () => {
      const { sandbox } = globalThis as unknown as PageGlobals
      const headers = { authorization: 'Bearer free-key' }
      const get = () => fetch('/v1/pets', { headers }).then(({ status }) => status)
      sandbox.faults.add({ fault: 'timeout', times: 1 })
      sandbox.faults.add({ fault: 'latency', ms: '1d', times: 1, skip: 1 })
      const received = new Promise<void>((resolve) => sandbox.requests.onRequest(() => resolve()))
      const requests = [get().catch((error: Error) => error.name), get()]
      await received
      sandbox.reset()
      return Promise.all(requests)
    })
    expect(ended).toEqual(['TypeError', 200])
  })

  it('is not told that a client has left, and goes on waiting', async ({ page }) => {
    await start(page)
    const entries = await page.evaluate(async () => {
      const { sandbox } = globalThis as unknown as PageGlobals
      sandbox.faults.add({ fault: 'latency', ms: '1m', times: 1 })
      const controller = new AbortController()
      const { signal } = controller
      const left = fetch('/v1/pets/1', { signal }).catch((error: Error) => error.name)
      while (sandbox.faults.list()[0]?.applied !== 1) await new Promise((go) => setTimeout(go, 1))
      controller.abort()
      await left
      await fetch('/v1/pets')
      const before = sandbox.requests.list().map(({ request }) => request.url)
      const received = new Promise<void>((resolve) => sandbox.requests.onRequest(() => resolve()))
      sandbox.clock.advance('1m')
      await received
      return [before, sandbox.requests.list().map(({ request }) => request.url)]
    })
    expect(entries).toEqual([['/v1/pets'], ['/v1/pets', '/v1/pets/1']])
  })

  it('shows a panel that goes with it', async ({ page }) => {
    await start(page, { panel: 'always' })
    await send(page, '/v1/pets')
    await page.getByRole('button', { name: 'Sandbox panel' }).click()
    await page.getByRole('dialog').getByRole('row', { name: 'GET /v1/pets' }).first().waitFor()
    await page.evaluate('worker.stop()')
    expect(await page.locator('petstore-panel').count()).toBe(0)
    expect(await send(page, '/v1/pets')).toMatchObject({ status: 404, remaining: null })
  })

  it('rejects what it does not take, and lets requests pass', async ({ page }) => {
    for (const [options, says] of [
      [{ handler: [] }, 'Cannot set handler: unknown property; did you mean handlers?'],
      [{ handlers: [{}] }, 'Cannot set handlers[0]: found an object; use one of'],
      [{ persist: 'cookie' }, 'Cannot set persist: found "cookie"; use one of local'],
      [{ panel: 'sometimes' }, 'Cannot set panel: found "sometimes"; use true or'],
      [{ serviceWorker: { scope: '/' } }, 'Cannot set serviceWorker.scope: unknown'],
    ] as const) {
      expect(await start(page, options as unknown as WorkerOptions)).toContain(says)
    }
    expect(await send(page, '/v1/pets')).toMatchObject({ status: 404, remaining: null })
  })

  it('shows no panel in a browser that a program drives', async ({ page }) => {
    await start(page, { panel: true })
    expect(await page.locator('petstore-panel').count()).toBe(0)
  })

  it('shows one panel, though it is started again', async ({ page }) => {
    await start(page, { panel: 'always' })
    await start(page, { panel: 'always' })
    expect(await page.locator('petstore-panel').count()).toBe(1)
  })

  it('takes other handlers, which go before', async ({ page }) => {
    const texts = await page.evaluate(async () => {
      const handlers = [parts.http.get('/v1/pets', () => new Response('Maintenance'))]
      await parts.startWorker(parts.createSandbox(), { quiet: true, handlers })
      const text = async (url: string) => (await fetch(url)).text()
      return [await text('/v1/pets'), await text('/v1/pets/1')]
    })
    expect(texts).toEqual(['Maintenance', expect.stringContaining('unauthorized')])
  })

  it('sends what can be sent, though something else that waited can not', async ({ page }) => {
    const errors: string[] = []
    page.on('pageerror', ({ name }) => errors.push(name))
    const statuses = await page.evaluate(async () => {
      const started = parts.startWorker(parts.createSandbox(), { quiet: true })
      const request = new XMLHttpRequest()
      request.open('GET', '/v1/pets')
      const loaded = new Promise((resolve) => request.addEventListener('loadend', resolve))
      request.send()
      // A second time: a browser rejects that.
      request.send()
      const early = fetch('/v1/pets')
      await started
      await loaded
      return [request.status, (await early).status]
    })
    expect(statuses).toEqual([401, 401])
    expect(errors).toEqual(['InvalidStateError'])
  })

  it('takes the page over after a forced reload, and lets no request pass by', async ({ site }) => {
    const page = await tab.context().newPage()
    onTestFinished(() => page.close())
    await page.goto(site.url)
    // As an app does: at once, each time it is loaded.
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', async () => {
        const started = parts.startWorker(parts.createSandbox(), { quiet: true })
        const early = fetch('/v1/pets')
        await started
        document.title = `answered with ${(await early).status}`
      })
    })
    await page.reload()
    await expect.poll(() => page.title()).toBe('answered with 401')
    const session = await page.context().newCDPSession(page)
    await session.send('Page.reload', { ignoreCache: true })
    await expect
      .poll(() => page.evaluate('document.title').catch(() => ''))
      .toBe('answered with 401')
    expect(site.asked.filter((path) => path !== workerPath)).toEqual([])
  })

  describe('persist', () => {
    it.for(['local', 'session'] as const)(
      'goes on after a reload: %s',
      async (persist, { page }) => {
        await start(page, { persist })
        await send(page, '/v1/pets')
        await page.evaluate('sandbox.clock.advance("1s"); sandbox.setRateLimits("report-only")')
        await page.reload()
        await start(page, { persist })
        expect(await send(page, '/v1/pets')).toMatchObject({ remaining: '58' })
        expect(await page.evaluate('[sandbox.clock.read().now, sandbox.rateLimits]')).toEqual([
          '2026-01-01T00:00:01Z',
          'report-only',
        ])
      },
    )

    it.for([
      { persist: 'local', remaining: '58' },
      { persist: 'session', remaining: '59' },
    ] as const)(
      'goes on in another tab: $persist',
      async ({ persist, remaining }, { page, site }) => {
        await start(page, { persist })
        await send(page, '/v1/pets')
        await page.goto('about:blank')
        const other = await page.context().newPage()
        onTestFinished(() => other.close())
        await other.goto(site.url)
        await start(other, { persist })
        expect(await send(other, '/v1/pets')).toMatchObject({ remaining })
      },
    )

    it('stores the state though the page does not end in order', async ({ page }) => {
      await start(page, { persist: 'local' })
      const stored = (): Promise<unknown> =>
        page.evaluate('localStorage.getItem("petstore-sandbox")')
      const before = await stored()
      await send(page, '/v1/pets')
      await expect.poll(stored).not.toBe(before)
    })

    it.for(['{"petstoreSandbox":1,', '{"petstoreSandbox":1,"clock":{}}'])(
      'says that stored state is broken, and drops it: %s',
      async (text, { page, warnings }) => {
        await page.evaluate((text) => localStorage.setItem('petstore-sandbox', text), text)
        expect(await start(page, { persist: 'local' })).toBeUndefined()
        expect(warnings).toHaveLength(1)
        expect(warnings[0]).toContain("Cannot restore the sandbox's state from localStorage")
        expect(await send(page, '/v1/pets')).toMatchObject({ status: 200, remaining: '59' })
      },
    )

    it('says once that the storage is full, drops what is there, and goes on', async ({
      page,
      warnings,
    }) => {
      await start(page, { persist: 'local' })
      await page.evaluate(() => {
        localStorage.setItem('other', 'x'.repeat(5_000_000))
        const pets = Array.from({ length: 5_000 }, (_, index) => ({
          id: 1_000 + index,
          name: 'Rex'.repeat(20),
          categoryId: 1,
        }))
        const { sandbox } = globalThis as unknown as PageGlobals
        sandbox.pets.create(pets)
      })
      await send(page, '/v1/pets')
      await expect.poll(() => warnings).toHaveLength(1)
      expect(warnings[0]).toContain("Cannot keep the sandbox's state in localStorage")
      await send(page, '/v1/pets')
      expect(await page.evaluate('localStorage.getItem("petstore-sandbox")')).toBeNull()
      expect(warnings).toHaveLength(1)
    })

    it('says once that storage is forbidden, and goes on', async ({ page, warnings }) => {
      await page.evaluate(() => {
        Object.defineProperty(globalThis, 'sessionStorage', {
          get() {
            throw new DOMException('Access is denied', 'SecurityError')
          },
        })
      })
      expect(await start(page, { persist: 'session' })).toBeUndefined()
      expect(await send(page, '/v1/pets')).toMatchObject({ status: 200 })
      expect(warnings).toEqual([expect.stringContaining('Access is denied')])
    })
  })

  describe('without its script', () => {
    it.override('files', {})

    it('says that there is none, and how to get it', async ({ page }) => {
      const message = await start(page)
      expect(message).toContain('Cannot start the worker: found status 404 at http://')
      expect(message).toContain('npx msw init')
    })

    it('lets requests that waited for it fail, and those that follow pass', async ({
      page,
      site,
    }) => {
      const outcomes = await page.evaluate(async () => {
        const started = parts.startWorker(parts.createSandbox())
        const early = fetch('/v1/pets')
        const request = new XMLHttpRequest()
        request.open('GET', '/v1/pets')
        const failed = new Promise((resolve) => request.addEventListener('error', resolve))
        request.send()
        const name = (error: Error) => error.name
        await started.catch(name)
        await failed
        return [await early.catch(name), (await fetch('/v1/pets')).status]
      })
      expect(outcomes).toEqual(['TypeError', 404])
      expect(site.asked.filter((path) => path !== workerPath)).toEqual(['/v1/pets'])
    })
  })

  it.for([
    { found: 'a page', text: '<!doctype html><title>Shop</title>', says: 'found text/html' },
    {
      found: 'another worker',
      text: 'addEventListener("fetch", () => {})',
      says: "not MSW's worker script",
    },
  ])('says that it finds $found in place of the script', async ({ text, says }, { page }) => {
    await page.route(`**${workerPath}`, (route) =>
      route.fulfill({
        body: text,
        contentType: text.startsWith('<') ? 'text/html' : 'text/javascript',
      }),
    )
    expect(await start(page)).toContain(says)
  })

  describe('with a script that does not cover the page', () => {
    it.override('files', { '/sub/mockServiceWorker.js': workerScript('msw') })

    it('says so', async ({ page }) => {
      const serviceWorker = { url: '/sub/mockServiceWorker.js' }
      expect(await start(page, { serviceWorker })).toContain('is outside it')
    })

    it('covers a page below it', async ({ page, site }) => {
      await page.goto(`${site.url}sub/`)
      const serviceWorker = { url: '/sub/mockServiceWorker.js' }
      expect(await start(page, { serviceWorker })).toBeUndefined()
      expect(await send(page, '/v1/pets')).toMatchObject({ status: 200 })
    })
  })
})
