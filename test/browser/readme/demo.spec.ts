import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { msw } from 'msw/vite'
import { build, preview } from 'vite'

const root = fileURLToPath(new URL('demo', import.meta.url))

const test = base.extend<object, { readonly demoUrl: string }>({
  demoUrl: [
    async ({ browserName: _ }, use) => {
      const outDir = fileURLToPath(new URL('../../../node_modules/.vite-demo', import.meta.url))
      const demo = { root, configFile: false, base: '/my-repo/', build: { outDir } } as const
      await build({ ...demo, plugins: [msw({ mode: 'worker-only' })], logLevel: 'error' })
      const server = await preview({ ...demo, preview: { host: '127.0.0.1', port: 0 } })
      await use(server.resolvedUrls?.local[0] ?? '')
      await server.close()
      rmSync(outDir, { recursive: true })
    },
    { scope: 'worker' },
  ],
})

// In one worker, since the pages share a build.
test.describe.configure({ mode: 'default' })

test.describe('the recipe for a page under a sub-path', () => {
  test('is answered beneath its path', async ({ page, demoUrl }) => {
    await page.goto(demoUrl)
    expect(new URL(demoUrl).pathname).toBe('/my-repo/')
    await expect(page.getByText('20 pets')).toBeVisible()
  })

  test('is in the situation that its address names', async ({ page, demoUrl }) => {
    await page.goto(`${demoUrl}?scenario=minute-exhausted`)
    await expect(page.getByText('rate_limit_exceeded')).toBeVisible()
  })
})
