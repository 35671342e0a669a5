import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { openConsole, serveFrozen, violationsOn } from '../kit/console-page.ts'

async function downloaded(page: Page, button: Locator): Promise<{ name: string; text: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()])
  return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
}

test('a snapshot is kept, compared with what has become of it, and restored', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  const complaints = await openConsole(page, server, 'state')
  await page.getByRole('button', { name: 'Keep a snapshot' }).press('Enter')
  const kept = page.getByRole('listitem', { name: 'default, 2026-11-21 14:03:07' })
  await expect(kept).toContainText('30 pets, 9 keys')

  sandbox.pets.change(3, { status: 'sold', name: '<i>Luna</i>' })
  sandbox.keys.change('free-key', { plan: 'pro' })
  await kept.getByRole('button', { name: 'Compare with now' }).press('Enter')
  const comparison = page.getByRole('region', { name: /14:03:07 compared with default now$/ })
  await expect(comparison.getByRole('heading', { level: 2 })).toBeFocused()
  const row = (name: string) => comparison.getByRole('row', { name })
  await expect(row('3, status')).toContainText(/pending.*sold/)
  await expect(row('3, name')).toContainText('<i>Luna</i>')
  await expect(row('free-key, plan')).toContainText(/free.*pro/)

  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violationsOn(page)).toEqual([])
  }

  // What is kept stays while another screen is looked at.
  await page.getByRole('link', { name: 'Keys' }).click()
  await page.getByRole('link', { name: 'State' }).click()
  await kept.getByRole('button', { name: 'Restore…' }).click()
  expect(sandbox.pets.get(3).status).toBe('sold')
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => sandbox.pets.get(3).status).toBe('pending')
  expect(complaints).toEqual([])
})

