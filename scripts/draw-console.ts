/** Draws docs/console/: the places of the console, of a sandbox that is busy, and the panel. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { chromiumLaunchOptions } from './browsers.ts'
import { serveBusySandbox } from './console/busy-sandbox.ts'
import { openShop } from './console/open-shop.ts'

/** What is drawn, by the name of the picture; light where nothing else is said. */
const pictures = [
  { name: 'requests-light', hash: 'requests/34' },
  { name: 'requests-dark', hash: 'requests/34', colorScheme: 'dark' },
  { name: 'findings', hash: 'findings' },
  { name: 'fail', hash: 'fail' },
  { name: 'data', hash: 'data/keys', colorScheme: 'dark' },
  { name: 'spec', hash: 'spec/8' },
  { name: 'requests-narrow', hash: 'requests', width: 390 },
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
  const width = 'width' in picture ? picture.width : 1_440
  await page.setViewportSize({ width, height: 900 })
  await page.goto(`${server.url}/_sandbox/ui/#/${picture.hash}`)
  await page.getByRole('main').waitFor()
  // What it asks for at the beginning has come by then.
  await page.waitForTimeout(1_500)
  await page.screenshot({ path: `${folder}${picture.name}.png` })
}
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme })
  await page.setViewportSize({ width: 1_440, height: 900 })
  await page.goto(`${server.url}/_sandbox/ui/playground.html`)
  for (const client of ['Retries everything at once', 'Polite', 'Naïve']) {
    await page.getByRole('button', { name: `Start: ${client}` }).click()
  }
  await page.waitForTimeout(2_500)
  await page.getByRole('button', { name: 'Exhaust the minute' }).click()
  await page.getByLabel('Sample').selectOption('createPet 201')
  await page.getByRole('button', { name: 'Send', exact: true }).click()
  await page.evaluate(() => document.querySelector('.left')?.scrollTo(0, 0))
  // The notice has gone by then.
  await page.waitForTimeout(13_000)
  await page.screenshot({ path: `${folder}playground-${colorScheme}.png` })
}
await page.emulateMedia({ colorScheme: 'light' })
await page.setViewportSize({ width: 1_040, height: 720 })
await openShop(page)
await page.screenshot({ path: `${folder}panel.png` })
await browser.close()

// A third of the size: without pngquant, a Debian package, the pictures are too large for the documents.
const options = ['--quality', '60-100', '--strip', '--force', '--ext', '.png', '--']
const files = readdirSync(folder).map((name) => `${folder}${name}`)
spawnSync('pngquant', [...options, ...files], { stdio: 'ignore' })
