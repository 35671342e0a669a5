import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { expect, type Page, type TestInfo, test } from '@playwright/test'
import { createSandbox } from 'petstore-sandbox'
import { coverageItems } from '../../../src/checks/coverage/cells.ts'
import { tryFragment } from '../../../src/console/playground/try-link.ts'
import { parseJson, toJson } from '../../../src/mock/api/json.ts'
import { readInput } from '../../../src/mock/input/schema.ts'
import { captureFile } from '../../../src/sandbox/controls/captures.ts'
import { playedSandbox } from '../../../src/sandbox/played-sandbox.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'
import { conformanceCases } from '../../kit/conformance-cases.ts'
import { violationsOn } from '../../kit/console-page.ts'
import { serveFolder } from '../../kit/open-server.ts'

const program = fileURLToPath(new URL('../../../bin/petstore-sandbox', import.meta.url))

/** What the page has for the browser's own console. */
declare const petstore: { readonly sandbox: Sandbox; readonly fetch: typeof fetch }

/** Writes the page to an empty folder, and serves that as any web server would, deep in a site. */
async function servePage(info: TestInfo, file?: { name: string; text: string }) {
  const folder = info.outputPath('site')
  const given: string[] = []
  if (file !== undefined) {
    given.push(info.outputPath(file.name))
    writeFileSync(info.outputPath(file.name), file.text)
  }
  execFileSync(process.execPath, [program, 'open', ...given, '--to', folder])
  return { folder, ...(await serveFolder(folder, '/x/y/')) }
}

/** Opens a page, and collects what it logs as an error, and the requests that it sends once it is loaded. */
async function openPage(page: Page, url: string) {
  const complaints: string[] = []
  const asked: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(url)
  await expect(page.getByRole('link', { name: 'Requests' })).toBeVisible()
  page.on('request', (request) => asked.push(request.url()))
  return { complaints, asked }
}

/** A run with a secret key, pets, a ban, and a client that comes back too early, as a capture. */
async function failedRun(): Promise<string> {
  return toJson(await (await failedSandbox()).capture())
}

async function failedSandbox() {
  const sandbox = createSandbox({ clock: { now: '2027-01-15T08:00:20Z', mode: 'frozen' } })
  sandbox.keys.issue({ key: secret, plan: 'free' })
  const send = (url: string, key: string, body = '') => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    return sandbox.handle({ method: body === '' ? 'GET' : 'POST', url, headers, body })
  }
  await send('/v1/pets?limit=3', secret)
  await send('/v1/pets', secret, '{"name":"Rex","categoryId":1}')
  sandbox.keys.setRemaining(secret, { minute: 1 })
  await send('/v1/pets/1', secret)
  await send('/v1/pets', secret)
  sandbox.clock.advance('2s')
  await send('/v1/pets', secret)
  sandbox.keys.update('free-key', { ban: '5m' })
  await send('/v1/pets', 'free-key')
  return sandbox
}

const secret = 'a-key-that-nobody-may-see-4711'

test(
  'a user sends requests, starts clients, and nothing leaves the page',
  { tag: '@everyday' },
  async ({ page }, info) => {
    await using site = await servePage(info)
    const { complaints, asked } = await openPage(page, site.url)
    await page.getByLabel('Sample').selectOption('listPets 429')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const details = page.getByRole('region', { name: 'Details of request 1' })
    await expect(details).toContainText('429')
    await expect(details).toContainText(/retry-after\d+ · until \d\d:/)
    await details.getByRole('button', { name: 'Copy', exact: true }).click()
    await expect(details.locator('.menu').getByRole('button')).toHaveText(
      ['curl', 'fetch', 'Vitest test', 'Markdown', 'link'].map((what) => `Copy ${what}`),
    )
    await page.keyboard.press('Escape')
    for (const name of ['Naïve', 'Retries everything at once', 'axios-retry', 'Polite']) {
      await page.getByRole('button', { name: `Start: ${name}` }).click()
    }
    const naive = page.getByRole('listitem').filter({ hasText: 'Naïve' })
    await expect(naive.getByRole('link', { name: /request/ })).toBeVisible()
    for (const name of ['Lose the response', 'Jump to 5 December 2030']) {
      await page.getByRole('button', { name }).click()
    }
    await page.evaluate(() => petstore.sandbox.keys.update('naive-client-key', { ban: '5m' }))
    // The line that sends is marked with the rules that its client breaks.
    await expect(naive).toContainText('finding')
    await naive.getByText('Code').click()
    await expect(naive.locator('mark')).toContainText('await fetch(')
    await expect(naive.locator('mark')).toContainText('request-while-banned')
    await page.getByRole('button', { name: 'Stop: Naïve' }).click()
    await expect(page.getByRole('button', { name: 'Start: Naïve' })).toBeVisible()
    for (const place of ['Findings', 'Make it fail', 'Data', 'Spec & gaps']) {
      await page.getByRole('navigation', { name: 'Places' }).getByText(place).click()
      await expect(page.getByRole('main')).toHaveAccessibleName(place)
    }
    await expect(page.getByRole('main')).toContainText('A request beyond a limit gets 429.')
    const kept = await page.evaluate(async () => [
      localStorage.length + sessionStorage.length,
      document.cookie,
      (await indexedDB.databases()).length,
      (await navigator.serviceWorker.getRegistrations()).length,
    ])
    expect(kept).toEqual([0, '', 0, 0])
    // The policy would have to allow it.
    const left = await page.evaluate(() => fetch('playground.css').catch(() => 'rejected'))
    expect(left).toBe('rejected')
    expect(complaints.join('\n')).toMatch(/^(?:.*Content Security Policy.*\n?){1,2}$/)
    expect(asked).toEqual([])
  },
)