test('files are saved, and taken back; hostile ones get a sentence', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  sandbox.pets.delete(1)
  const complaints = await openConsole(page, server, 'state')
  const button = (name: string) => page.getByRole('button', { name })
  const snapshot = await downloaded(page, button('Download a snapshot'))
  expect(snapshot.name).toBe('default-2026-11-21T140307.snapshot.json')
  const capture = await downloaded(page, button('Download a capture'))
  expect(capture.name).toBe('default-2026-11-21T140307.petstore.json')
  expect(JSON.parse(capture.text).steps).toMatchObject([{ name: 'pets.delete', given: [1] }])

  const json = 'application/json'
  await page.getByLabel('Choose a file…').setInputFiles([
    { name: 'a.json', mimeType: json, buffer: Buffer.from(snapshot.text) },
    { name: 'b.json', mimeType: json, buffer: Buffer.from(capture.text) },
    { name: '<img src=x>.json', mimeType: json, buffer: Buffer.from('{"__proto__":[') },
  ])
  await expect(page.getByRole('alert')).toHaveText(
    'Cannot read <img src=x>.json: it is not valid JSON; use a snapshot, a capture or an archive (HAR)',
  )
  await expect(page.getByRole('listitem', { name: 'b.json' })).toContainText(
    'capture from a file: 1 step',
  )
  const broken = await page.evaluateHandle(() => {
    const files = new DataTransfer()
    files.items.add(new File(['{"petstoreSandbox":1,"pets":{}}'], 'broken.json'))
    return files
  })
  // Beside the place that is meant for it, too: the browser would leave the page for the file.
  await page.getByRole('banner').dispatchEvent('drop', { dataTransfer: broken })
  const file = page.getByRole('listitem', { name: 'broken.json' })
  await file.getByRole('button', { name: 'Restore…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect(page.getByRole('region', { name: 'Notices' })).toContainText(/Cannot set snapshot\./)
  expect(sandbox.pets.size).toBe(29)

  sandbox.pets.clear()
  await page
    .getByRole('listitem', { name: 'a.json' })
    .getByRole('button', { name: 'Restore…' })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(29)
  expect(complaints).toEqual([])
})

test('a snapshot says which sandbox it is of, and is compared with another one', async ({
  page,
}) => {
  await using server = await serveFrozen()
  server.pool.create({ name: 'alice' }).sandbox.pets.delete(1)
  await openConsole(page, server, 'state')
  await page.getByRole('button', { name: 'Keep a snapshot' }).click()
  await expect(page.getByRole('listitem', { name: /^default/ })).toContainText('of default')
  await page.getByLabel('Sandbox', { exact: true }).focus()
  await page.getByLabel('Sandbox', { exact: true }).selectOption('alice')
  await page.getByRole('button', { name: 'Keep a snapshot' }).click()
  const first = page.getByRole('listitem', { name: /^default/ })
  await first.getByRole('button', { name: 'Compare with', exact: true }).click()
  await first.getByRole('button', { name: /^alice/ }).click()
  const comparison = page.getByRole('region', { name: /^default.* compared with alice/ })
  await expect(comparison.getByRole('region', { name: 'Pets' })).toContainText('Bella')
  await first.getByText('Restore…').click()
  await expect(page.getByRole('dialog')).toContainText(
    /taken of default.*sandbox alice is replaced/,
  )
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByLabel('Sandbox', { exact: true }).selectOption('')
  await expect(comparison).toBeHidden()
})

test('an archive of a service is told apart by its choices, which the sandbox can take', async ({
  page,
}) => {
  const service = createSandbox({
    clock: { now: '2026-11-21T14:03:07Z', mode: 'frozen' },
    gaps: { listOrder: 'id-descending', unknownQuery: 'reject', retryAfterFormat: 'http-date' },
  })
  const send = (url: string, key: string) =>
    service.handle({ method: 'GET', url, headers: { authorization: `Bearer ${key}` }, body: '' })
  for (const url of ['/v1/pets?limit=30', '/v1/pets?color=red', '/v1/pets/1']) {
    await send(url, 'pro-key')
  }
  await send('/v1/pets', 'minute-exhausted-key')
  const archive = JSON.stringify(await service.journal.har())
  await using server = await serveFrozen()
  const complaints = await openConsole(page, server, 'state')
  const drop = async (name: string, text: string): Promise<void> => {
    const dataTransfer = await page.evaluateHandle(
      ({ name, text }) => {
        const files = new DataTransfer()
        files.items.add(new File([text], name))
        return files
      },
      { name, text },
    )
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer })
  }
  await drop('staging.har', archive)
  const report = page.getByRole('region', { name: 'Calibration by staging.har' })
  await expect(report.getByRole('heading', { level: 2 })).toBeFocused()
  await expect(report.getByRole('region', { name: 'What is wrong' })).toContainText('No clause')
  const row = (name: string) => report.getByRole('row', { name })
  await expect(row('listOrder')).toContainText(/shown.*id-descending/)
  await report.getByText('27 gaps of which nothing was seen').click()
  await expect(row('storeOrders')).toContainText('curl -i')
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    expect(await violationsOn(page)).toEqual([])
  }
  expect(server.sandbox.gaps.listOrder).toBe('id-ascending')
  await report.getByRole('button', { name: 'Take these choices' }).press('Enter')
  await expect.poll(() => server.sandbox.gaps).toMatchObject(service.gaps)

  await drop('broken.har', archive.replaceAll(/retry-after/gi, 'x-other'))
  const broken = page.getByRole('region', { name: 'Calibration by broken.har' })
  await expect(broken.getByRole('row', { name: 'a 429 without Retry-After' })).toContainText(
    /#4.*spec 8.2/,
  )
  const { log } = JSON.parse(archive)
  const moved = JSON.parse(archive.replaceAll('localhost', 'old.test')).log.entries
  await drop('both.har', JSON.stringify({ log: { ...log, entries: [...moved, ...log.entries] } }))
  await expect(broken).toBeHidden()
  const choice = page.getByRole('combobox', { name: 'the API is at' })
  await expect(choice).toBeFocused()
  expect(await violationsOn(page)).toEqual([])
  await choice.selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Calibrate' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Calibration by both.har' })).toContainText(
    'by 4 exchanges with http://localhost/v1',
  )

  await drop('none.har', '{"log":{}}')
  await expect(page.getByRole('alert')).toContainText('Cannot read the archive: it is no HAR')
  expect(complaints).toEqual([])
})
