import { execFileSync } from 'node:child_process'
import { copyFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { startServer } from 'petstore-sandbox/server'
import { build } from 'vite'
import { findBrowser } from '../../../scripts/browsers.ts'
import { serveBusySandbox } from '../../../scripts/console/busy-sandbox.ts'
import { placeNames } from '../../../src/console/model/route.ts'
import { toJson } from '../../../src/mock/api/json.ts'
import { type DrivenPage, driveFirefox, driveWebKit } from '../../kit/driven-page.ts'
import { serveFolder } from '../../kit/open-server.ts'

const program = fileURLToPath(new URL('../../../bin/petstore-sandbox', import.meta.url))

const browsers = [
  { name: 'Firefox', path: findBrowser('firefox'), drive: driveFirefox },
  { name: 'WebKit', path: findBrowser('webkit'), drive: driveWebKit },
] as const

/** A page under MSW's worker, with the panel, as files to be served. */
async function buildWorkerPage(folder: string): Promise<void> {
  const input = fileURLToPath(new URL('page/worker-page.ts', import.meta.url))
  const output = { entryFileNames: 'page.js' }
  await build({
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, target: 'es2022', rolldownOptions: { input, output } },
  })
  const script = fileURLToPath(import.meta.resolve('msw/mockServiceWorker.js'))
  copyFileSync(script, `${folder}/mockServiceWorker.js`)
  const markup = '<!doctype html><title>Shop</title><script type="module" src="page.js"></script>'
  writeFileSync(`${folder}/index.html`, markup)
}

const textOf = (selector: string) => `document.querySelector('${selector}')?.textContent`

/** Clicks on a button, by its name, which has the focus then. */
async function click(page: DrivenPage, name: string, within = 'document'): Promise<void> {
  const button = `[...${within}.querySelectorAll('button')].find((one) => one.textContent === '${name}' || one.title === '${name}')`
  await page.until(button)
  await page.evaluate(`${button}.focus(), void ${button}.click()`)
}

for (const { name, path, drive } of browsers) {
  const test = base.extend<{ readonly driven: DrivenPage }, { readonly browserPage: DrivenPage }>({
    // One for all tests, since it takes longer to start than any of them.
    browserPage: [
      async ({ playwright: _ }, use) => {
        await using page = await drive(path ?? '')
        await use(page)
      },
      { scope: 'worker' },
    ],
    driven: async ({ browserPage }, use) => {
      await use(browserPage)
      await browserPage.goto('about:blank')
      browserPage.complaints.length = 0
    },
  })

  test.describe(name, () => {
    test.describe.configure({ mode: 'default' })
    test.skip(path === undefined, `There is no ${name} here: see scripts/install-browser.ts`)

    test('shows each place, a request as it comes, and sets a fault', async ({ driven: page }) => {
      await using server = await serveBusySandbox()
      for (const place of placeNames) {
        await page.goto(`${server.url}/_sandbox/ui/#/${place}`)
        await page.until(`${textOf('header')}?.includes('14:02')`)
        await page.until(`/\\w/.test(${textOf('main')})`)
        expect(await page.evaluate("document.querySelectorAll('.problem').length")).toBe(0)
      }
      await page.goto(`${server.url}/_sandbox/ui/#/requests`)
      await fetch(`${server.url}/v1/pets/12345`, { headers: { authorization: 'Bearer pro-key' } })
      await page.until(`${textOf('main')}?.includes('Cannot find pet 12345')`)
      await page.goto(`${server.url}/_sandbox/ui/#/fail`)
      await click(page, 'Arm')
      await page.until(`${textOf('main')}?.includes('all requests, once')`)
      expect(server.sandbox.faults.list().at(-1)).toMatchObject({ status: 503, times: 1 })
      // A dialog begins at its first field, and gives the focus back.
      await click(page, 'More…')
      await page.until("document.activeElement.name === 'fault'")
      await click(page, 'Cancel')
      await page.until("document.activeElement.textContent === 'More…'")
      await page.goto(`${server.url}/_sandbox/ui/#/data/keys`)
      await click(page, 'Unban')
      await page.until(`${textOf('main')}?.includes('active')`)
      await expect.poll(() => server.sandbox.keys.get('free-key').bannedUntil).toBe(undefined)
      await page.goto(`${server.url}/_sandbox/ui/#/spec/8`)
      await page.until(`${textOf('main')}?.includes('X-RateLimit-Remaining')`)
      expect(page.complaints).toEqual([])
    })

    test('runs the playground, and steps through a run', async ({ driven: page }, info) => {
      const folder = info.outputPath('site')
      const file = info.outputPath('failed.petstore.json')
      const sandbox = createSandbox({ clock: { now: 0, mode: 'frozen' } })
      const headers = { authorization: 'Bearer free-key' }
      for (const url of ['/v1/pets', '/v1/pets/999']) {
        await sandbox.handle({ method: 'GET', url, headers, body: '' })
      }
      writeFileSync(file, toJson(await sandbox.capture()))
      execFileSync(process.execPath, [program, 'open', file, '--to', folder])
      await using site = await serveFolder(folder, '/x/y/')
      await page.goto(`${site.url}playground.html`)
      await page.until("document.querySelector('select[name=key]')?.value === 'free-key'")
      await click(page, 'Send')
      await page.until(`${textOf('.details')}?.includes('x-ratelimit-remaining59')`)
      await click(page, 'Start: Naïve')
      await page.until(`${textOf('.client')}?.includes('requests')`)
      await page.goto(site.url)
      await page.until(`${textOf('.run-bar h2')} === 'Request 2 of 2'`)
      await click(page, 'Previous request')
      await page.until(`${textOf('.run-bar h2')} === 'Request 1 of 2'`)
      await page.until(`${textOf('.details')}?.includes('Bella')`)
      await click(page, 'Take over from here')
      await click(page, 'Send')
      await page.until(`${textOf('.details')}?.includes('#2')`)
      expect(page.complaints).toEqual([])
    })

    test('has its page answered by the worker, and opens the panel', async ({
      driven: page,
    }, info) => {
      const folder = info.outputPath('worker-page')
      await buildWorkerPage(folder)
      await using server = await startServer({ port: 0, staticFolder: folder })
      await page.goto(server.url)
      await page.until(`${textOf('pre')}?.includes('Within the page')`)
      const panel = "document.querySelector('petstore-panel').shadowRoot"
      await click(page, 'Sandbox panel', panel)
      await page.until(`${panel}.textContent.includes('/v1/pets?limit=1')`)
      expect(server.sandbox.requests.list()).toEqual([])
      expect(page.complaints).toEqual([])
    })
  })
}
