/** Draws docs/console/: each screen of the console, of a sandbox that is busy, and the panel; light and dark. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { screenNames } from '../src/console/model/route.ts'
import { chromiumLaunchOptions } from './browsers.ts'
import { serveBusySandbox } from './console/busy-sandbox.ts'
import { openShop } from './console/open-shop.ts'

const folder = fileURLToPath(new URL('../docs/console/', import.meta.url))
mkdirSync(folder, { recursive: true })
const looks = ['light', 'dark'] as const

await using server = await serveBusySandbox()
const browser = await chromium.launch(chromiumLaunchOptions())
for (const colorScheme of looks) {
  const page = await browser.newPage({
    colorScheme,
    viewport: { width: 1_200, height: 720 },
    reducedMotion: 'reduce',
  })
  for (const screen of screenNames) {
    const hash = screen === 'requests' ? '#/requests/34' : `#/${screen}`
    await page.goto(`${server.url}/_sandbox/ui/${hash}`)
    await page.getByRole('main').waitFor()
    // What it asks for at the beginning has come by then.
    await page.waitForTimeout(1_500)
    await page.screenshot({ path: `${folder}${screen}-${colorScheme}.png` })
  }
  await page.setViewportSize({ width: 1_040, height: 720 })
  await openShop(page)
  await page.screenshot({ path: `${folder}panel-${colorScheme}.png` })
  await page.close()
}
await browser.close()

// A third of the size, where that is installed.
const options = ['--quality', '60-90', '--strip', '--force', '--ext', '.png', '--']
const pictures = readdirSync(folder).map((name) => `${folder}${name}`)
spawnSync('pngquant', [...options, ...pictures], { stdio: 'ignore' })
