import { fileURLToPath } from 'node:url'
import { test as base, expect } from '@playwright/test'
import { msw } from 'msw/vite'
import { createServer, type ViteDevServer } from 'vite'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const test = base.extend<object, { readonly server: ViteDevServer }>({
  server: [
    async ({ browserName: _ }, use) => {
      const server = await createServer({
        root: path('ssr'),
        configFile: false,
        cacheDir: path('../../../node_modules/.vite-ssr'),
        plugins: [msw()],
        optimizeDeps: { include: ['msw', 'msw/browser', 'msw/experimental'] },
        server: { host: '127.0.0.1', port: 0 },
      })
      await server.listen()
      await use(server)
      await server.close()
    },
    { scope: 'worker' },
  ],
})

// In one worker, since the tests share a server.
test.describe.configure({ mode: 'default' })

test.describe('the recipe for server-side rendering', () => {
  test('answers the page', async ({ page, server }) => {
    await page.goto(server.resolvedUrls?.local[0] ?? '')
    await expect(page.getByText('20 pets')).toBeVisible()
  })

  test('answers the server', async ({ server }) => {
    await server.ssrLoadModule('/mocks.ts')
    const { render } = await server.ssrLoadModule('/render.ts')
    expect(await render()).toBe('20 pets, 59 left')
  })
})
