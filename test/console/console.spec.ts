import { expect, type Page, test } from '@playwright/test'
import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { type ScreenName, screenNames } from '../../src/console/model/route.ts'
import { openConsole, violationsOn, wcag } from '../kit/console-page.ts'
import { lastingPort } from '../kit/lasting-port.ts'

/** A sandbox that clients have been at, its clock frozen. */
async function serve(
  options: { controlToken?: string; port?: number } = {},
): Promise<RunningServer> {
  const clock = { now: '2026-11-21T14:03:07Z', mode: 'frozen' } as const
  const sandbox = createSandbox({ clock, coverage: true })
  const server = await startServer({ port: 0, sandbox, ...options })
  await send(server, '/pets?limit=2')
  await send(server, '/pets/nope')
  await send(server, '/pets', 'minute-exhausted-key')
  await send(server, '/pets', 'minute-exhausted-key')
  sandbox.faults.add({ fault: 'status', status: 503, times: 1 })
  await send(server, '/pets/1')
  await send(server, '/pets', 'pro-key', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-note': '<img src=x onerror=alert(1)>' },
    body: '{"name":"<script>alert(1)</script>","categoryId":9007199254740993}',
  })
  return server
}

async function send(
  { url }: RunningServer,
  path: string,
  key = 'free-key',
  { headers, ...init }: RequestInit & { headers?: Record<string, string> } = {},
): Promise<void> {
  await fetch(`${url}/v1${path}`, {
    ...init,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
}

function row(page: Page, id: number) {
  return page.getByRole('row', { name: new RegExp(`^Request ${id}:`) })
}

const looks = [
  { name: 'light', colorScheme: 'light', forcedColors: 'none' },
  { name: 'dark', colorScheme: 'dark', forcedColors: 'none' },
  { name: 'forced colours', colorScheme: 'light', forcedColors: 'active' },
] as const

/** What each screen shows of {@link serve} once all of it is there. */
const contents: Readonly<Record<ScreenName, string>> = {
  requests: 'Added pet 31',
  keys: 'business-key',
  timeline: 'requests of minute-exhausted-key',
  findings: 'deprecated-operation',
  situations: 'Each answer takes 1 to 3 s',
  coverage: 'createPet 401',
  pets: 'Bella',
  state: 'Download',
}

for (const { name, ...look } of looks) {
  test(`each screen is for everybody, in ${name}`, async ({ page }) => {
    await using server = await serve()
    await page.emulateMedia({ reducedMotion: 'reduce', ...look })
    const complaints = await openConsole(page, server, 'requests')
    await expect(page.getByRole('banner')).toContainText('● live')
    const expectForEverybody = async (what: string): Promise<void> => {
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 900 })
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow, `${what}, ${width} px`).toBe(0)
        const violations = await violationsOn(page, [...wcag, 'best-practice'])
        expect(violations, `${what}, ${width} px`).toEqual([])
      }
    }
    for (const screen of screenNames) {
      await page.goto(`${server.url}/_sandbox/ui/#/${screen}`)
      await expect(page.getByRole('main')).toContainText(contents[screen])
      await expectForEverybody(screen)
    }
    // What opens beside the list.
    await page.goto(`${server.url}/_sandbox/ui/#/requests/3`)
    await expect(page.getByRole('region', { name: 'Details of request 3' })).toBeVisible()
    await expectForEverybody('a request')
    expect(complaints).toEqual([])
  })
}

/** The dialogs: where each is opened, by what, and what has the focus in it then. */
const dialogs = [
  ['requests/3', ['What if…'], 'Gap'],
  ['requests/3', ['Fault…'], 'What goes wrong'],
  ['requests', ['Reset…'], 'Cancel'],
  ['keys', ['Issue a key…'], 'Key'],
  ['keys', ['More', 'Limits…'], 'Requests in a minute'],
  ['keys', ['More', 'Delete…'], 'Cancel'],
  ['pets', ['Add a pet…'], 'Name'],
  ['pets', ['Generate…'], 'How many'],
  ['pets', ['More', 'Change…'], 'Name'],
  ['pets', ['Delete all…'], 'Cancel'],
  ['situations', ['Another fault…'], 'What goes wrong'],
] as const

