import type { BrowserContextOptions, Page } from 'playwright'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { RunningServer } from '../../../src/server/start-server.ts'
import { browser } from '../../kit/browser.ts'
import { frozenSandbox } from '../../kit/frozen-sandbox.ts'
import { listen } from '../../kit/listen.ts'
import { emptyPage } from '../../kit/open-server.ts'
import { stateOf } from '../../kit/state-of.ts'
import { testServer } from '../../kit/test-server.ts'

/** A page that shares nothing with those of other tests. */
async function newPage(options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext(options)
  onTestFinished(() => context.close())
  return await context.newPage()
}

/** A sandbox that any of the attacks would show in. */
async function guardedServer(): Promise<RunningServer> {
  // Where coverage is off, the link to it leads to how to turn it on.
  const sandbox = frozenSandbox({ coverage: true })
  sandbox.pets.clear()
  sandbox.clock.advance('1h')
  return await testServer({ sandbox })
}

/** All that the sandbox remembers, but for what browsers ask the API for by themselves: an icon. */
function controlledState({ sandbox, pool }: RunningServer): unknown {
  const { requests, quotas, ...rest } = { ...(stateOf(sandbox) as Record<string, unknown>) }
  return { ...rest, names: pool.names() }
}

/** What a page can try at a control without being asked: it gives what it could read. */
function attack(page: Page, base: string): Promise<string[]> {
  return page.evaluate(async (root) => {
    const json = { 'Content-Type': 'application/json' }
    const requests: [string, RequestInit][] = [
      ['/reset', { method: 'POST' }],
      ['/reset', { method: 'POST', mode: 'no-cors' }],
      ['/reset', { method: 'POST', mode: 'no-cors', body: '{}' }],
      ['/reset', { method: 'POST', headers: json, body: '{}' }],
      ['/clock', { method: 'PATCH', headers: json, body: '{"advance":"1d"}' }],
      ['/pets', { method: 'DELETE' }],
      ['/snapshot', {}],
      ['/snapshot', { mode: 'no-cors' }],
      ['/keys', { credentials: 'include' }],
      ['/sandboxes', { method: 'POST', mode: 'no-cors' }],
    ]
    const read: string[] = []
    for (const [path, init] of requests) {
      try {
        const reply = await fetch(`${root}${path}`, init)
        if (reply.type !== 'opaque' && reply.status !== 403) read.push(`${path}: ${reply.status}`)
      } catch {
        // The browser keeps back what it may not read.
      }
    }
    navigator.sendBeacon(`${root}/reset`)
    navigator.sendBeacon(`${root}/reset`, '{}')
    await new Promise<void>((resolve) => {
      const script = Object.assign(document.createElement('script'), { src: `${root}/keys` })
      script.onload = () => read.push('a script')
      script.onerror = () => resolve()
      script.addEventListener('load', () => resolve())
      document.body.append(script)
    })
    await new Promise<void>((resolve) => {
      const events = new EventSource(`${root}/events`)
      events.onopen = () => {
        read.push('events')
        resolve()
      }
      events.onerror = () => resolve()
    })
    return read
  }, `${base}/_sandbox`)
}

/** Sends a form to a control, as a page can without a script of its own. */
async function submitForm(page: Page, action: string, type: string): Promise<number> {
  const answered = page.waitForNavigation()
  await page.evaluate(
    ([target, encoding]) => {
      const form = document.createElement('form')
      Object.assign(form, { method: 'post', action: target, enctype: encoding })
      document.body.append(form)
      form.submit()
    },
    [action, type],
  )
  return (await answered)?.status() ?? 0
}

describe('a page of another site', () => {
  it('can neither change nor read anything of a sandbox', async () => {
    const server = await guardedServer()
    const before = controlledState(server)
    const page = await newPage()
    await page.goto((await listen(emptyPage)).url)
    expect(await attack(page, server.url)).toEqual([])
    expect(await attack(page, `http://localhost:${server.port}`)).toEqual([])
    expect(controlledState(server)).toEqual(before)
  })

  it('gets nothing done with a form', async () => {
    const server = await guardedServer()
    const before = controlledState(server)
    const { url: origin } = await listen(emptyPage)
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const page = await newPage()
      await page.goto(origin)
      expect(await submitForm(page, `${server.url}/_sandbox/reset`, type)).toBe(403)
      expect(controlledState(server)).toEqual(before)
    }
  })

  it('gets nothing done when its name is bound to this machine', async () => {
    const server = await guardedServer()
    const before = controlledState(server)
    const page = await newPage()
    const rebound = `http://evil.test:${server.port}`
    // To the browser, page and controls are now of one origin.
    const reply = await page.goto(`${rebound}/v1/pets`)
    expect(reply?.status()).toBe(401)
    expect(await attack(page, rebound)).toEqual([])
    expect(await submitForm(page, `${rebound}/_sandbox/reset`, 'text/plain')).toBe(403)
    expect(await page.goto(`${rebound}/_sandbox`).then((found) => found?.status())).toBe(403)
    expect(controlledState(server)).toEqual(before)
  })

  it('shows that the attacks are ones: from its own page, they do what they say', async () => {
    const server = await guardedServer()
    const page = await newPage()
    await page.goto(`${server.url}/v1/pets`)
    expect(await attack(page, server.url)).toEqual(
      expect.arrayContaining(['/reset: 204', '/clock: 200', '/snapshot: 200', 'events']),
    )
    expect(server.pool.names()).not.toEqual([])
  })
})

describe('the page of the controls', () => {
  it.each([
    { colorScheme: 'light', width: 1280 },
    { colorScheme: 'dark', width: 320 },
  ] as const)(
    'fits a $colorScheme window $width wide, and its links lead somewhere',
    async (look) => {
      const { url } = await guardedServer()
      const { colorScheme, width } = look
      const page = await newPage({ colorScheme, viewport: { width, height: 700 } })
      const faults: string[] = []
      page.on('console', (message) => faults.push(message.text()))
      page.on('pageerror', (error) => faults.push(error.message))
      await page.goto(`${url}/_sandbox/controls`)
      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
      expect(widths[0]).toBe(widths[1])
      const links = await page
        .locator('a')
        .evaluateAll((all) => all.map((one) => one.getAttribute('href')))
      expect(links.length).toBeGreaterThan(10)
      for (const link of new Set(links)) {
        if (link?.endsWith('/events') === true) continue
        const reply = await fetch(link ?? '')
        await reply.text()
        expect([link, reply.status]).toEqual([link, 200])
      }
      expect(faults).toEqual([])
    },
  )
})
