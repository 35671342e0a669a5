import { expect, type Page, test } from '@playwright/test'
import { createSandbox, type Sandbox } from 'petstore-sandbox'
import { type RunningServer, startServer } from 'petstore-sandbox/server'
import { openConsole, rulesOfColours, violationsOn, wcag } from '../../kit/console-page.ts'
import { lastingPort } from '../../kit/lasting-port.ts'

/** A sandbox that clients have been at, its clock frozen. */
async function serve(
  options: { controlToken?: string; port?: number } = {},
): Promise<RunningServer> {
  const clock = { now: '2026-11-21T14:03:07Z', mode: 'frozen' } as const
  const sandbox = createSandbox({ clock })
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
  return page.locator('tbody tr', {
    has: page.locator(`a:is([href="#/requests/${id}"], [href^="#/requests/${id}?"])`),
  })
}

/** What has to be right in each look: colours alone in all but the first. */
const looks = [
  { rules: [...wcag, 'best-practice'], colorScheme: 'light', forcedColors: 'none' },
  { rules: rulesOfColours, colorScheme: 'dark', forcedColors: 'none' },
  { rules: rulesOfColours, colorScheme: 'light', forcedColors: 'active' },
] as const

const [plainLook, ...otherLooks] = looks

/** Rules that depend on the width of a page. */
const rulesOfWidth = ['target-size', 'scrollable-region-focusable', 'meta-viewport']

/** What each address shows of {@link serve} once all of it is there. */
const contents: readonly (readonly [address: string, text: string])[] = [
  ['requests', 'Added pet 31'],
  ['requests/3', 'x-ratelimit-remaining'],
  ['findings', 'last request of a window'],
  ['fail', 'Each response takes 1 to 3 s'],
  ['data/keys', 'business-key'],
  ['data/pets', 'Bella'],
  ['data/snapshots', 'Nothing is saved yet'],
  ['spec', 'There are two environments'],
]

/** Opens each place in turn. */
async function eachPlace(
  page: Page,
  server: RunningServer,
  check: (address: string) => Promise<void>,
): Promise<void> {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const complaints = await openConsole(page, server, 'requests')
  for (const [address, text] of contents) {
    await page.goto(`${server.url}/_sandbox/ui/#/${address}`)
    await expect(page.getByRole('main')).toContainText(text)
    await check(address)
  }
  expect(complaints).toEqual([])
}