for (const { name, ...look } of looks) {
  test(`each dialog begins at what does no harm, and is for everybody, in ${name}`, async ({
    page,
  }) => {
    await using server = await serve()
    await page.emulateMedia({ reducedMotion: 'reduce', ...look })
    const complaints = await openConsole(page, server, 'requests')
    for (const [place, opens, focused] of dialogs) {
      await page.goto(`${server.url}/_sandbox/ui/#/${place}`)
      const buttonOf = (text: string) => page.getByRole('button', { name: text }).first()
      for (const text of opens) await buttonOf(text).press('Enter')
      const dialog = page.getByRole('dialog')
      await expect(dialog.locator(':focus'), `${place}: ${opens}`).toHaveAccessibleName(focused)
      expect(await violationsOn(page, [...wcag, 'best-practice']), `${place}: ${opens}`).toEqual([])
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await expect(buttonOf(opens[0])).toBeFocused()
    }
    expect(complaints).toEqual([])
  })
}

test('a status that is not as the page knows it is said in a sentence', async ({ page }) => {
  await using server = await serve()
  await page.route('**/_sandbox/status', (route) => route.fulfill({ json: {} }))
  const complaints = await openConsole(page, server, 'keys')
  await expect(page.getByRole('alert')).toHaveText(/^Cannot show the sandbox: .*newer version/)
  await expect(page.getByText('No keys')).toBeHidden()
  expect(complaints).toEqual([])
})

test('what a rule found before a reset and after it has two names', async ({ page }) => {
  await using server = await serve()
  await openConsole(page, server, 'findings')
  const found = page.getByRole('region', { name: 'deprecated-operation', exact: true })
  await expect(found).toBeVisible()
  server.sandbox.reset()
  await expect(found).toBeHidden()
  await send(server, '/pets/1')
  await expect(found).toBeVisible()
  await expect(
    page.getByRole('region', { name: 'deprecated-operation Before the reset' }),
  ).toBeVisible()
  expect(await violationsOn(page, [...wcag, 'best-practice'])).toEqual([])
})

test('somebody finds out why a request was refused, as it comes in', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  await send(server, '/pets', 'no-such-key')
  await row(page, 7).getByRole('link').click()
  const details = page.getByRole('region', { name: 'Details of request 7' })
  await expect(details).toContainText('401')
  await expect(details).toContainText('the API key is unknown')
  await expect(details.getByRole('link', { name: 'spec 5' })).toHaveAttribute(
    'href',
    /^interface\.md#/,
  )
  expect(new URL(page.url()).hash).toBe('#/requests/7')

  await page.getByRole('searchbox').fill('nullStatus nothing')
  await expect(page.getByText('No request fits')).toBeVisible()
  await page.getByRole('searchbox').fill('onerror')
  await expect(row(page, 6)).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: '429' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  expect(complaints).toEqual([])
})

test('somebody finds the requests of one key among keys that begin alike', async ({ page }) => {
  await using server = await serve()
  for (const number of [1, 2])
    server.sandbox.keys.issue({ key: `load-key-${number}`, plan: 'free' })
  await send(server, '/pets?limit=3', 'load-key-1')
  await send(server, '/pets?limit=4', 'load-key-2')
  await openConsole(page, server, 'requests')
  await page.getByRole('searchbox').fill('load-key-2')
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(row(page, 8)).toContainText('load-key-2')
  await expect(row(page, 8)).toContainText('GET /v1/pets?limit=4')
  await page.goto(`${server.url}/_sandbox/ui/#/requests?key=load-key-1`)
  await expect(row(page, 7)).toBeVisible()
  await expect(page.getByRole('row')).toHaveCount(2)
  await page.getByRole('button', { name: /^Only requests of load-key-1/ }).click()
  await expect(row(page, 6)).toBeVisible()
})

