import { readFile } from 'node:fs/promises'
import { expect, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { openConsole } from '../kit/console-page.ts'

/** A sandbox at which a client has hammered until it was banned. */
async function serve(): Promise<RunningServer> {
  const sandbox = createSandbox({
    clock: { now: '2026-11-21T14:03:07Z', mode: 'frozen' },
    coverage: true,
  })
  const server = await startServer({ port: 0, sandbox })
  await sandbox.audit()
  // In process, where nothing can come between them that would look like a pause.
  const request = {
    method: 'GET',
    url: '/v1/pets?limit=2',
    headers: { authorization: 'Bearer minute-exhausted-key' },
    body: '',
  }
  await Promise.all(Array.from({ length: 13 }, () => sandbox.handle(request)))
  return server
}

async function send({ url }: RunningServer, key = 'free-key'): Promise<void> {
  await fetch(`${url}/v1/pets?limit=2`, { headers: { authorization: `Bearer ${key}` } })
}

test('somebody reads what his client did wrong, and takes it along', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'findings')
  const card = page.getByRole('region', { name: 'burst-into-ban' })
  await expect(card).toContainText('▲warning')
  await expect(card.getByRole('link', { name: 'spec 8.3' })).toBeVisible()
  const opening = page.waitForEvent('popup')
  await card.getByRole('link', { name: 'docs/audit.md#burst-into-ban' }).press('Enter')
  const document = await opening
  expect(new URL(document.url()).pathname).toBe('/_sandbox/ui/audit.md')
  await expect(document.locator('body')).toContainText('### burst-into-ban')
  await expect.poll(() => document.evaluate(() => scrollY)).toBeGreaterThan(0)
  await document.close()
  const helping = page.waitForEvent('popup')
  await page.getByRole('link', { name: 'Help', exact: true }).press('Enter')
  const help = await helping
  expect(new URL(help.url()).pathname).toBe('/_sandbox/ui/console.md')
  await expect(help.locator('body')).toContainText('## Findings')
  await expect.poll(() => help.evaluate(() => scrollY)).toBeGreaterThan(0)
  await help.close()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSON' }).press('Enter')
  const download = await downloading
  const { findings } = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(findings).toEqual(await server.sandbox.audit())
  await card.getByRole('link', { name: 'Request 1', exact: true }).press('Enter')
  await expect(page.getByRole('region', { name: 'Details of request 1' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('findings of before a reset stand apart, and are cleared', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'findings')
  const tab = page.getByRole('link', { name: /^Findings/ })
  await expect(tab).toHaveText(/^Findings\d+$/)
  server.sandbox.reset()
  const past = page.getByRole('region', { name: 'Before the reset', exact: true })
  await expect(past.getByRole('region', { name: 'burst-into-ban' })).toBeVisible()
  await expect(tab).toHaveText('Findings')
  await expect(page.getByText('Nothing new since the reset')).toBeVisible()
  await past.getByRole('button', { name: 'Clear' }).press('Enter')
  await expect(past).toBeHidden()
  await send(server, 'unknown-key')
  await page.reload()
  await expect(past).toBeVisible()
  expect(complaints).toEqual([])
})

test('a lane leads to its requests, and a sign of the timeline to its own', async ({ page }) => {
  await using server = await serve()
  server.sandbox.journal.mark({ kind: 'test-began', name: '<img src=x onerror=alert(1)>' })
  server.sandbox.clock.advance('40s')
  await send(server)
  server.sandbox.clock.advance('40s')
  await send(server, 'pro-key')
  const complaints = await openConsole(page, server, 'timeline?by=time')
  const chart = page.getByRole('img', { name: /^Timeline of 3 keys/ })
  await expect(chart.getByText('now')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Signs in the picture' })).toHaveText(
    /beyond a limit.*came back too early/,
  )
  await expect(page.getByRole('cell', { name: 'test: <img src=x' })).toBeVisible()
  await expect(page.locator('main img')).toHaveCount(0)
  // Thirteen at one instant are told apart by their order.
  await page.getByRole('button', { name: 'By order' }).press('Enter')
  const signs = chart.locator('[data-id]')
  await expect(signs).toHaveCount(15)
  await signs.nth(12).click()
  await expect(page.getByRole('region', { name: 'Details of request 13' })).toBeVisible()
  await page.goBack()
  await page.getByRole('list', { name: 'Keys' }).getByRole('link', { name: /^pro/ }).click()
  await expect(page.getByRole('row', { name: /^Request \d+:/ })).toHaveCount(1)
  await page.getByRole('button', { name: 'Only requests of pro-key' }).click()
  await expect(page.getByRole('row', { name: /^Request \d+:/ })).toHaveCount(15)
  expect(complaints).toEqual([])
})

test('a span of the timeline is chosen from the keyboard, and so is a row', async ({ page }) => {
  await using server = await serve()
  server.sandbox.clock.advance('1m')
  await send(server)
  await openConsole(page, server, 'timeline')
  const from = page.getByLabel('From', { exact: true })
  await from.fill('2026-11-21T14:04:00')
  await from.press('Enter')
  await expect(page.getByRole('link', { name: '1 request', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'All of it' })).toBeVisible()
  await page.getByRole('link', { name: /^14:04:00\s+requests of free-key/ }).press('Enter')
  await expect(page.getByRole('row', { name: /^Request \d+:/ })).toHaveCount(1)
})

test('somebody sees what no test has covered yet, and covers it', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await using server = await serve()
  const complaints = await openConsole(page, server, 'coverage')
  const row = (name: string) => page.getByRole('listitem', { name })
  await page.getByText(/^\d+ covered$/).click()
  await expect(page.getByText('listPets 429', { exact: true })).toBeVisible()
  await row('listPets 200').getByRole('button', { name: 'Copy test line' }).press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toBe('await client().listPets()')
  await send(server)
  await expect(row('listPets 200')).toBeHidden()

  await row('key revoked').getByRole('button', { name: 'Set up' }).press('Enter')
  await expect.poll(() => server.sandbox.keys.get('free-key').state).toBe('revoked')
  await row('key revoked').getByRole('button', { name: 'Copy curl' }).press('Enter')
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`${server.url}/v1/pets' \\\n  -H 'authorization: Bearer free-key'`)
  await send(server)
  await expect(row('key revoked')).toBeHidden()
  expect(complaints).toEqual([])
})
