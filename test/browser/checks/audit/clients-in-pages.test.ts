import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { expect, it, onTestFinished } from 'vitest'
import { chromiumLaunchOptions } from '../../../../scripts/browsers.ts'
import type { GapSettings } from '../../../../src/mock/api/gaps.ts'
import type { Sandbox } from '../../../../src/sandbox/sandbox.ts'
import { frozenSandbox } from '../../../kit/frozen-sandbox.ts'
import { testServer } from '../../../kit/test-server.ts'
import { tableText, waitText } from '../../../nightly/checks/audit/clients/situations.ts'
import { webLibraries } from '../../../nightly/checks/audit/clients/web-libraries.ts'
import { buildPage, serve } from '../../adapters/worker-page/site.ts'

/** What the service allows a page of another origin to read, after its minute is exhausted with half of it to go. */
const values = [
  { name: 'default', gaps: {} },
  { name: '`exposedHeaders=none`', gaps: { exposedHeaders: 'none' } },
  { name: '`cors=none`', gaps: { cors: 'none' } },
] as const

it('libraries in pages wait as docs/reference/popular-libraries.md says; --update writes it anew', async () => {
  const code = await buildPage(
    'msw',
    fileURLToPath(new URL('clients/page/list-pets.ts', import.meta.url)),
  )
  const site = await serve(code, {})
  const browser = await chromium.launch(chromiumLaunchOptions())
  onTestFinished(async () => {
    await browser.close()
    await site.close()
  })
  const page = await browser.newPage()
  let clock: Sandbox['clock'] | undefined
  await page.exposeFunction('advance', (ms: number) => clock?.advance(Math.ceil(ms)))
  await page.addInitScript('Math.random = () => 0')
  await page.goto(site.url)
  const play = async (library: string, gaps: GapSettings): Promise<string> => {
    const sandbox = frozenSandbox({ gaps })
    const { url } = await testServer({ sandbox })
    clock = sandbox.clock
    clock.advance('30s')
    sandbox.keys.setRemaining('free-key', { minute: 0 })
    const { end, waits } = await page.evaluate(
      ([name = '', api = '']) => listPets(name, api),
      [library, `${url}/v1`],
    )
    return waitText(waits, end)
  }
  const rows = [['library', 'settings', ...values.map(({ name }) => name)]]
  for (const { name, settings } of webLibraries) {
    const row = [name, settings]
    for (const { gaps } of values) row.push(await play(name, gaps))
    rows.push(row)
  }
  await expect(tableText(rows)).toMatchFileSnapshot(
    '../../../nightly/checks/audit/clients/in-pages.md',
  )
})
