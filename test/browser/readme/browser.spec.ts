import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { createServer } from 'vite'

const root = fileURLToPath(new URL('page', import.meta.url))

const test = base.extend<object, { readonly devUrl: string }>({
  devUrl: [
    async ({ browserName: _ }, use) => {
      // Beside the cache of other servers, and complete before the first page, which would load anew otherwise.
      const cacheDir = fileURLToPath(new URL('../../../node_modules/.vite-readme', import.meta.url))
      const include = ['msw', 'msw/browser']
      const server = await createServer({
        root,
        cacheDir,
        optimizeDeps: { include },
        server: { host: '127.0.0.1', port: 0 },
      })
      await server.listen()
      await use(server.resolvedUrls?.local[0] ?? '')
      await server.close()
    },
    { scope: 'worker' },
  ],
})

// In one worker, since the pages share a server.
test.describe.configure({ mode: 'default' })

test.describe('the page of the guide to the browser', () => {
  test('is answered by the sandbox while one develops', async ({ page, devUrl }) => {
    await page.goto(devUrl)
    await expect(page.getByText('20 pets')).toBeVisible()
  })

  test('goes from scenario to scenario by a key, and leaves by the panel', async ({
    page,
    devUrl,
  }) => {
    // The panel is left out in browsers that a program drives.
    await page.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: false })")
    await page.goto(`${devUrl}?tab=1#top`)
    await expect(page.getByText('20 pets')).toBeVisible()
    // It has a title once it listens to keys.
    await expect(page.getByTitle('Sandbox panel', { exact: true })).toBeVisible()
    await page.keyboard.press('Alt+Shift+N')
    await expect(page.getByText('0 pets', { exact: true })).toBeVisible()
    expect(new URL(page.url()).search).toBe('?tab=1&scenario=empty')
    await page.getByRole('button', { name: 'Sandbox panel, scenario empty' }).click()
    const bar = page.getByRole('region', { name: 'Scenario' })
    await bar.getByRole('button', { name: 'Next: Many pets' }).click()
    await expect(page.getByText('20 pets')).toBeVisible()
    expect(new URL(page.url()).search).toBe('?tab=1&scenario=crowded')
    await bar.getByRole('button', { name: 'Leave the scenario' }).click()
    await expect(bar).toContainText('Next: No pets')
    expect(page.url()).toBe(`${devUrl}?tab=1#top`)
  })

  test('has the sandbox on the console', async ({ page, devUrl }) => {
    await page.goto(devUrl)
    await expect(page.getByText('20 pets')).toBeVisible()
    const lines = readFileSync(`${root}/console.txt`, 'utf8').trimEnd().split('\n')
    for (const line of lines) await page.evaluate(line)
    expect(await page.evaluate('sandbox.pets.size')).toBe(30)
  })
})

test('the plugin for TanStack Devtools fills its tab, in its theme', async ({ page, devUrl }) => {
  await page.addInitScript("Object.defineProperty(navigator, 'webdriver', { value: false })")
  await page.goto(`${devUrl}tanstack.html`)
  const panel = page.locator('#tab').getByRole('dialog', { name: 'Pet store sandbox' })
  await expect(panel).toHaveCSS('height', '400px')
  await expect(panel).toHaveCSS('color-scheme', 'dark')
})
