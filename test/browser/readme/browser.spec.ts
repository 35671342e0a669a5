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

  test('has the sandbox on the console', async ({ page, devUrl }) => {
    await page.goto(devUrl)
    await expect(page.getByText('20 pets')).toBeVisible()
    const lines = readFileSync(`${root}/console.txt`, 'utf8').trimEnd().split('\n')
    for (const line of lines) await page.evaluate(line)
    expect(await page.evaluate('sandbox.pets.size')).toBe(30)
  })
})