test('each sample gets the response that it is named after', async ({ page }, info) => {
  await using site = await servePage(info)
  await openPage(page, site.url)
  // K2: in turn, and each in a sandbox of its own; what the form sends breaks no rule.
  for (const { name } of coverageItems.outcomes) {
    await page.getByLabel('Sample').selectOption(name)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    const pill = page.locator('.details header .pill')
    await expect(pill).toHaveText(/\d+/.exec(name)?.[0] ?? '')
    await page.getByRole('link', { name: 'Close the details' }).click()
  }
  await page.getByRole('navigation', { name: 'Places' }).getByText('Findings').click()
  await expect(page.getByRole('main')).toContainText('No findings')
})

test('what the page answers is what the conformance pairs have', async ({ page }, info) => {
  await using site = await servePage(info)
  await openPage(page, site.url)
  // All at once, since each call of the page takes longer than a request.
  const outcomes = await page.evaluate(
    async (cases) => {
      const { sandbox } = petstore
      const all = []
      for (const { before, request, gaps, rateLimits, clock } of cases) {
        sandbox.reset()
        sandbox.clock.freeze()
        sandbox.clock.set(clock ?? '2027-01-15T08:00:20Z')
        sandbox.reset({ only: ['quotas', 'keys'] })
        if (gaps !== undefined) sandbox.setGaps(gaps)
        if (rateLimits !== undefined) sandbox.setRateLimits(rateLimits)
        for (const step of before ?? []) {
          if (step.kind === 'advance') sandbox.clock.advance(step.by)
          if (step.kind === 'remaining') sandbox.keys.setRemaining(step.key, step.remaining)
          for (let sent = 0; step.kind === 'send' && sent < (step.times ?? 1); sent++) {
            await sandbox.handle(step.request)
          }
        }
        all.push(await sandbox.handle(request))
      }
      return all
    },
    conformanceCases.map(({ before, request, gaps, rateLimits, clock }) => ({
      before,
      request,
      gaps,
      rateLimits,
      clock,
    })),
  )
  expect(outcomes).toHaveLength(conformanceCases.length)
  for (const [index, { name, response }] of conformanceCases.entries()) {
    expect(outcomes[index], name).toMatchObject(response)
  }
})

