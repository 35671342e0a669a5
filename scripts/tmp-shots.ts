import { chromium } from 'playwright'
import { chromiumLaunchOptions } from './browsers.ts'
import { serveBusySandbox } from './console/busy-sandbox.ts'

await using server = await serveBusySandbox()
const browser = await chromium.launch(chromiumLaunchOptions())
const only = process.argv.slice(2)
const list: [string, string, string, number][] = [
  ['requests', 'requests', 'light', 1440],
  ['details', 'requests/34', 'light', 1440],
  ['details-dark', 'requests/34', 'dark', 1440],
  ['findings', 'findings', 'light', 1440],
  ['fail', 'fail', 'light', 1440],
  ['keys', 'data/keys', 'light', 1440],
  ['pets', 'data/pets', 'dark', 1440],
  ['spec', 'spec/8', 'light', 1440],
  ['requests-390', 'requests', 'light', 390],
  ['findings-390', 'findings', 'dark', 390],
  ['fail-390', 'fail', 'light', 390],
  ['keys-390', 'data/keys', 'light', 390],
  ['spec-390', 'spec', 'light', 390],
  ['snapshots', 'data/snapshots', 'light', 1440],
]
for (const [name, hash, scheme, width] of list) {
  if (only.length && !only.includes(name)) continue
  const page = await browser.newPage({
    viewport: { width, height: width === 390 ? 844 : 900 },
    colorScheme: scheme as 'light',
    reducedMotion: 'reduce',
  })
  page.on('console', (m) => {
    if (m.type() === 'error') console.log(name, m.text())
  })
  page.on('pageerror', (e) => console.log(name, String(e)))
  await page.goto(`${server.url}/_sandbox/ui/#/${hash}`)
  await page.waitForTimeout(1500)
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  if (over > 0) console.log(name, 'overflow', over)
  await page.screenshot({ path: `/tmp/shots/${name}.png` })
  await page.close()
}
await browser.close()
