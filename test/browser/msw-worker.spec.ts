import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test as base, expect, type Page } from '@playwright/test'
import { msw } from 'msw/vite'
import type * as mswWorker from '../../src/adapters/msw-worker.ts'
import type { FaultSettings } from '../../src/contract/faults.ts'
import type * as index from '../../src/index.ts'
import { serveWithVite } from '../serve-with-vite.ts'

// What `page/main.ts` gives to the functions that are run in the page.
declare const startWorker: typeof mswWorker.startWorker
declare const createSandbox: typeof index.createSandbox
declare let sandbox: index.Sandbox

const test = base.extend<{ messages: string[] }, { pageUrl: string }>({
  pageUrl: [
    async ({ browserName: _ }, use) => {
      const plugins = [msw({ mode: 'worker-only' })]
      const server = await serveWithVite('test/browser/page', { plugins })
      await use(server.url)
      await server.close()
    },
    { scope: 'worker' },
  ],
  // The sandbox's warnings on the page's console.
  messages: async ({ page }, use) => {
    const messages: string[] = []
    page.on('console', (message) => {
      if (message.text().startsWith('[petstore-sandbox]')) messages.push(message.text())
    })
    await use(messages)
  },
  page: async ({ page, pageUrl }, use) => {
    await page.goto(pageUrl)
    await use(page)
  },
})

type Options = Parameters<typeof mswWorker.startWorker>[1]

/** Starts the worker in a page; the sandbox becomes a global of it. */
async function start(page: Page, options: Options = {}): Promise<void> {
  await page.waitForFunction('globalThis.startWorker !== undefined')
  await page.evaluate(async (options) => {
    Object.assign(globalThis, { sandbox: createSandbox() })
    await startWorker(sandbox, { quiet: true, ...options })
  }, options)
}

/** Asks for the pets from the page; gives the status, or the name of the error. */
function listPets(page: Page): Promise<number | string> {
  return page.evaluate(() =>
    fetch('/v1/pets', { headers: { authorization: 'Bearer free-key' } })
      .then(async (response) => {
        await response.text()
        return response.status
      })
      .catch((error: Error) => error.name),
  )
}

function addPet(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
    const body = '{"name":"Rex","categoryId":1}'
    return (await fetch('/v1/pets', { method: 'POST', headers, body })).status
  })
}

/** How many pets the page's sandbox has. */
function countPets(page: Page): Promise<number> {
  return page.evaluate(() => sandbox.pets.size)
}

