import { createServer } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { type Browser, chromium, type Page } from 'playwright'
import { chromiumLaunchOptions } from '../../scripts/browsers.ts'
import type { Sandbox } from '../../src/index.ts'
import { loadBuilt, statusFrom } from '../built-sandbox.ts'
import { watchMainThread } from '../main-thread.ts'
import type { Report } from '../report.ts'
import { median, medianRatio } from '../statistics.ts'
import type { Benchmark, BenchOptions } from './benchmark.ts'

const kept = 1_000
const perSecond = 2_000
const loadMs = 3_000
/** Rows that fill a screen. */
const screenful = 26

/** Time until the console of a full request log is there, beside a page of ten lines, and the time that a busy sandbox blocks it. */
export const consolePage: Benchmark = {
  name: 'console',
  round: `the console of ${kept} requests and a page of ten lines, then ${loadMs / 1000} s of ${perSecond} requests a second`,
  rounds: 5,
  async run({ rounds }: BenchOptions): Promise<Report> {
    const { createSandbox } = await loadBuilt()
    const { startServer } = await loadServer()
    const sandbox = createSandbox({ rateLimits: 'report-only' })
    await using server = await startServer({ port: 0, sandbox })
    await using plain = await servePlain()
    await using browser = await chromium.launch(chromiumLaunchOptions())
    for (let count = 0; count < kept; count++) await send(sandbox)
    const url = `${server.url}/_sandbox/ui/`
    const found: Round[] = []
    for (let round = -1; round < rounds; round++) {
      const plainMs = await plainScreen(browser, plain.url)
      const first = await firstScreen(browser, url)
      const load = await underLoad(browser, url, sandbox)
      // The first one warms up.
      if (round >= 0) found.push({ plainMs, ...first, ...load })
    }
    return reportOf(found)
  },
}

/** What one round found. */
interface Round {
  readonly plainMs: number
  /** Until the first screen, as are `cpuMs`. */
  readonly wallMs: number
  readonly cpuMs: number
  readonly longestMs: number
  readonly share: number
}

function reportOf(found: readonly Round[]): Report {
  const all = (name: keyof Round): number[] => found.map((round) => round[name])
  const longestMs = Math.max(...all('longestMs'))
  const screenMs = median(all('wallMs'))
  return {
    title: `console: ${found.length} rounds in Chromium`,
    table: [
      ['what', 'figure'],
      ['a page of ten lines, ms', median(all('plainMs')).toFixed(0)],
      ['the first screen of the console, ms', screenMs.toFixed(0)],
      ['of a page of ten lines', medianRatio(all('wallMs'), all('plainMs')).toFixed(1)],
      ['its processor time, ms', median(all('cpuMs')).toFixed(0)],
      [`the longest task at ${perSecond}/s, ms of processor time`, longestMs.toFixed(0)],
      [`share of the main thread at ${perSecond}/s`, median(all('share')).toFixed(2)],
    ],
    targets: [
      { name: 'milliseconds to the first screen', value: screenMs, bound: 'at most', limit: 500 },
      {
        name: 'milliseconds of processor time of the longest task',
        value: longestMs,
        bound: 'at most',
        limit: 50,
      },
    ],
  }
}

const request = {
  method: 'GET',
  url: '/v1/pets?limit=2',
  headers: { authorization: 'Bearer enterprise-key' },
  body: '',
}

async function send(sandbox: Sandbox): Promise<void> {
  await statusFrom(sandbox, request)
}

/** What the page says once its first screen is drawn. */
const drawn = 'the first screen is drawn'

/** Runs in the page: marks when a screenful of rows is drawn, and says so. */
const markScreen = `new MutationObserver((_, watching) => {
  if (document.querySelectorAll('tbody tr').length < ${screenful}) return
  watching.disconnect()
  requestAnimationFrame(() => setTimeout(() => {
    performance.mark('screen')
    console.debug('${drawn}')
  }))
}).observe(document, { subtree: true, childList: true })`

async function firstScreen(
  browser: Browser,
  url: string,
): Promise<{ readonly wallMs: number; readonly cpuMs: number }> {
  // Apart from the processor time, whose tracing takes time itself.
  const wallMs = await withPage(browser, async (page) => {
    await page.addInitScript(markScreen)
    await openScreen(page, url)
    return await page.evaluate(startOf, 'screen')
  })
  return await withPage(browser, async (page) => {
    await page.addInitScript(markScreen)
    const { tasks, marks } = await watchMainThread(page, () => openScreen(page, url))
    const screenAt = marks.get('screen') ?? Number.POSITIVE_INFINITY
    const before = tasks.filter(({ beginsAt }) => beginsAt <= screenAt)
    return { wallMs, cpuMs: before.reduce((sum, { cpuMs }) => sum + cpuMs, 0) }
  })
}

async function openScreen(page: Page, url: string): Promise<void> {
  // To ask the page whether it is there would run a large script of the driver in it meanwhile.
  const said = page.waitForEvent('console', (message) => message.text() === drawn)
  await page.goto(url, { waitUntil: 'commit' })
  await said
}

async function plainScreen(browser: Browser, url: string): Promise<number> {
  return await withPage(browser, async (page) => {
    await page.goto(url)
    const paint = 'first-contentful-paint'
    await page.waitForFunction((name) => performance.getEntriesByName(name).length > 0, paint)
    return await page.evaluate(startOf, paint)
  })
}

/** Runs in the page: when something was, in milliseconds since the page began. */
function startOf(name: string): number {
  return performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
}

async function underLoad(
  browser: Browser,
  url: string,
  sandbox: Sandbox,
): Promise<{ readonly longestMs: number; readonly share: number }> {
  return await withPage(browser, async (page) => {
    await page.goto(url)
    await page.locator('tbody tr').nth(49).waitFor()
    const { tasks } = await watchMainThread(page, async () => {
      const beginAt = performance.now()
      const passed = (): number => performance.now() - beginAt
      for (let sent = 0; passed() < loadMs; await pause(10)) {
        for (; sent < (passed() * perSecond) / 1000; sent++) await send(sandbox)
      }
    })
    const cpuMs = tasks.map((task) => task.cpuMs)
    const sum = cpuMs.reduce((before, ms) => before + ms, 0)
    return { longestMs: Math.max(...cpuMs), share: sum / loadMs }
  })
}

async function withPage<Result>(
  browser: Browser,
  use: (page: Page) => Promise<Result>,
): Promise<Result> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  try {
    return await use(page)
  } finally {
    await page.close()
  }
}

const tenLines = `<!doctype html><title>Ten lines</title>
${'<p>a line</p>\n'.repeat(9)}`

/** Serves a page of ten lines. */
async function servePlain(): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(tenLines)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function loadServer(): Promise<typeof import('../../src/server/start-server.ts')> {
  return await import(new URL('../../dist/server.js', import.meta.url).href)
}
