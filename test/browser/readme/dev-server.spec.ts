import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from '@playwright/test'
import { build, createServer, type PreviewServer, preview, type ViteDevServer } from 'vite'

const run = promisify(execFile)

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const options = {
  root: path('dev-server'),
  configFile: path('dev-server/vite.config.ts'),
  logLevel: 'warn',
} as const

const listening = { host: '127.0.0.1', port: 0 }

function addressOf({ resolvedUrls }: ViteDevServer | PreviewServer): string {
  return new URL(resolvedUrls?.local[0] ?? '').origin
}

/** Lists the pets as a user does who types it. */
async function curl(origin: string, ...more: readonly string[]): Promise<string> {
  const key = 'Authorization: Bearer free-key'
  const { stdout } = await run('curl', ['-s', '-H', key, ...more, `${origin}/v1/pets?limit=100`])
  return stdout
}

test.describe('the recipe for a dev server without a service worker', () => {
  test('gives the page, the server and curl one store', async ({ page }) => {
    const cacheDir = path('../../../node_modules/.vite-dev-server')
    const server = await createServer({ ...options, cacheDir, server: listening })
    await server.listen()
    const origin = addressOf(server)
    try {
      await page.goto(origin)
      await expect(page.getByText('pet 31 of 31, 58 left')).toBeVisible()
      expect(await page.evaluate(() => navigator.serviceWorker.controller)).toBeNull()
      const { render } = await server.ssrLoadModule('/render.ts')
      expect(await render(origin)).toBe('pet 32 of 32, 56 left')
      expect(JSON.parse(await curl(origin))).toHaveLength(32)
      expect(await curl(origin, '--include')).toMatch(/^x-ratelimit-remaining: 54\r$/im)
      // What isn't the API's is Vite's.
      expect(await (await page.request.get(`${origin}/render.ts`)).text()).toContain('render')
    } finally {
      await server.close()
    }
  })

  test('answers a built page in the preview', async ({ page }, { outputDir }) => {
    await build({ ...options, build: { outDir: outputDir, emptyOutDir: true, target: 'es2022' } })
    const server = await preview({ ...options, build: { outDir: outputDir }, preview: listening })
    try {
      await page.goto(addressOf(server))
      await expect(page.getByText('pet 31 of 31, 58 left')).toBeVisible()
    } finally {
      await server.close()
    }
  })
})
