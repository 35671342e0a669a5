import { expect, type Page, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { openConsole, serveFrozen, statusOf } from '../../kit/console-page.ts'

function rowOf(page: Page, id: number) {
  return page.locator('tbody tr', {
    has: page.locator(`a:is([href="#/requests/${id}"], [href^="#/requests/${id}?"])`),
  })
}

async function send(server: RunningServer, path: string, init: RequestInit = {}): Promise<void> {
  const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
  await fetch(`${server.url}/v1${path}`, { headers, ...init })
}

test('Requests: somebody finds out why a request was rejected, and of one pet all', {
  tag: '@everyday',
}, async ({ page }) => {
  await using server = await serveFrozen()
  await send(server, '/pets/1')
  const body = '{"name":"A\\u202eB","categoryId":1}'
  await send(server, '/pets', { method: 'POST', body })
  await send(server, `/pets?status=${'long'.repeat(300)}`)
  const complaints = await openConsole(page, server, 'requests')
  await expect(rowOf(page, 3)).toBeVisible()
  await fetch(`${server.url}/v1/pets`, { headers: { authorization: 'Bearer no-such-key' } })
  await rowOf(page, 4).getByRole('link').click()
  const details = page.getByRole('region', { name: 'Details of request 4' })
  await expect(details).toContainText('the API key is unknown')
  await expect(details).toContainText('www-authenticate')
  await expect(details.getByRole('link', { name: 'spec 5' })).toHaveAttribute(
    'href',
    'api.html#clause-5',
  )
  await details.getByText('What the spec says').click()
  await expect(details.locator('.clause-text')).toContainText('Authorization: Bearer')
  // One line for the request, however long its address is, and at most three for the reason.
  const heights = await page
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThan(90)
  await page.getByRole('link', { name: 'The next row' }).click()
  await page.getByRole('link', { name: 'The next row' }).click()
  await expect(page.getByRole('region', { name: 'Details of request 2' })).toContainText(
    'A\\u202eB',
  )
  await page.goto(`${server.url}/_sandbox/ui/#/requests?pet=1`)
  await expect(rowOf(page, 1)).toBeVisible()
  await expect(page.locator('tbody tr')).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove the filter: pet 1' }).click()
  await expect(page.locator('tbody tr')).toHaveCount(4)
  // A body is found though the list has none.
  await page.getByRole('searchbox').fill('categoryId')
  await expect(rowOf(page, 2)).toBeVisible()
  await expect(rowOf(page, 4)).toBeHidden()
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: /^4xx/ }).click()
  await expect(page.locator('tbody tr')).toHaveCount(2)
  await expect(page.getByText('2 of 4 requests')).toBeVisible()
  expect(complaints).toEqual([])
})

test('Requests: one that waits is shown, and the strip selects a span or a request', async ({
  page,
}) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  for (let count = 0; count < 20; count++) {
    await send(server, '/pets?limit=1')
    sandbox.clock.advance('1s')
  }
  await openConsole(page, server, 'requests')
  await expect(rowOf(page, 20)).toBeVisible()
  sandbox.faults.add({ fault: 'latency', ms: '3s' })
  const slow = send(server, '/pets?limit=2')
  const underWay = page.getByRole('list', { name: 'Under way' })
  await expect(underWay).toContainText('/v1/pets?limit=2')
  sandbox.clock.advance('3s')
  await slow
  await expect(underWay).toHaveCount(0)
  await expect(rowOf(page, 21)).toContainText('3.00 s')
  const strip = page.locator('.strip-of-time svg')
  await strip.scrollIntoViewIfNeeded()
  const box = await strip.boundingBox()
  if (box === null) throw new Error('There is no strip')
  // Within the first bar, whose request is chosen, too.
  await page.mouse.move(box.x + 4, box.y + 10)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width / 2, box.y + 10, { steps: 3 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=.*to=/)
  await expect(rowOf(page, 21)).toBeHidden()
  await expect(rowOf(page, 1)).toBeVisible()
  await page.mouse.click(box.x + 2, box.y + 10)
  await expect(page.getByRole('heading', { name: /^Request 1:/ })).toBeFocused()
})