test('the texts of a row can be selected, and a click on it opens its request', async ({
  page,
}) => {
  await using server = await serve()
  await openConsole(page, server, 'requests')
  const text = row(page, 2).getByText('GET /v1/pets/nope')
  const box = await text.boundingBox()
  if (box === null) throw new Error('The row has no text')
  const middle = box.y + box.height / 2
  await page.mouse.move(box.x, middle)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width, middle)
  await page.mouse.up()
  expect(await page.evaluate(() => String(getSelection()))).toContain('/v1/pets/nope')
  expect(new URL(page.url()).hash).toBe('#/requests')
  await row(page, 2).getByText('14:03:07').click()
  await expect(page.getByRole('region', { name: 'Details of request 2' })).toBeVisible()
})

test('the details take the focus, and give it back to their row', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'requests')
  const link = row(page, 3).getByRole('link')
  await link.press('Enter')
  await expect(page.getByRole('heading', { name: 'Request 3: GET /v1/pets' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(link).toBeFocused()
  await link.press('Enter')
  // Escape closes first what is open in them.
  await page.getByRole('button', { name: 'Copy', exact: true }).press('Enter')
  await expect(page.getByRole('button', { name: 'Copy fetch' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Copy fetch' })).toBeHidden()
  await page.getByRole('link', { name: 'Close the details' }).press('Enter')
  await expect(link).toBeFocused()
  expect(complaints).toEqual([])
})

test('what clients send is text', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'requests/6')
  const details = page.getByRole('region', { name: 'Details of request 6' })
  await expect(details).toContainText('<img src=x onerror=alert(1)>')
  await expect(details).toContainText('"name": "<script>alert(1)</script>"')
  await expect(details).toContainText('9007199254740993')
  expect(await page.locator('main img, main script').count()).toBe(0)
  expect(complaints).toEqual([])
})

test('an address leads to its request in the list, however far down', async ({ page }) => {
  await using server = await serve()
  for (let count = 0; count < 80; count++) await send(server, '/pets', 'business-key')
  await openConsole(page, server, 'requests/4')
  await expect(page.getByRole('region', { name: 'Details of request 4' })).toBeVisible()
  await expect(row(page, 4)).toBeInViewport()
  await expect(row(page, 86)).not.toBeInViewport()
})

test('the clock, the limits and a fault are set from the keyboard', async ({ page }) => {
  await using server = await serve()
  const { sandbox } = server
  await openConsole(page, server, 'requests/1')
  const clock = page.getByRole('button', { name: 'Clock' })
  await clock.press('Enter')
  await page.getByRole('button', { name: '+1 m' }).press('Enter')
  await expect(clock).toContainText('14:04:07')
  await page.getByRole('button', { name: 'next reset' }).press('Enter')
  await expect.poll(() => sandbox.clock.read().now).toBe('2026-11-21T14:05:00Z')
  await page.getByRole('button', { name: 'sunset' }).press('Enter')
  await expect.poll(() => sandbox.clock.read().now).toBe('2030-12-05T00:00:00Z')
  const instant = page.getByLabel('Instant (UTC)')
  expect(await violationsOn(page)).toEqual([])
  await instant.fill('2031-01-02T14:30:00')
  await instant.press('Enter')
  await expect.poll(() => sandbox.clock.read().now).toBe('2031-01-02T14:30:00Z')
  await page.getByRole('button', { name: 'Now', exact: true }).press('Enter')
  await expect.poll(() => sandbox.clock.read().mode).toBe('system')
  await page.keyboard.press('Escape')
  await expect(clock).toBeFocused()

  await page.getByLabel('Limits').selectOption('reported')
  await expect.poll(() => sandbox.rateLimit).toBe('reported')
  const unusual = page.getByRole('list', { name: 'Not the default' })
  await expect(unusual.getByRole('link')).toHaveText(['limits reported'])

  await page.getByRole('button', { name: 'Fault…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Make a fault of it' })
  await dialog.getByLabel('Status', { exact: true }).fill('502')
  await dialog.getByRole('button', { name: 'Add the fault' }).press('Enter')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Fault…' })).toBeFocused()
  expect(sandbox.faults.list().at(-1)).toMatchObject({
    fault: 'status',
    status: 502,
    operation: 'listPets',
    times: 1,
  })
})

test('somebody asks what another choice would have changed', async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'requests/4')
  await page.getByRole('button', { name: 'What if…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'What if' })
  await dialog.getByLabel('Gap').selectOption('retryAfterFormat')
  await expect(dialog.getByLabel('Choice')).toHaveValue('http-date')
  await dialog.getByRole('button', { name: 'Ask again' }).press('Enter')
  const differing = dialog.getByRole('row', { name: /differs/ })
  await expect(differing).toHaveCount(1)
  await expect(differing).toContainText(/retry-after: \d+.*retry-after: Sat, 21 Nov 2026/)
  await dialog.getByLabel('Gap').selectOption('idSequence')
  await dialog.getByRole('button', { name: 'Ask again' }).press('Enter')
  await expect(dialog).toContainText('The reply would have been the same with idSequence=large')
  await dialog.getByLabel('Gap').selectOption('banAfter')
  await dialog.getByLabel('Choice').fill('soon')
  await dialog.getByRole('button', { name: 'Ask again' }).press('Enter')
  await expect(dialog.getByLabel('Choice')).toHaveAccessibleDescription(/found "soon"; use a whole/)
  expect(server.sandbox.journal.entries()).toHaveLength(6)
  expect(complaints).toEqual([])
})

test('a screen begins at its top, its tab in view, and what is not default', async ({ page }) => {
  await using server = await serve()
  server.sandbox.faults.add({ fault: 'timeout' })
  await page.setViewportSize({ width: 320, height: 400 })
  await openConsole(page, server, 'coverage')
  const tab = page.getByRole('link', { name: 'Coverage' })
  await expect(tab).toBeInViewport({ ratio: 1 })
  await page.getByRole('button', { name: 'Copy test line' }).nth(9).focus()
  await page.evaluate(() => {
    location.hash = '#/state'
  })
  await expect(page.getByRole('button', { name: 'Keep a snapshot' })).toBeVisible()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await expect(page.getByRole('link', { name: 'State' })).toBeInViewport({ ratio: 0.9 })
  await expect(page.getByRole('link', { name: '1 fault' })).toBeInViewport({ ratio: 1 })
})

test('what opens in a narrow window is whole', async ({ page }) => {
  await using server = await serve()
  await page.setViewportSize({ width: 320, height: 600 })
  await openConsole(page, server, 'keys')
  const banner = page.getByRole('banner')
  const free = page.getByRole('article', { name: 'free-key' })
  await expect(free).toBeVisible()
  const chooser = await page.getByLabel('Sandbox', { exact: true }).boundingBox()
  expect(chooser?.width).toBeGreaterThan(80)
  for (const [opens, widest] of [
    [banner.getByRole('button', { name: /Clock/ }), 'Set it'],
    [free.getByRole('button', { name: 'Ban' }), 'Ban it'],
    [free.getByRole('button', { name: 'Use up' }), 'Leave one request'],
    [free.getByRole('button', { name: 'More' }), 'Copy Authorization'],
  ] as const) {
    await opens.press('Enter')
    const opened = page.locator(':popover-open')
    await expect(opened).toBeInViewport({ ratio: 0.99 })
    await expect(opened.getByRole('button', { name: widest })).toBeInViewport({ ratio: 1 })
    expect(await opened.evaluate((shown) => shown.scrollWidth - shown.clientWidth)).toBe(0)
    await page.keyboard.press('Escape')
  }
})

test('a reset asks first, and empties the list', async ({ page }) => {
  await using server = await serve()
  await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  await page.getByRole('button', { name: 'Reset…' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
  await expect(page.getByText('No requests yet')).toBeVisible()
  await send(server, '/pets')
  await expect(row(page, 7)).toBeVisible()
})

test('a paused list stays as it is, and says what waits', async ({ page }) => {
  await using server = await serve()
  await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  await page.getByRole('button', { name: 'Pause' }).click()
  await send(server, '/pets')
  await expect(page.getByText('Paused (1 new)')).toBeVisible()
  await expect(row(page, 7)).toBeHidden()
  await page.getByText('Paused (1 new)').click()
  await expect(row(page, 7)).toBeVisible()
})

test('all tabs share one stream, which another one takes over', async ({ context }) => {
  await using server = await serve()
  const streams: Page[] = []
  context.on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.frame().page())
  })
  const first = await context.newPage()
  await openConsole(first, server, 'requests')
  await expect(row(first, 6)).toBeVisible()
  await expect.poll(() => streams.length).toBe(1)
  const second = await context.newPage()
  await openConsole(second, server, 'requests')
  await expect(row(second, 6)).toBeVisible()
  await send(server, '/pets')
  await expect(row(second, 7)).toBeVisible()
  await expect(row(first, 7)).toBeVisible()
  expect(streams).toHaveLength(1)
  await first.close()
  await send(server, '/pets')
  await expect(row(second, 8)).toBeVisible()
  expect(streams).toHaveLength(2)
})

test('nothing is missing after a lost connection', async ({ page }) => {
  const server = await serve({ port: await lastingPort() })
  const { port, sandbox } = server
  await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  await server.close()
  await expect(page.getByRole('banner')).toContainText('no connection')
  await expect(page.getByText('Not running.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Reset…' })).toBeDisabled()
  // The process that comes back is of another version than the page.
  await page.route('**/_sandbox/health', (route) =>
    route.fulfill({ json: { status: 'ok', version: '9.9.9' } }),
  )
  for (let count = 0; count < 5; count++) {
    const headers = { authorization: 'Bearer free-key' }
    await sandbox.handle({ method: 'GET', url: '/v1/pets', headers, body: '' })
  }
  await using _again = await startServer({ port, sandbox })
  for (const id of [7, 11]) await expect(row(page, id)).toBeVisible()
  await expect(page.getByText('Not running.')).toBeHidden()
  await expect(page.getByText(/the process of 9\.9\.9/)).toBeVisible()
  await page.unroute('**/_sandbox/health')
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(row(page, 11)).toBeVisible()
  await expect(page.getByText(/the process of 9\.9\.9/)).toBeHidden()
})

