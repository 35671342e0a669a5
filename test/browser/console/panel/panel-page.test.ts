import { fileURLToPath } from 'node:url'
import type { BrowserContextOptions, Page } from 'playwright'
import { test as base, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { browser } from '../../../kit/browser.ts'
import { rulesOfColours, violationsOn, wcag } from '../../../kit/console-page.ts'
import type { parts as pageParts } from '../../adapters/worker-page/page.ts'
import { buildPage, serve } from '../../adapters/worker-page/site.ts'

/** Known in the page only. */
declare const parts: typeof pageParts

/** As strict as a page can be. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

let code: string

beforeAll(async () => {
  code = await buildPage('msw')
})

interface Fixtures {
  readonly options: BrowserContextOptions
  /** A page with such a policy and an open panel. */
  readonly page: Page
  /** What the page's policy has rejected, and what has gone wrong otherwise. */
  readonly problems: string[]
}

const it = base.extend<Fixtures>({
  options: {},
  problems: async ({ task: _ }, use) => use([]),
  page: async ({ options, problems }, use) => {
    const site = await serve(code, {}, { headers: { 'content-security-policy': policy } })
    const context = await browser.newContext(options)
    const page = await context.newPage()
    page.on('console', (message) => {
      // Its one line that says how to open it.
      if (message.type() !== 'info') problems.push(message.text())
    })
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(site.url)
    await page.evaluate(openPanel)
    await use(page)
    await context.close()
    site.close()
  },
})

/** Opens a panel over a sandbox in which all sorts of things have happened. */
async function openPanel(): Promise<void> {
  const sandbox = parts.createSandbox({ clock: { now: '2026-01-01', mode: 'frozen' } })
  const send = (url: string, key: string) =>
    sandbox.handle({ method: 'GET', url, headers: { authorization: `Bearer ${key}` }, body: '' })
  for (const url of ['/v1/pets', '/v1/pets/1', '/v1/pets?limit=0', `/v1/${'long'.repeat(50)}`]) {
    await send(url, 'free-key')
  }
  await send('/v1/pets', 'banned-key')
  sandbox.faults.add({ fault: 'status', status: 503 })
  await send('/v1/pets', 'pro-key')
  sandbox.keys.setRemaining('pro-key', { minute: 3 })
  await parts.mountPanel(sandbox, { when: 'always' })?.open()
}

describe('the panel in a page with frozen prototypes', () => {
  it('says why it can not be opened', async ({ problems }) => {
    const site = await serve(code, {}, { headers: { 'content-security-policy': policy } })
    const page = await browser.newPage()
    onTestFinished(async () => {
      await page.close()
      site.close()
    })
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(site.url)
    const rejected = await page.evaluate(async () => {
      for (const { prototype } of [Object, Function, Array, Promise]) Object.freeze(prototype)
      const panel = parts.mountPanel(parts.createSandbox(), { when: 'always' })
      return await panel?.open().catch(String)
    })
    expect(rejected).toContain("Cannot open the panel: the page has frozen JavaScript's prototypes")
    const line = page.getByRole('alert')
    expect(await line.textContent()).toBe(rejected?.replace('Error: ', ''))
    await page.getByRole('button', { name: 'Sandbox panel' }).click()
    expect(await line.count()).toBe(1)
    expect(problems).toEqual([])
  })
})

/** A page as a server renders it, and React takes over. */
const renderedPage =
  '<!doctype html><html lang="en"><head><title>Shop</title><script type="module" src="/page.js"></script></head><body><button type="button">Bought 0</button></body></html>'

describe('the panel in a page of React', () => {
  it('stays while React takes over the whole document, and leaves it alone', async ({
    problems,
  }) => {
    const input = fileURLToPath(new URL('react-page/page.js', import.meta.url))
    const site = await serve(await buildPage('msw', input), { '/': renderedPage })
    const page = await browser.newPage()
    onTestFinished(async () => {
      await page.close()
      site.close()
    })
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(message.text())
    })
    page.on('pageerror', ({ message }) => problems.push(message))
    await page.goto(site.url)
    await page.getByRole('button', { name: 'Bought 0' }).click()
    await page.getByRole('button', { name: 'Sandbox panel' }).click()
    // Twice, since effects are in development.
    await page.getByRole('dialog').getByRole('row').nth(2).waitFor()
    await page.getByRole('button', { name: 'Bought 1' }).click()
    await page.getByRole('button', { name: 'Bought 2' }).waitFor()
    expect(problems).toEqual([])
  })
})

const everyTab = [/^Requests/, /^Findings/, /^Make it fail/, /^Data/, /^Spec/] as const

const allRules = [...wcag, 'best-practice']

describe.each([
  { look: 'light', options: { colorScheme: 'light' }, tabs: everyTab, rules: allRules },
  {
    look: 'dark',
    options: { colorScheme: 'dark' },
    tabs: [/^Requests/, /^Make it fail/, /^Data/],
    rules: rulesOfColours,
  },
  {
    look: 'forced colours',
    options: { forcedColors: 'active' },
    tabs: [/^Make it fail/],
    rules: rulesOfColours,
  },
  {
    look: 'narrow',
    options: { viewport: { width: 320, height: 640 } },
    tabs: [/^Requests/],
    rules: allRules,
  },
] as const)('the panel in a page with a strict policy: $look', ({ options, tabs, rules }) => {
  it.override('options', options)

  it('is styled, breaks no rule, and sets nothing off', async ({ page, problems }) => {
    const panel = page.getByRole('dialog', { name: 'Pet store sandbox' })
    expect(await panel.evaluate((one) => getComputedStyle(one).display)).toBe('flex')
    await panel.getByRole('row').nth(1).getByRole('link').click()
    await panel.getByRole('heading', { name: /^Request / }).waitFor()
    for (const name of tabs) {
      await panel.getByRole('navigation').getByRole('link', { name }).click()
      await panel.locator('[aria-current]', { hasText: name }).waitFor()
      expect(await violationsOn(page, rules, 'petstore-panel')).toEqual([])
      expect(await panel.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    }
    expect(problems).toEqual([])
  })
})