test('Requests: somebody asks what another gap value would have changed', async ({ page }) => {
  await using server = await serveFrozen()
  await statusOf(server, { key: 'minute-exhausted-key' })
  await openConsole(page, server, 'requests/1')
  await page.getByRole('button', { name: 'What if…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'What if' })
  await expect(dialog.getByRole('status')).toContainText(/values would change this response/)
  const effect = dialog.getByRole('group').filter({ hasText: 'retryAfterFormat=http-date' })
  await expect(effect).toContainText('now seconds')
  await effect.locator('summary').press('Enter')
  await expect(effect).toContainText(/− retry-after: \d+\+ retry-after: Sat, 21 Nov 2026/)
})

test('Findings: what a client does wrong, is rejected for, and never meets', {
  tag: '@everyday',
}, async ({ page }) => {
  const sandbox = createSandbox({
    clock: { now: '2026-11-21T14:03:07Z', mode: 'frozen' },
  })
  await using server = await startServer({ port: 0, sandbox })
  await send(server, '/pets/1')
  await send(server, '/pets/nope')
  await openConsole(page, server, 'findings')
  const rule = page.getByRole('group').filter({ hasText: 'Deprecated operation' })
  await expect(rule).toContainText('Do instead: Use GET /pets')
  await expect(rule.getByRole('link', { name: 'spec 4.3' })).toBeVisible()
  const errors = page.getByRole('region', { name: /^Error responses/ })
  await expect(errors).toContainText('1 of 2 getPet')
  const open = page.getByRole('region', { name: 'Never exercised' })
  await open.getByRole('button', { name: /^Set up: .*429 by day/ }).click()
  await expect(page.getByText(/^Called keys\.setRemaining: /)).toBeVisible()
  expect(sandbox.keys.get('free-key').day.remaining).toBe(0)
  // K1: it takes back this change, and no request.
  await send(server, '/pets')
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect.poll(() => sandbox.keys.get('free-key').day.remaining).toBe(998)
  expect(sandbox.requests.list()).toHaveLength(3)
  sandbox.reset()
  await expect(page.getByRole('region', { name: 'Before the reset' })).toContainText('Deprecated')
  await page.getByRole('button', { name: 'Clear' }).press('Enter')
  await expect(page.getByRole('region', { name: 'Before the reset' })).toHaveCount(0)
  await expect(page.locator(':focus')).toHaveCount(1)
})

test('Make it fail: a sentence arms a fault, a scenario is set up and undone', {
  tag: '@everyday',
}, async ({ page }) => {
  await using server = await serveFrozen()
  await openConsole(page, server, 'fail')
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('GET /pets')
  await page.getByRole('combobox', { name: 'Key' }).selectOption('pro-key')
  await page.getByRole('combobox', { name: 'What happens' }).selectOption('gets 503')
  await page.getByRole('button', { name: 'Arm' }).click()
  const list = page.getByRole('list', { name: 'Faults' })
  await expect(list).toContainText('gets 503')
  expect([await statusOf(server), await statusOf(server, { key: 'pro-key' })]).toEqual([200, 503])
  await expect(list).toHaveCount(0)
  await page.getByRole('button', { name: 'Set up: Minute exhausted' }).press('Enter')
  await expect.poll(() => statusOf(server)).toBe(429)
  // The same place says what takes it back.
  await expect(
    page.getByRole('main').getByRole('button', { name: 'Stop: Minute exhausted' }),
  ).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => statusOf(server)).toBe(200)
  expect(await statusOf(server, { key: 'minute-exhausted-key' })).toBe(429)
  // On paper, where no button is, a title stays on its line.
  await page.emulateMedia({ media: 'print' })
  const title = await page.getByText('Day before the sunset').boundingBox()
  expect(title?.height).toBeLessThan(30)
  await page.emulateMedia({ media: 'screen' })
  await page.getByRole('button', { name: 'More…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add a fault' })
  await dialog.getByLabel('Status', { exact: true }).fill('999')
  await dialog.getByRole('button', { name: 'Add the fault' }).click()
  await expect(dialog.getByLabel('Status', { exact: true })).toHaveAccessibleDescription(
    /found 999/,
  )
  await dialog.getByLabel('What happens').selectOption('latency')
  await expect(dialog.getByLabel('Ms')).toHaveValue('2s')
})

test('Make it fail: a click during another call is carried out after it', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  sandbox.faults.add({ fault: 'status', status: 503 })
  sandbox.setRateLimits('report-only')
  await openConsole(page, server, 'fail')
  const held: (() => void)[] = []
  await page.route('**/_sandbox/rate-limits', async (route) => {
    await new Promise<void>((resolve) => held.push(resolve))
    await route.continue()
  })
  await page.getByRole('button', { name: 'Enforce the limits' }).click()
  await expect.poll(() => held.length).toBe(1)
  await page.getByRole('button', { name: 'Remove all faults' }).click()
  held[0]?.()
  await expect.poll(() => sandbox.faults.list().length).toBe(0)
  expect(sandbox.rateLimits).toBe('enforce')
})

