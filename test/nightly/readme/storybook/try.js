// Builds Storybook, and opens each story in Chromium, whose path is the only argument.
import { execFileSync } from 'node:child_process'
import { chromium } from 'playwright'
import { preview } from 'vite'

const shown = {
  usual: '20 pets',
  empty: '0 pets',
  down: 'internal_error',
  banned: 'key_banned',
}

const run = (...words) => execFileSync(process.execPath, words, { stdio: 'inherit' })
run('node_modules/msw/cli/index.js', 'init', 'public', '--no-save')
run('node_modules/storybook/dist/bin/dispatcher.js', 'build', '--disable-telemetry')

const server = await preview({ build: { outDir: 'storybook-static' }, preview: { port: 0 } })
const browser = await chromium.launch({ executablePath: process.argv[2], args: ['--no-sandbox'] })
try {
  const page = await browser.newPage()
  const [url] = server.resolvedUrls.local
  for (const [story, text] of Object.entries(shown)) {
    await page.goto(`${url}iframe.html?id=pets--${story}`)
    await page.getByText(text, { exact: true }).waitFor()
  }
} finally {
  await browser.close()
  await server.close()
}