test('a link reproduces a situation, and runs nothing else', async ({ page }, info) => {
  await using site = await servePage(info)
  await page.goto(`${site.url}api.html`)
  const errors = page.getByRole('cell', { name: /^4\d\d$/ })
  expect(await errors.count()).toBeGreaterThan(5)
  await expect(errors.locator('a[href^="playground.html#try="]')).toHaveCount(await errors.count())
  await page.locator('#clause-8, #clause-7').getByRole('link', { name: '429' }).click()
  const details = page.getByRole('region', { name: /^Details of request/ })
  await expect(details).toContainText('429')
  expect(page.url()).toBe(`${site.url}playground.html#/requests/1`)
  await page.getByRole('link', { name: 'Close the details' }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  const encoded = (steps: unknown): string => `#try=${encodeURIComponent(JSON.stringify(steps))}`
  const request = { method: 'GET', path: '/pets', headers: {}, body: '' }
  const bad: readonly (readonly [fragment: string, why: string])[] = [
    ['#try=%', 'its fragment is not JSON'],
    ['#try=nonsense', 'its fragment is not JSON'],
    [encoded({}), 'use an array'],
    [encoded([{ control: 'constructor', args: ['alert(1)'] }]), 'try[0]'],
    [encoded([{ control: 'handleControl', args: [] }]), 'try[0]'],
    [encoded([{ control: 'keys.__proto__', args: [] }]), 'try[0]'],
    [encoded([{ request: { ...request, path: '//example.com' }, times: 501 }]), 'try[0]'],
    [encoded([{ request: { ...request, path: 'https://example.com' }, times: 1 }]), 'try[0]'],
    [encoded(Array.from({ length: 21 }, () => ({ request, times: 1 }))), 'use at most 20'],
    [`#try=${'9'.repeat(8_000)}`, 'it is longer than 8000 characters'],
  ]
  for (const [fragment, why] of bad) {
    await page.evaluate((hash) => location.assign(hash), fragment)
    await expect(page.getByRole('alert')).toContainText(why)
    await expect(page.getByRole('row')).toHaveCount(2)
  }
  const good = [{ control: 'clock.set', args: ['2030-12-05'] } as const, { request, times: 2 }]
  await page.evaluate((hash) => location.assign(hash), tryFragment(good))
  await expect(details).toContainText('#2')
  await page.getByRole('link', { name: 'Close the details' }).click()
  await expect(page.getByRole('row')).toHaveCount(3)
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText('2030-12-05')
  // R4: an integer beyond 2^53 is kept, and the form follows.
  const pet = { id: 9223372036854775807n, name: 'x', categoryId: 1 }
  const large = [{ control: 'pets.create', args: [pet] } as const, { request, times: 1 }]
  await page.evaluate((hash) => location.assign(hash), tryFragment(large))
  const form = page.getByRole('complementary', { name: 'Try it' })
  await expect(form).toContainText('sandbox.pets.create({"id":9223372036854775807')
  await page.getByLabel('Sample').selectOption('getPet 404')
  await expect(form.getByLabel('Path')).toHaveValue(/^\/pets\/\d+/)
  await page.evaluate(() => location.assign('#open=failed.petstore.json'))
  await expect(page.getByText('Choose failed.petstore.json')).toBeVisible()
})

test(
  'the receiver of a failed run steps through it, and takes it over',
  { tag: '@everyday' },
  async ({ page }, info) => {
    const text = await failedRun()
    await using site = await servePage(info, { name: 'failed.petstore.json', text })
    const { complaints, asked } = await openPage(page, site.url)
    const run = page.getByRole('region', { name: 'Run' })
    const heading = run.getByRole('heading', { level: 2 })
    await expect(heading).toHaveText('Request 6 of 6')
    await expect(page.getByText('read-only')).toBeVisible()
    const capture = readInput(captureFile, parseJson(text))
    for (const until of [5, 4, 3, 2, 1, 2, 3, 4]) {
      const isForward = (await heading.textContent()) === `Request ${until - 1} of 6`
      await page.keyboard.press(isForward ? 'ArrowRight' : 'ArrowLeft')
      await expect(heading).toHaveText(`Request ${until} of 6`)
      await expect(page).toHaveURL(new RegExp(`#/requests/${until}$`))
      const { sandbox } = await playedSandbox(capture, { until })
      const expected = JSON.parse(toJson(sandbox.snapshot()))
      const shown = () => page.evaluate(() => JSON.stringify(petstore.sandbox.snapshot()))
      await expect.poll(async () => JSON.parse(await shown())).toEqual(expected)
      const found = (await sandbox.findings()).map(({ rule }) => rule)
      await expect
        .poll(() => page.evaluate(() => petstore.sandbox.resultSoFar()?.findings.length))
        .toBe(found.length)
    }
    // K5: row, slider and details are one step; the whole run stays listed.
    await expect(page.locator('.requests-list tbody tr')).toHaveCount(6)
    await expect(page.locator('tr.faint')).toHaveCount(2)
    await page.locator('.requests-list tbody tr').nth(4).getByRole('link').click()
    await expect(heading).toHaveText('Request 2 of 6')
    await expect(run.getByRole('status')).toContainText('pet +1')
    await expect(run.getByRole('status')).toContainText('minute 1 → 2')
    await expect(page.locator('tr.current')).toContainText('Added pet 31')
    const details = page.locator('.details')
    await run.getByRole('slider').press('End')
    await expect(details).toContainText('the API key is banned')
    await expect(run.getByRole('slider')).toBeFocused()
    await run.getByRole('slider').press('ArrowLeft')
    await expect(details).toContainText('429')
    await details.getByRole('button', { name: 'What if…' }).click()
    await page.getByRole('dialog').getByText('retryAfterFormat=http-date', { exact: true }).click()
    await expect(page.getByRole('dialog')).toContainText('GMT')
    await page.keyboard.press('Escape')
    await run.getByRole('button', { name: 'Take over from here' }).click()
    await expect(page.getByText('Taken over after request 5')).toBeVisible()
    await expect(page.getByText('read-only')).toHaveCount(0)
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await expect(page.getByRole('region', { name: 'Details of request 6' })).toBeVisible()
    expect(await page.evaluate(() => petstore.sandbox.pets.list().length)).toBe(31)
    await page.getByRole('button', { name: 'Back to the run' }).click()
    await expect(heading).toHaveText(/^Request \d of 6$/)
    expect(complaints).toEqual([])
    expect(asked).toEqual([])
    for (const name of readdirSync(site.folder)) {
      expect(readFileSync(join(site.folder, name), 'utf8')).not.toContain(secret)
    }
  },
)

test('an empty page opens a run that is chosen, and says in a line what it can not open', async ({
  page,
}, info) => {
  await using site = await servePage(info)
  const { complaints } = await openPage(page, site.url)
  const choose = async (name: string, text: string): Promise<void> => {
    writeFileSync(info.outputPath(name), text)
    await page.getByLabel('Open a failed run…').setInputFiles(info.outputPath(name))
  }
  const large = info.outputPath('large.json')
  writeFileSync(large, '')
  truncateSync(large, 64 * 2 ** 20 + 1)
  await page.getByLabel('Open a failed run…').setInputFiles(large)
  await expect(page.getByRole('alert')).toHaveText(
    'Cannot read large.json: it is larger than 64 MiB',
  )
  const hostile: readonly (readonly [text: string, why: RegExp])[] = [
    ['{', /^Cannot read bad\.json: it is not valid JSON$/],
    ['['.repeat(1e6), /^Cannot /],
    [`{"petstoreCapture":1,"options":{},"steps":${'['.repeat(1e5)}${']'.repeat(1e5)}}`, /^Cannot /],
    ['{"petstoreCapture":2}', /it has version 2/],
    ['{"petstoreCapture":"<img src=x onerror=alert(1)>"}', /petstoreCapture/],
    ['{"log":{"entries":[]}}', /a HAR file, not a capture/],
    ['[]', /the file is not a capture/],
  ]
  for (const [text, why] of hostile) {
    await choose('bad.json', text)
    await expect(page.getByRole('alert')).toHaveText(why)
    expect(await page.getByRole('alert').textContent()).not.toContain('\n')
  }
  await choose('failed.petstore.json', await failedRun())
  await expect(page.getByRole('heading', { name: 'Request 6 of 6' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  const run = page.getByRole('region', { name: 'Run' })
  const places = page.getByRole('navigation', { name: 'Places' }).getByRole('link')
  await places.filter({ hasText: 'Findings' }).click()
  await expect(page.getByRole('main')).toContainText(/\d (?:error|warning|info)/)
  await run.getByRole('slider').press('Home')
  await expect(page.getByRole('main')).toContainText('No findings')
  await run.getByRole('slider').press('End')
  await run.getByRole('button', { name: 'Close the run' }).click()
  await expect(page.getByRole('complementary', { name: 'Try it' })).toBeVisible()
  expect(complaints).toEqual([])
})

test('markup in a capture and in its name stays text, in a page from the disk', async ({
  page,
}, info) => {
  const sandbox = createSandbox({ clock: { now: 0, mode: 'frozen' } })
  const name = '</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>'
  const body = JSON.stringify({ name, categoryId: 1 })
  const headers = { authorization: 'Bearer free-key', 'content-type': 'application/json' }
  await sandbox.handle({ method: 'POST', url: '/v1/pets', headers, body })
  const text = toJson(await sandbox.capture())
  const site = await servePage(info, { name: 'a"><script>b.json', text })
  await site[Symbol.asyncDispose]()
  page.on('dialog', () => {
    throw new Error('The markup has run')
  })
  const { complaints } = await openPage(
    page,
    String(pathToFileURL(join(site.folder, 'index.html'))),
  )
  await expect(page.getByRole('banner')).toContainText('a"><script>b.json')
  await expect(page.locator('.details')).toContainText('<img src=x onerror=alert(2)>')
  expect(complaints).toEqual([])
})

test('axe finds nothing, wide and at 390 pixels', async ({ page }, info) => {
  await using site = await servePage(info, { name: 'f.json', text: await failedRun() })
  for (const path of ['playground.html', 'index.html']) {
    await openPage(page, site.url + path)
    if (path === 'playground.html') {
      await page.getByText('Code', { exact: true }).first().click()
    } else {
      // Later requests are faint.
      for (let count = 0; count < 3; count++) await page.keyboard.press('ArrowLeft')
      await expect(page.getByRole('heading', { name: 'Request 3 of 6' })).toBeVisible()
    }
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 844 })
      if (path === 'playground.html') {
        await page.getByRole('button', { name: 'Send', exact: true }).click()
        // K6: the response is seen wherever it is.
        await expect(page.locator('.details header')).toBeInViewport()
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violationsOn(page), `${path} at ${width}, ${colorScheme}`).toEqual([])
      }
      const over = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      )
      expect(over, `${path} at ${width}`).toBe(0)
    }
  }
})