test('each place is for everybody, wide and narrow', async ({ page }) => {
  await using server = await serve()
  await eachPlace(page, server, async (address) => {
    for (const [width, rules] of [
      [1280, plainLook.rules],
      [320, rulesOfWidth],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(overflow, `${address}, ${width} px`).toBe(0)
      expect(await violationsOn(page, rules), `${address}, ${width} px`).toEqual([])
    }
  })
})

test('each place is for everybody, in dark and in forced colours', async ({ page }) => {
  await using server = await serve()
  await eachPlace(page, server, async (address) => {
    // The bar is the same in all places.
    const part = address === 'requests' ? 'html' : 'main'
    for (const { rules, ...look } of otherLooks) {
      await page.emulateMedia(look)
      const violations = await violationsOn(page, rules, part)
      expect(violations, `${address}, ${JSON.stringify(look)}`).toEqual([])
    }
  })
})

/** What opens: where, by which buttons, and what has the focus in it then. */
const opened = [
  ['requests/3', ['What if…'], undefined],
  ['requests/3', ['Edit and send…'], 'Method'],
  ['requests/3', ['Fault…'], 'What happens'],
  ['requests', ['Filter'], undefined],
  ['requests', ['Save'], undefined],
  ['requests', ['Clock'], undefined],
  ['requests', ['Sandbox default', 'New…'], 'Name'],
  ['requests', ['More', 'Keyboard…'], undefined],
  ['data/keys', ['Issue a key…'], 'Key'],
  ['data/keys', ['Ban free-key'], undefined],
  ['data/keys', ['Quota of free-key', 'Limits…'], 'Limits: minute'],
  ['data/pets', ['Add a pet…'], 'Name'],
  ['data/pets', ['Generate…'], 'Number of pets'],
  ['data/pets', ['More about pet 1', 'Change…'], 'Name'],
  ['fail', ['More…'], 'What happens'],
] as const

for (const [name, isTheirs] of [
  ['the requests and the bar', (place: string) => place.startsWith('requests')],
  ['the other places', (place: string) => !place.startsWith('requests')],
] as const) {
  test(`each dialog and menu of ${name} is for everybody, and gives the focus back`, async ({
    page,
  }) => {
    await using server = await serve()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const complaints = await openConsole(page, server, 'requests')
    for (const [place, opens, focused] of opened.filter(([one]) => isTheirs(one))) {
      await page.goto(`${server.url}/_sandbox/ui/#/${place}`)
      const buttonOf = (text: string) =>
        page.getByRole('button', { name: text, exact: text !== 'Clock' }).first()
      for (const text of opens) await buttonOf(text).press('Enter')
      const open = 'dialog[open], [popover="auto"]:popover-open'
      const shown = page.locator(open)
      await expect(shown.first()).toBeVisible()
      if (focused !== undefined) {
        await expect(shown.locator(':focus'), `${place}: ${opens}`).toHaveAccessibleName(focused)
      }
      for (const { rules, ...look } of looks) {
        await page.emulateMedia(look)
        const violations = await violationsOn(page, rules, open)
        expect(violations, `${place}: ${opens}, ${JSON.stringify(look)}`).toEqual([])
      }
      await page.keyboard.press('Escape')
      await expect(shown).toHaveCount(0)
      await expect(buttonOf(opens[0])).toBeFocused()
    }
    expect(complaints).toEqual([])
  })
}

test('a slow, a failing or an unknown answer leaves all else standing', async ({ page }) => {
  await using server = await serve()
  const place = `${server.url}/_sandbox/ui/`
  // Nothing is said of requests before they are there.
  let answerList = (): void => {}
  await page.route(/_sandbox\/requests\?/, async (route) => {
    await new Promise<void>((resolve) => {
      answerList = resolve
    })
    await route.continue()
  })
  await page.goto(`${place}#/requests`)
  await expect(page.getByText('Loading …')).toBeVisible()
  await expect(page.getByText('No requests yet')).toBeHidden()
  answerList()
  await expect(row(page, 6)).toBeVisible()
  await page.unrouteAll()
  await page.route('**/_sandbox/{gaps,scenarios,findings}*', (route) =>
    route.fulfill({ status: 500 }),
  )
  await page.reload()
  await expect(row(page, 6)).toBeVisible()
  await page.goto(`${place}#/data/keys`)
  await expect(page.getByRole('main')).toContainText('business-key')
  await page.unrouteAll()
  await page.route('**/_sandbox/status', (route) => route.fulfill({ json: {} }))
  await page.reload()
  await expect(page.getByRole('alert')).toHaveText(/^Cannot show the sandbox: .*newer version/)
  await expect(page.getByText('No keys')).toBeHidden()
})

test('the list and the details: pointer, keyboard, and what clients send', {
  tag: '@everyday',
}, async ({ page }) => {
  await using server = await serve()
  const complaints = await openConsole(page, server, 'requests')
  const link = row(page, 3).getByRole('link')

  await test.step('the texts of a row can be selected, and a click opens its request', async () => {
    const text = row(page, 2).locator('td.cell-why .reason')
    const box = await text.boundingBox()
    if (box === null) throw new Error('The row has no text')
    const middle = box.y + box.height / 2
    await page.mouse.move(box.x, middle)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width, middle)
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).toContain('Cannot find pet')
    expect(new URL(page.url()).hash).toBe('#/requests')
    // K10: the path, too, though it is a link.
    const path = await row(page, 2).locator('.request-line').boundingBox()
    if (path === null) throw new Error('The row has no path')
    await page.mouse.move(path.x + 60, path.y + 6)
    await page.mouse.down()
    await page.mouse.move(path.x + path.width - 4, path.y + 6, { steps: 4 })
    await page.mouse.up()
    expect(await page.evaluate(() => String(getSelection()))).toContain('pets/nop')
    expect(new URL(page.url()).hash).toBe('#/requests')
    await row(page, 2).getByText('14:03:07').click()
    await expect(page.getByRole('region', { name: 'Details of request 2' })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the details take the focus, and give it back to their row', async () => {
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
  })

  await test.step('what clients send is text', async () => {
    await page.goto(`${server.url}/_sandbox/ui/#/requests/6`)
    const details = page.getByRole('region', { name: 'Details of request 6' })
    await expect(details).toContainText('<img src=x onerror=alert(1)>')
    await expect(details).toContainText('"name": "<script>alert(1)</script>"')
    await expect(details).toContainText('9007199254740993')
    expect(await page.locator('main img, main script').count()).toBe(0)
    await page.keyboard.press('Escape')
  })

  await test.step('keys move through requests, and can be switched off', async () => {
    await page.keyboard.press('/')
    await expect(page.getByRole('searchbox')).toBeFocused()
    await page.getByRole('main').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await expect(row(page, 5).getByRole('link')).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('heading', { name: /^Request 5/ })).toBeFocused()
    await page.keyboard.press('k')
    await expect(page.getByRole('heading', { name: /^Request 6/ })).toBeFocused()
    await page.keyboard.press('?')
    await page.getByRole('button', { name: 'Single keys on' }).click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('j')
    await expect(page.getByRole('heading', { name: /^Request 6/ })).toBeVisible()
    await page.keyboard.press('Escape')
  })

  await test.step('the list holds still under the pointer, or paused', async () => {
    // K3: another row must not move under a click.
    await row(page, 2).hover()
    await send(server, '/pets')
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await expect(row(page, 7)).toBeHidden()
    await page.getByRole('button', { name: '1 new' }).click()
    await expect(row(page, 7)).toBeVisible()
    await send(server, '/pets')
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await page.getByRole('banner').hover()
    await expect(row(page, 8)).toBeVisible()
    await page.getByRole('button', { name: 'Pause' }).click()
    await send(server, '/pets')
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await page.getByRole('button', { name: 'Paused' }).click()
    await expect(row(page, 9)).toBeVisible()
  })

  await test.step('a request is sent again, as it was and changed', async () => {
    await row(page, 6).getByRole('link').press('Enter')
    await page.getByRole('button', { name: 'Send again' }).press('Enter')
    const details = page.getByRole('region', { name: 'Details of request 10' })
    await expect(details).toContainText('Added pet 32')
    await details.getByRole('button', { name: 'Edit and send…' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Send a request' })
    await dialog.getByLabel('Path').fill('/../_sandbox/reset')
    await dialog.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(dialog.getByRole('alert')).toContainText('use a path of the API')
    await dialog.getByLabel('Path').fill('/pets')
    await dialog.getByLabel('Body').fill('{"name":7}')
    await dialog.getByRole('button', { name: 'Send' }).press('Enter')
    await expect(page.getByRole('heading', { name: 'Request 11: POST /v1/pets' })).toBeVisible()
  })

  await test.step('two requests are compared', async () => {
    await page.getByRole('link', { name: 'Compare…' }).press('Enter')
    await row(page, 10).getByRole('link').press('Enter')
    const comparison = page.getByRole('region', { name: 'Request 11 compared with 10' })
    await expect(comparison).toContainText('− status 400')
    await expect(comparison).toContainText('+ status 201')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Compare no longer' }).press('Enter')
    await expect(page).toHaveURL(/#\/requests$/)
  })

  await test.step('an address leads to its request, however far down', async () => {
    for (let count = 0; count < 80; count++) await send(server, '/pets', 'business-key')
    await expect(row(page, 91)).toBeVisible()
    await page.goto(`${server.url}/_sandbox/ui/#/requests/4`)
    await expect(page.getByRole('region', { name: 'Details of request 4' })).toBeVisible()
    await expect(row(page, 4)).toBeInViewport()
    await expect(row(page, 91)).not.toBeInViewport()
  })

  await test.step('in a narrow window, rows have their reason, and the details are alone', async () => {
    await page.setViewportSize({ width: 390, height: 800 })
    await page.getByRole('link', { name: 'Close the details' }).click()
    await row(page, 50).scrollIntoViewIfNeeded()
    await expect(row(page, 50).getByText('20 of 32 pets')).toBeInViewport()
    await row(page, 50).getByRole('link').click()
    await expect(page.getByRole('heading', { name: /^Request 50/ })).toBeInViewport()
    await expect(row(page, 50)).toBeHidden()
  })
  expect(complaints).toEqual([])
})

test('what is changed is typed or clicked, told in the bar, and taken back', async ({ page }) => {
  await using server = await serve()
  const { sandbox } = server
  await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  const clock = page.getByRole('button', { name: 'Clock' })
  const chips = page.getByRole('list', { name: 'Not the default' })

  await test.step('the clock, from the keyboard', async () => {
    await clock.press('Enter')
    await page.getByRole('button', { name: '+1m' }).press('Enter')
    await expect(clock).toContainText('2026-11-21 14:04:07')
    await page.getByRole('button', { name: 'next reset' }).press('Enter')
    await expect.poll(() => sandbox.clock.read().now).toBe('2026-11-21T14:05:00Z')
    await page.getByRole('button', { name: 'sunset' }).press('Enter')
    await expect.poll(() => sandbox.clock.read().now).toBe('2030-12-05T00:00:00Z')
    const time = page.getByLabel('Time (UTC)')
    // The page learns of the new time a moment later; before that, it would change the field while it is filled.
    await expect(time).toHaveValue('2030-12-05T00:00:00Z')
    await time.fill('2031-01-02T14:30:00Z')
    await time.press('Enter')
    await expect.poll(() => sandbox.clock.read().now).toBe('2031-01-02T14:30:00Z')
    await page.keyboard.press('Escape')
    await expect(clock).toBeFocused()
    // Instants of another day have their date.
    await expect(row(page, 6)).toContainText('2026-11-21 14:03:07')
  })

  await test.step('the limits, and both by their chips', async () => {
    sandbox.setRateLimits('report-only')
    await expect(chips.getByRole('link')).toHaveText([
      /^clock frozen \+\d+ y$/,
      'limits report-only',
    ])
    await chips.getByRole('button', { name: 'Enforce the limits' }).press('Enter')
    await expect.poll(() => sandbox.rateLimits).toBe('enforce')
    await expect(chips.getByRole('link')).toHaveCount(1)
    // What had the focus is gone; what is beside it has it.
    await expect(page.getByRole('button', { name: 'Follow the system time' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect.poll(() => sandbox.clock.read().mode).toBe('system')
    await expect(chips).toHaveCount(0)
    await expect(page.locator(':focus')).toHaveCount(1)
  })

  await test.step('a filter, whose removal keeps the focus', async () => {
    await page.goto(`${server.url}/_sandbox/ui/#/requests?key=pro-key`)
    await expect(row(page, 5)).toBeHidden()
    await page.getByRole('button', { name: 'Remove the filter: key pro-key' }).press('Enter')
    await expect(row(page, 5)).toBeVisible()
    await expect(page.locator(':focus')).toHaveCount(1)
  })

  await test.step('a reset, which brings back everything', async () => {
    await page.getByRole('button', { name: 'More', exact: true }).press('Enter')
    await page.getByRole('button', { name: /^Reset/ }).press('Enter')
    await expect(page.getByText('No requests yet')).toBeVisible()
    await page.getByRole('button', { name: 'Undo' }).press('Enter')
    await expect(row(page, 6)).toBeVisible()
    await expect(page.locator(':focus')).toHaveCount(1)
  })
})

test('nothing is missing after a lost connection', async ({ page }) => {
  const server = await serve({ port: await lastingPort() })
  const { port, sandbox } = server
  await openConsole(page, server, 'requests')
  await expect(row(page, 6)).toBeVisible()
  await server.close()
  await expect(page.getByRole('banner')).toContainText('not connected')
  await expect(page.getByText('Not running.')).toBeVisible()
  await expect(page.getByRole('banner')).toHaveAttribute('inert')
  // The process that comes back is of another version than the page, until that is loaded again.
  let isReloaded = false
  page.on('request', (request) => {
    isReloaded ||= request.isNavigationRequest()
  })
  await page.route('**/_sandbox/health', (route) =>
    isReloaded ? route.continue() : route.fulfill({ json: { status: 'ok', version: '9.9.9' } }),
  )
  for (let count = 0; count < 5; count++) {
    const headers = { authorization: 'Bearer free-key' }
    await sandbox.handle({ method: 'GET', url: '/v1/pets', headers, body: '' })
  }
  await using _again = await startServer({ port, sandbox })
  for (const id of [7, 11]) await expect(row(page, id)).toBeVisible()
  await expect(page.getByText('Not running.')).toBeHidden()
  await expect(page.getByText(/the server of 9\.9\.9/)).toBeVisible()
  await page.getByRole('button', { name: 'Reload' }).click()
  await expect(row(page, 11)).toBeVisible()
  await expect(page.getByText(/the server of 9\.9\.9/)).toBeHidden()
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
  await expect(page.locator('main')).toHaveText(/^RequestsThis sandbox is protected.*Use it$/)
  await token.fill('a-token')
  await token.press('Enter')
  await expect(token).toHaveAccessibleDescription('This is not its token')
  await expect(token).toBeFocused()
  await token.fill('the-token')
  await dialog.getByRole('button', { name: 'Use it' }).click()
  await expect(row(page, 6)).toBeVisible()
  await expect(page.getByRole('main')).toBeFocused()
  await page.getByRole('button', { name: 'Sandbox default' }).click()
  await page.getByRole('button', { name: 'mine' }).click()
  await expect(page.getByText('No requests yet')).toBeVisible()
  await send({ ...server, url: `${server.url}/sandboxes/mine` }, '/pets')
  await expect(row(page, 1)).toBeVisible()
  expect(new URL(page.url()).search).toBe('?sandbox=mine')
  await expect(dialog).toBeHidden()
  await page.goBack()
  await expect(row(page, 6)).toBeVisible()
})

test('says what is wrong with an address, and helps out of it', async ({ page }) => {
  await using server = await startServer({ port: 0 })
  const name = new URLSearchParams({ sandbox: '$(id)`id`"/..' })
  await page.goto(`${server.url}/_sandbox/ui/?${name}`)
  await expect(page.getByRole('main')).toContainText('There is no such sandbox')
  await expect(page.locator('pre')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create it' }).click()
  await expect(page.getByRole('alert')).toContainText('Cannot set sandbox.name')
  await page.goto(`${server.url}/_sandbox/ui/?sandbox=team-a`)
  await page.getByRole('button', { name: 'Create it' }).click()
  await expect(page.getByText('No requests yet')).toBeVisible()
  expect(server.pool.names()).toEqual(['team-a'])
})
