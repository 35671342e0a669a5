import { readFile } from 'node:fs/promises'
import { expect, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'

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

/** Opens a screen, and fails the test when the page complains: of its policy, or of a bug. */
async function open(page: Page, server: RunningServer, screen: string): Promise<string[]> {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(`${server.url}/_sandbox/ui/#/${screen}`)
  return complaints
}

test('somebody reads what his client did wrong, and takes it along', async ({ page }) => {
  await using server = await serve()
  const complaints = await open(page, server, 'findings')
  const card = page.getByRole('region', { name: 'burst-into-ban' })
  await expect(card).toContainText('▲warning')
  await expect(card.getByRole('link', { name: 'spec 8.3' })).toBeVisible()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSON' }).press('Enter')
  const download = await downloading
  const { findings } = JSON.parse(await readFile(await download.path(), 'utf8'))
  expect(findings).toEqual(await server.sandbox.audit())
  await card.getByRole('link', { name: 'Request 1', exact: true }).press('Enter')
  await expect(page.getByRole('region', { name: 'Details of request 1' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('a span of the timeline is drawn, and leads to its requests', async ({ page }) => {
  await using server = await serve()
  server.sandbox.journal.mark({ kind: 'test-began', name: '<img src=x onerror=alert(1)>' })
  server.sandbox.clock.advance('40s')
  await send(server)
  server.sandbox.clock.advance('40s')
  await send(server, 'pro-key')
  const complaints = await open(page, server, 'timeline')
  const chart = page.getByRole('img', { name: /^Timeline of 3 keys/ })
  const box = await chart.boundingBox()
  if (box === null) throw new Error('Cannot draw: there is no picture')
  const y = box.y + box.height / 2
  await page.mouse.move(box.x + box.width - 3, y)
  await page.mouse.down()
  await page.mouse.move(box.x + 30, y, { steps: 3 })
  await page.mouse.up()
  await expect(page.getByRole('cell', { name: 'test began: <img src=x' })).toBeVisible()
  await expect(page.locator('main img')).toHaveCount(0)
  await page.getByRole('link', { name: 'Show 2 requests' }).click()
  await expect(page.getByRole('row', { name: /^Request \d+:/ })).toHaveCount(2)
  expect(complaints).toEqual([])
})

test('a span of the timeline is selected from the keyboard, and so is a row', async ({ page }) => {
  await using server = await serve()
  server.sandbox.clock.advance('1m')
  await send(server)
  await open(page, server, 'timeline')
  const from = page.getByLabel('From', { exact: true })
  await from.fill('soon')
  await from.press('Enter')
  await expect(page.getByText('Cannot read it')).toBeVisible()
  await from.fill('14:04')
  await from.press('Enter')
  await expect(page.getByRole('status')).toContainText(['Show 1 request'])
  await expect(from).toBeFocused()
  await page.getByRole('link', { name: 'Zoom in' }).press('Enter')
  await expect(page.getByRole('link', { name: 'All of it' })).toBeVisible()
  await page.getByRole('link', { name: /^14:04:00\s+requests of free/ }).press('Enter')
  await expect(page.getByRole('row', { name: /^Request \d+:/ })).toHaveCount(1)
})

test('somebody sees what no test has faced yet, and how to bring it about', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await using server = await serve()
  const complaints = await open(page, server, 'coverage')
  const outcomes = page.getByRole('region', { name: 'outcomes' })
  await expect(outcomes.getByRole('row', { name: /^listPets 429 met/ })).toBeVisible()
  const open200 = outcomes.getByRole('row', { name: /^listPets 200 open/ })
  await open200.getByRole('button', { name: 'Copy line' }).press('Enter')
  await expect(page.getByText('Copied: line')).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
    'await client().listPets()',
  )
  await send(server)
  await expect(outcomes.getByRole('row', { name: /^listPets 200 met/ })).toBeVisible()
  await page.getByRole('button', { name: 'open', exact: true }).press('Enter')
  await expect(outcomes.getByRole('row', { name: /^listPets 200/ })).toBeHidden()
  expect(new URL(page.url()).hash).toBe('#/coverage?show=open')
  expect(complaints).toEqual([])
})
