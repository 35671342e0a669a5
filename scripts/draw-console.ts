/** Draws docs/console/, the places of the console and the panel, and the sheet of the example page's states. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, chromium } from 'playwright'
import { createServer } from 'vite'
import { sheetPage } from '../src/cli/screenshots/sheet.ts'
import { sheetScenarios, takeScreenshots } from '../src/cli/screenshots/take-screenshots.ts'
import { chromiumLaunchOptions, findBrowser } from './browsers.ts'
import { serveBusySandbox } from './console/busy-sandbox.ts'
import { openShop } from './console/open-shop.ts'

const example = fileURLToPath(new URL('../examples/browser-msw/', import.meta.url))
const sheetPicture = `${example}sheet.png`

/** Takes the pictures of the example page as the command does, and a picture of their sheet. */
async function drawSheet(browser: Browser): Promise<void> {
  const define = { 'import.meta.env.VITE_API_URL': JSON.stringify('https://api.petstore.test/v1') }
  const server = await createServer({
    root: example,
    define,
    logLevel: 'error',
    server: { port: 0 },
  })
  await server.listen()
  const to = mkdtempSync(join(tmpdir(), 'petstore-sandbox-'))
  process.env.CHROMIUM_PATH ??= findBrowser('chromium')
  const sheet = await takeScreenshots(
    {
      url: server.resolvedUrls?.local[0] ?? '',
      to,
      apiUrl: undefined,
      sandbox: undefined,
      sizes: [{ width: 600, height: 500 }],
      dark: false,
      before: undefined,
      settleMs: 10_000,
      scenarios: sheetScenarios,
    },
    () => {},
  )
  await server.close()
  writeFileSync(join(to, 'index.html'), sheetPage({ ...sheet, url: 'http://localhost:5173' }))
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } })
  await page.goto(pathToFileURL(join(to, 'index.html')).href)
  await page.screenshot({ path: sheetPicture, fullPage: true })
  rmSync(to, { recursive: true })
}

/** What is drawn, by the name of the picture; light where nothing else is said. */
const pictures = [
  { name: 'requests-light', hash: 'requests/34' },
  { name: 'requests-dark', hash: 'requests/34', colorScheme: 'dark' },
  { name: 'findings', hash: 'findings' },
  { name: 'fail', hash: 'fail' },
  { name: 'data', hash: 'data/keys', colorScheme: 'dark' },
  { name: 'spec', hash: 'spec/8' },
] as const

const folder = fileURLToPath(new URL('../docs/console/', import.meta.url))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

await using server = await serveBusySandbox()
const browser = await chromium.launch(chromiumLaunchOptions())
const page = await browser.newPage({
  reducedMotion: 'reduce',
})
for (const picture of pictures) {
  await page.emulateMedia({ colorScheme: 'colorScheme' in picture ? picture.colorScheme : 'light' })
  await page.setViewportSize({ width: 1_440, height: 900 })
  await page.goto(`${server.url}/_sandbox/ui/#/${picture.hash}`)
  await page.getByRole('main').waitFor()
  // What it asks for at the beginning has come by then.
  await page.waitForTimeout(1_500)
  await page.screenshot({ path: `${folder}${picture.name}.png` })
}
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width: 1_440, height: 840 })
  await page.goto('about:blank')
  await page.goto(`${server.url}/_sandbox/ui/playground.html`)
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
  await press('Start: Polite')
  await page.waitForTimeout(1_800)
  await press('Start: Naïve')
  await page.waitForTimeout(1_200)
  await page.getByRole('combobox', { name: /^to\b/ }).selectOption('naive-client-key')
  await press('Exhaust the minute')
  await page.waitForTimeout(1_300)
  await press('Stop: Naïve')
  await press('Stop: Polite')
  await page.getByRole('combobox', { name: /^to\b/ }).selectOption('free-key')
  await page.evaluate(() => document.querySelector('.left')?.scrollTo(0, 0))
  // The notice has gone by then.
  await page.waitForTimeout(13_000)
  await page.screenshot({ path: `${folder}playground-${colorScheme}.png` })
}
await page.emulateMedia({ colorScheme: 'light' })
await page.setViewportSize({ width: 1_040, height: 720 })
await openShop(page)
await page.screenshot({ path: `${folder}panel.png` })
await drawSheet(browser)
await browser.close()

// A third of the size: without pngquant, a Debian package, the pictures are too large for the documents.
const options = ['96', '--speed', '1', '--strip', '--force', '--ext', '.png', '--']
const files = [...readdirSync(folder).map((name) => `${folder}${name}`), sheetPicture]
spawnSync('pngquant', [...options, ...files], { stdio: 'ignore' })