test('a sandbox is created, shown from its start, and deleted', async ({ page }) => {
  await using server = await serveFrozen()
  await send(server, '/pets')
  await openConsole(page, server, 'requests/1')
  await expect(page.getByRole('region', { name: 'Details of request 1' })).toBeVisible()
  await page.getByRole('button', { name: 'Sandbox default' }).click()
  await page.getByRole('button', { name: 'New…' }).click()
  await page.getByRole('textbox', { name: 'Name' }).fill('alice')
  await page.getByRole('button', { name: 'Create it' }).click()
  await expect(page.getByText('No requests yet')).toBeVisible()
  await expect(page.getByText('Cannot find request')).toHaveCount(0)
  await page.getByRole('button', { name: 'Sandbox alice' }).click()
  await page.getByRole('button', { name: 'Delete alice…' }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Sandbox default' })).toBeVisible()
  const names = await (await fetch(`${server.url}/_sandbox/sandboxes`)).json()
  expect(names).toEqual([])
})

test('Data: a quota that reset while another place was shown is current', async ({ page }) => {
  const clock = { now: '2026-11-21T14:03:55Z', mode: 'frozen' } as const
  const sandbox = createSandbox({ clock })
  await using server = await startServer({ port: 0, sandbox })
  await send(server, '/pets')
  await openConsole(page, server, 'requests')
  await expect(rowOf(page, 1)).toBeVisible()
  // The minute passes without an event.
  sandbox.clock.resume()
  await expect(page.getByRole('banner').getByText(/14:0[4-9]:/)).toBeVisible()
  await page.getByRole('link', { name: 'Data' }).click()
  await expect(page.getByRole('meter', { name: 'Minute: 0/60' }).first()).toBeVisible()
  await expect(page.getByRole('meter', { name: /0 s$/ })).toHaveCount(0)
})

test('Data: a quota is seen in a narrow window', async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  for (let count = 0; count < 10; count++) {
    await send(server, '/pets')
    await statusOf(server, { key: 'pro-key' })
    sandbox.clock.advance('1m')
  }
  sandbox.keys.setRemaining('free-key', { day: 30 })
  await openConsole(page, server, 'data/keys')
  // In a narrow window, too, quotas are seen, and nothing is cut off.
  await page.setViewportSize({ width: 390, height: 844 })
  const key = page.getByRole('row', { name: /free-key/ })
  await expect(key.getByRole('meter', { name: /^Day: 970/ })).toBeInViewport()
  for (const width of [390, 720]) {
    await page.setViewportSize({ width, height: 844 })
    const box = await key.getByRole('button', { name: 'More about free-key' }).boundingBox()
    expect((box?.x ?? width) + (box?.width ?? 0), `${width} px`).toBeLessThan(width - 17)
  }
})