test.describe('startWorker()', () => {
  test('answers what is sent before the worker is ready', async ({ page }) => {
    await page.waitForFunction('globalThis.startWorker !== undefined')
    const statuses = await page.evaluate(async () => {
      const started = startWorker(createSandbox(), { quiet: true })
      const fetched = fetch('/v1/pets').then(({ status }) => status)
      const request = new XMLHttpRequest()
      request.open('GET', '/v1/pets')
      request.send()
      const loaded = new Promise((resolve) => {
        request.onloadend = () => resolve(request.status)
      })
      await started
      return [await fetched, await loaded]
    })
    expect(statuses).toEqual([401, 401])
  })

  test('answers after a forced reload, from which the worker does not have the page', async ({
    page,
  }) => {
    await start(page)
    const session = await page.context().newCDPSession(page)
    const loaded = page.waitForEvent('load')
    await session.send('Page.reload', { ignoreCache: true })
    await loaded
    await start(page)
    expect(await listPets(page)).toBe(200)
  })

  test('begins anew at a reload', async ({ page }) => {
    await start(page)
    expect(await addPet(page)).toBe(201)
    await page.reload()
    await start(page)
    expect(await countPets(page)).toBe(30)
  })

  for (const persist of ['session', 'local'] as const) {
    test(`keeps what happened over a reload in ${persist}Storage`, async ({ page, messages }) => {
      await start(page, { persist })
      expect(await addPet(page)).toBe(201)
      await page.evaluate(() => sandbox.keys.setRemaining('free-key', { minute: 0 }))
      await page.reload()
      await start(page, { persist })
      expect(await countPets(page)).toBe(31)
      expect(await listPets(page)).toBe(429)
      expect(messages).toEqual([])
    })
  }

  test('shares what localStorage keeps with a page that is opened later', async ({
    page,
    pageUrl,
  }) => {
    await start(page, { persist: 'local' })
    await addPet(page)
    await page.waitForFunction(() => localStorage.getItem('petstore-sandbox')?.includes('Rex'))
    const other = await page.context().newPage()
    await other.goto(pageUrl)
    await start(other, { persist: 'local' })
    expect(await countPets(other)).toBe(31)
  })

  test('goes on in memory, and says so, when the storage is full', async ({ page, messages }) => {
    await page.waitForFunction('globalThis.startWorker !== undefined')
    await page.evaluate(() => {
      // Storages hold some five million characters.
      for (let length = 5_000_000; length >= 1; length = Math.floor(length / 2)) {
        try {
          localStorage.setItem(`filler ${length}`, 'x'.repeat(length))
        } catch {
          // So much has no place any more.
        }
      }
    })
    await start(page, { persist: 'local' })
    expect(await addPet(page)).toBe(201)
    expect(await countPets(page)).toBe(31)
    expect(messages).toEqual([
      expect.stringMatching(
        /^\[petstore-sandbox\] Cannot keep the sandbox's state in localStorage: .*quota/,
      ),
    ])
  })

  test('goes on in memory, and says so, when storages are forbidden', async ({
    page,
    messages,
  }) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'sessionStorage', {
        get() {
          throw new DOMException('Access is denied for this document.', 'SecurityError')
        },
      })
    })
    await page.reload()
    await start(page, { persist: 'session' })
    expect(await addPet(page)).toBe(201)
    expect(messages).toEqual([expect.stringContaining('Access is denied for this document.')])
  })

  test('drops state that is broken, and says so', async ({ page, messages }) => {
    await page.evaluate(() => localStorage.setItem('petstore-sandbox', '{"pets":'))
    await start(page, { persist: 'local' })
    expect(await countPets(page)).toBe(30)
    expect(messages).toEqual([
      expect.stringMatching(/Cannot restore the sandbox's state from localStorage: /),
    ])
  })

  test('says that the script is missing, and lets nothing through', async ({ page }) => {
    await page.waitForFunction('globalThis.startWorker !== undefined')
    const errors = await page.evaluate(async () => {
      const options = { serviceWorker: { url: '/nowhere/mockServiceWorker.js' } }
      const started = startWorker(createSandbox(), options).catch((error: Error) => error.message)
      const sent = fetch('/v1/pets').catch((error: Error) => error.name)
      return [await started, await sent]
    })
    expect(errors).toEqual([
      expect.stringMatching(
        /^Cannot start the worker: found .* at .*\/nowhere\/mockServiceWorker\.js; run "npx msw init/,
      ),
      'TypeError',
    ])
  })

  test('says that the script is of another version of MSW', async ({ page }) => {
    const path = createRequire(import.meta.url).resolve('msw2/mockServiceWorker.js')
    await page.route('**/mockServiceWorker.js', (route) =>
      route.fulfill({ contentType: 'text/javascript', body: readFileSync(path, 'utf8') }),
    )
    await expect(start(page)).rejects.toThrow(/is of MSW 2\.\d+\.\d+, and the page has MSW 3/)
  })

  test('says that the page is outside of its scope', async ({ page, pageUrl }) => {
    const body = await page.request.get(`${pageUrl}mockServiceWorker.js`)
    // Playwright routes what a page fetches, and the scripts of workers where the context does.
    await page
      .context()
      .route('**/scripts/mockServiceWorker.js', async (route) =>
        route.fulfill({ contentType: 'text/javascript', body: await body.body() }),
      )
    await expect(
      start(page, { serviceWorker: { url: '/scripts/mockServiceWorker.js' } }),
    ).rejects.toThrow('is outside of it; put the script at the root')
  })
})

test.describe('a fault', () => {
  const cases: readonly { readonly fault: FaultSettings; readonly seen: number | string }[] = [
    { fault: { fault: 'status', status: 503 }, seen: 503 },
    { fault: { fault: 'disconnect' }, seen: 'TypeError' },
    { fault: { fault: 'disconnect', when: 'body' }, seen: 'TypeError' },
    { fault: { fault: 'slow-body', ms: 100 }, seen: 200 },
  ]
  for (const { fault, seen } of cases) {
    test(`${JSON.stringify(fault)} gives the page: ${seen}`, async ({ page }) => {
      await start(page)
      await page.evaluate((fault) => sandbox.faults.add(fault), fault)
      expect(await listPets(page)).toBe(seen)
    })
  }

  test('timeout leaves the page without an answer until it gives up', async ({ page }) => {
    await start(page)
    const error = await page.evaluate(() => {
      sandbox.faults.add({ fault: 'timeout' })
      return fetch('/v1/pets', { signal: AbortSignal.timeout(200) }).catch(
        (error: Error) => error.name,
      )
    })
    expect(error).toBe('TimeoutError')
  })
})