test('a token is asked for once, and a named sandbox has its own page', async ({ page }) => {
  await using server = await serve({ controlToken: 'the-token' })
  const named: Sandbox = server.pool.create({ name: 'mine' }).sandbox
  named.pets.clear()
  await page.goto(`${server.url}/_sandbox/ui/`)
  const dialog = page.getByRole('dialog', { name: 'This sandbox is protected' })
  const token = dialog.getByRole('textbox', { name: 'Token' })
  await expect(token).toBeFocused()
  expect(await violationsOn(page, [...wcag, 'best-practice'])).toEqual([])
  // Of a sandbox that nobody knows there is nothing to see.
  await expect(page.locator('main')).toHaveText(/^RequestsThis sandbox is protected.*Use it✕$/)
  await token.fill('a-token')
  await token.press('Enter')
  await expect(token).toHaveAccessibleDescription('This is not its token')
  await expect(token).toBeFocused()
  await token.fill('the-token')
  await dialog.getByRole('button', { name: 'Use it' }).click()
  await expect(row(page, 6)).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByLabel('Sandbox', { exact: true }).hover()
  await page.getByLabel('Sandbox', { exact: true }).selectOption('mine')
  await expect(page.getByText('No requests yet')).toBeVisible()
  await send({ ...server, url: `${server.url}/sandboxes/mine` }, '/pets')
  await expect(row(page, 1)).toBeVisible()
  expect(new URL(page.url()).search).toBe('?sandbox=mine')
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(row(page, 6)).toBeVisible()
})

test('says what is wrong with an address, and shows no command for it', async ({ page }) => {
  await using server = await startServer({ port: 0 })
  const name = new URLSearchParams({ sandbox: '$(id)`id`"/..' })
  await page.goto(`${server.url}/_sandbox/ui/?${name}`)
  await expect(page.getByRole('alert')).toContainText('no sandbox has this name')
  await expect(page.locator('pre')).toHaveCount(0)
})
