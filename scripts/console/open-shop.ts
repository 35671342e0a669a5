import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { build } from 'vite'

const host = 'http://shop.example'

const markup = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="color-scheme" content="light dark" />
    <title>Pet shop</title>
    <style>
      body { margin: 0; padding: 40px 48px; font: 16px / 1.5 system-ui, sans-serif; }
      ul { display: grid; grid-template-columns: repeat(3, 150px); gap: 16px; padding: 0; list-style: none; }
      li { padding: 16px; border: 1px solid #8886; border-radius: 8px; }
      b { display: block; }
    </style>
    <script type="module" src="/shop.js"></script>
  </head>
  <body><h1>Pet shop</h1><ul></ul></body>
</html>`

/** Opens the page of a shop whose pets come from a sandbox in it, with the panel over that. */
export async function openShop(page: Page): Promise<void> {
  const code = await shopCode()
  await page.route(`${host}/**`, (route) =>
    route.request().url().endsWith('/shop.js')
      ? route.fulfill({ contentType: 'text/javascript', body: code })
      : route.fulfill({ contentType: 'text/html', body: markup }),
  )
  await page.goto(host)
  await page.getByRole('dialog', { name: 'Pet store sandbox' }).waitFor()
}

/** Bundles the script of the shop. */
async function shopCode(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      rolldownOptions: {
        input: fileURLToPath(new URL('page/shop.ts', import.meta.url)),
        output: { codeSplitting: false },
      },
    },
  })
  const [output] = [result].flat()
  const [chunk] = output !== undefined && 'output' in output ? output.output : []
  if (chunk?.type !== 'chunk') throw new Error('Cannot draw the panel: nothing was built')
  return chunk.code
}