test('Data: a file that is dropped in another place, and all pets that are deleted', async ({
  page,
}) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  sandbox.pets.create(
    Array.from({ length: 100 }, (_, at) => ({ name: `Pet ${at}`, categoryId: 1 })),
  )
  await send(server, '/pets')
  const capture = await (await fetch(`${server.url}/_sandbox/capture`)).text()
  await openConsole(page, server, 'requests')
  await expect(rowOf(page, 1)).toBeVisible()
  const dataTransfer = await page.evaluateHandle((text) => {
    const dropped = new DataTransfer()
    dropped.items.add(new File([text], 'yesterday.petstore.json'))
    return dropped
  }, capture)
  await page.dispatchEvent('body', 'dragover', { dataTransfer })
  await expect(page.getByRole('button', { name: 'Save a snapshot' })).toBeVisible()
  await page.dispatchEvent('body', 'drop', { dataTransfer })
  await expect(page.getByRole('list', { name: 'Snapshots' })).toContainText('yesterday')
  // There is no change of the sandbox to undo.
  await expect(page.getByText('Imported yesterday.petstore.json')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Undo' })).toHaveCount(0)
  await page.getByRole('link', { name: /^Pets/ }).click()
  await page.getByRole('button', { name: 'Delete all' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(130)
})

test('Data: keys and pets are changed, imported and compared', { tag: '@everyday' }, async ({
  page,
}) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  await openConsole(page, server, 'data/snapshots')
  await page.getByRole('button', { name: 'Save a snapshot' }).click()
  await expect(page.getByRole('list', { name: 'Snapshots' })).toContainText('as now')
  await page.getByRole('link', { name: /^Keys/ }).click()
  await page.getByRole('button', { name: 'Ban free-key' }).press('Enter')
  await page.getByRole('button', { name: '10m', exact: true }).press('Enter')
  await expect.poll(() => sandbox.keys.get('free-key').state).toBe('banned')
  const unban = page.getByRole('row', { name: /free-key/ }).getByRole('button', { name: 'Unban' })
  await unban.press('Enter')
  await expect.poll(() => sandbox.keys.get('free-key').state).toBe('active')
  await expect(page.getByRole('button', { name: 'Ban free-key' })).toBeFocused()
  await page.getByRole('button', { name: 'Issue a key…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Issue a key' })
  const text = dialog.getByRole('textbox', { name: 'Key', exact: true })
  await text.fill('no spaces')
  await dialog.getByRole('button', { name: 'Issue it' }).click()
  await expect(text).toHaveAccessibleDescription(/letters, digits/)
  await text.fill('mine')
  await dialog.getByRole('button', { name: 'Issue it' }).click()
  await expect.poll(() => sandbox.keys.list().length).toBe(10)
  await page.getByLabel('Import…').setInputFiles({
    name: 'pets.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('name,categoryId,status\nRex,3,sold\nIda,9007199254740993,\n'),
  })
  await expect.poll(() => sandbox.pets.size).toBe(32)
  await expect(page.getByText('Imported 2 pets')).toBeVisible()
  await expect(page.getByRole('row', { name: /Ida/ })).toContainText('9007199254740993')
  await page.getByLabel('Import…').setInputFiles({
    name: 'seed.json',
    mimeType: 'application/json',
    buffer: Buffer.from(
      '{"pets":[{"name":"Bo","categoryId":1}],"keys":[{"key":"my-key","plan":"pro"}]}',
    ),
  })
  await expect(page.getByText('Imported 1 pet and 1 key')).toBeVisible()
  expect(sandbox.keys.get('my-key').plan).toBe('pro')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(32)
  await page.getByRole('button', { name: 'Name', exact: true }).click()
  await expect(page.locator('tbody tr').first()).toContainText('Bella')
  const rex = page.getByRole('row', { name: /Rex/ })
  await rex.getByRole('button', { name: /^More about pet/ }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect.poll(() => sandbox.pets.size).toBe(31)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(32)
  await page.getByRole('link', { name: /^Snapshots/ }).click()
  const kept = page.getByRole('list', { name: 'Snapshots' })
  await expect(kept).toContainText('pets +2')
  await kept.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText('name "Ida"')
  // The capture of another run is compared by what its requests got.
  await statusOf(server, { path: '/pets/1' })
  const capture = await (await fetch(`${server.url}/_sandbox/capture`)).text()
  await page.getByLabel('Import…').setInputFiles({
    name: 'yesterday.petstore.json',
    mimeType: 'application/json',
    buffer: Buffer.from(capture),
  })
  await statusOf(server)
  const yesterday = kept.getByRole('listitem', { name: 'yesterday.petstore.json' })
  await yesterday.getByRole('button', { name: 'Compare', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Comparison' })).toContainText(
    '+ GET /v1/pets → 200',
  )
  await page.reload()
  await kept.getByRole('button', { name: 'Restore' }).click()
  await expect.poll(() => sandbox.pets.size).toBe(30)
  const opening = page.waitForEvent('popup')
  await yesterday.getByRole('button', { name: 'Open' }).click()
  const run = await opening
  await expect(run.getByRole('region', { name: 'Run' })).toContainText('Request 1 of 1')
  await expect(run.getByRole('banner')).toContainText('yesterday.petstore.json')
})

test('Spec: clauses stand beside their gaps, and the real service is compared', {
  tag: '@everyday',
}, async ({ page }) => {
  await using server = await serveFrozen()
  const { sandbox } = server
  await statusOf(server, { key: 'minute-exhausted-key' })
  const complaints = await openConsole(page, server, 'spec/8')
  await expect(page.getByRole('region', { name: 'Limits' })).toContainText('X-RateLimit-Remaining')
  await page.getByLabel('retryAfterFormat').selectOption('http-date')
  await expect.poll(() => sandbox.gaps.retryAfterFormat).toBe('http-date')
  await page.getByRole('button', { name: 'Set retryAfterFormat to its default, seconds' }).click()
  await expect.poll(() => sandbox.gaps.retryAfterFormat).toBe('seconds')
  await page.getByRole('button', { name: 'What if', exact: true }).click()
  const effects = page.getByRole('region', { name: /^\d+ gaps change a response to 1 request$/ })
  await expect(effects.getByRole('row', { name: /resetUnit milliseconds 1/ })).toContainText('#1')
  await effects.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('searchbox').fill('banAfter')
  await page.getByLabel('banAfter').fill('soon')
  await page.getByLabel('banAfter').press('Enter')
  await expect(page.getByLabel('banAfter')).toHaveAccessibleDescription(/found "soon"/)
  await page.getByLabel('banAfter').fill('3')
  await page.getByLabel('banAfter').press('Enter')
  await expect.poll(() => sandbox.gaps.banAfter).toBe(3)
  await page.getByLabel('Compare with a HAR file…').setInputFiles({
    name: 'real.har',
    mimeType: 'application/json',
    buffer: Buffer.from(await (await fetch(`${server.url}/_sandbox/requests.har`)).text()),
  })
  const result = page.getByRole('region', { name: 'The real service, by real.har' })
  await expect(result).toContainText('confirmed')
  await result.getByRole('button', { name: 'Use its values' }).click()
  await expect(page.getByText(/set as in the service/)).toBeVisible()
  await page.goto(`${server.url}/_sandbox/ui/api.html#8-limits`)
  await expect(page.getByRole('heading', { name: '8. Limits' })).toBeInViewport()
  await expect(page.getByRole('link', { name: 'petstore-sandbox', exact: true })).toBeVisible()
  await page.setViewportSize({ width: 390, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  await page.getByRole('link', { name: 'Findings' }).click()
  await expect(page.getByRole('heading', { name: 'retry-too-early' })).toBeVisible()
  expect(complaints).toEqual([])
})
