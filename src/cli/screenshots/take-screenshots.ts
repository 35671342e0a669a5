import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { routeContext } from '../../adapters/fixtures/playwright/route-context.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import { connectSandbox } from '../../client/connect-sandbox.ts'
import { basePath } from '../../mock/api/endpoints.ts'
import { headersFrom } from '../../mock/api/http.ts'
import { parseJson } from '../../mock/api/json.ts'
import type { ApiRequest, Outcome, RequestTarget } from '../../mock/api/message.ts'
import { isRecord } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import { type ScenarioName, scenarios } from '../../sandbox/controls/scenarios.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { CliError } from '../cli-error.ts'
import type { Sheet } from './sheet.ts'
import {
  judge,
  type PageSize,
  type PageState,
  type StateName,
  type StateRequest,
} from './states.ts'

/** The page, its states, and the folder of their pictures. */
export interface ScreenshotOptions {
  /** Address of the page. */
  readonly url: string
  /** Folder of the pictures. */
  readonly to: string
  /** Base address of the API, as the page calls it; by default whatever ends in `/v1/pets` or `/v1/store/orders`. */
  readonly apiUrl: string | undefined
  /** Address of a server of petstore-sandbox, which responds in place of a sandbox of this process. */
  readonly sandbox: string | undefined
  readonly sizes: readonly PageSize[]
  /** Whether to take a dark picture of each state, too. */
  readonly dark: boolean
  /** Module whose default export gets each page before its picture is taken. */
  readonly before: string | undefined
  /** Maximum time to wait until a page is still, in milliseconds. */
  readonly settleMs: number
  readonly scenarios: readonly ScenarioName[]
}

/** Scenarios that are no state of their own: their responses come, sooner or later. */
const passing: readonly ScenarioName[] = ['slow', 'flaky']

/** The scenarios of a sheet, unless others are asked for. */
export const sheetScenarios: readonly ScenarioName[] = Object.keys(scenarios).flatMap((name) =>
  isScenario(name) && !passing.includes(name) ? [name] : [],
)

function isScenario(name: string): name is ScenarioName {
  return Object.hasOwn(scenarios, name)
}

/** Time of the sandbox and the page in all states, so that the same page gives the same sheet. */
const sheetAt = Date.UTC(2027, 2, 1, 12)

/** Time without a change after which a page counts as still, in milliseconds. */
const stillMs = 500

/** Any address that ends in the path of an operation, up to its version. */
const anyApi = /^https?:\/\/[^/?#]+(?:\/[^?#]*?)?\/v1(?=\/(?:pets|store\/orders)(?:[/?#]|$))/

/** A sandbox for one picture, in this process or in a server. */
interface PictureSandbox {
  readonly target: RequestTarget
  requests(): Promise<readonly RequestView[]>
  findings(): Promise<readonly Finding[]>
  end(): Promise<void>
}

/**
 * Takes a picture of a page in each state, and says what looks wrong.
 *
 * @param progress Called with the title of each state before its picture.
 * @throws {@link CliError} if Playwright, a browser, the page or the module is missing.
 */
export async function takeScreenshots(
  options: ScreenshotOptions,
  progress: (title: string) => void,
): Promise<Sheet> {
  const browser = await launch(options)
  try {
    const before = await readBefore(options.before)
    mkdirSync(options.to, { recursive: true })
    const seen = { apis: new Set<string>(), notes: new Set<string>() }
    const states: PageState[] = []
    for (const size of options.sizes) {
      for (const scheme of options.dark ? (['light', 'dark'] as const) : (['light'] as const)) {
        for (const name of ['as it is', ...options.scenarios] as const) {
          progress(titleOf(name).title)
          states.push(await takeOne({ browser, options, before, seen, name, size, scheme }))
        }
      }
    }
    return {
      url: options.url,
      at: formatInstant(sheetAt),
      apis: [...seen.apis],
      notes: [...seen.notes],
      states: judge(states),
    }
  } finally {
    await browser.close()
  }
}

/** Returns the title of a state, and what clients meet in it. */
function titleOf(name: StateName): { readonly title: string; readonly summary: string } {
  return name === 'as it is'
    ? { title: 'As it is', summary: 'The pets of the default seed, and nothing fails' }
    : scenarios[name]
}

interface Take {
  readonly browser: Browser
  readonly options: ScreenshotOptions
  readonly before: ((page: Page) => unknown) | undefined
  readonly seen: { readonly apis: Set<string>; readonly notes: Set<string> }
  readonly name: StateName
  readonly size: PageSize
  readonly scheme: 'light' | 'dark'
}

async function takeOne(take: Take): Promise<PageState> {
  const { browser, options, before, seen, name, size, scheme } = take
  const sandbox = await openSandbox(options.sandbox, name)
  const context = await browser.newContext({ viewport: size, colorScheme: scheme })
  try {
    const pattern = options.apiUrl === undefined ? anyApi : patternOf(options.apiUrl)
    await routeContext(context, sandbox.target, pattern)
    const page = await context.newPage()
    const [uncaught, consoleErrors]: [string[], string[]] = [[], []]
    page.on('pageerror', (error) => uncaught.push(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.push(message.text())
    })
    page.on('request', (request) => {
      const [api] = pattern.exec(request.url()) ?? []
      if (api !== undefined) seen.apis.add(api)
    })
    await fixTime(context, name)
    await open(page, options.url)
    await untilStill(page, options.settleMs)
    if (before !== undefined) {
      await runBefore(before, page, options.before ?? '', uncaught)
      await untilStill(page, options.settleMs)
    }
    if (context.serviceWorkers().length > 0) {
      seen.notes.add('The page has a service worker, which may respond to its requests itself.')
    }
    const shown = await look(page)
    const picture = `${name.replaceAll(' ', '-')}-${size.width}x${size.height}-${scheme}.png`
    const bytes = await page.screenshot({ animations: 'disabled' })
    writeFileSync(join(options.to, picture), bytes)
    const requests = await sandbox.requests()
    return {
      name,
      ...pick(titleOf(name)),
      size,
      scheme,
      picture,
      pictureHash: createHash('sha256').update(bytes).digest('hex'),
      ...shown,
      uncaught,
      consoleErrors,
      requests: requests.map(requestOf),
      findings: await sandbox.findings(),
    }
  } finally {
    await context.close()
    await sandbox.end()
  }
}

function pick({ title, summary }: { readonly title: string; readonly summary: string }) {
  return { title, summary }
}

/** Loads the user's Playwright, and starts its Chromium. */
async function launch({ url }: ScreenshotOptions): Promise<Browser> {
  const require = createRequire(join(process.cwd(), 'package.json'))
  const found = ['playwright', '@playwright/test', 'playwright-core'].flatMap((name) => {
    try {
      return [require.resolve(name)]
    } catch {
      return []
    }
  })
  const [path] = found
  if (path === undefined) {
    throw new CliError(
      `Cannot take pictures of ${url}: Playwright isn't installed here; run npm install --save-dev playwright && npx playwright install chromium`,
      1,
    )
  }
  const module: unknown = await import(pathToFileURL(path).href)
  const chromium = chromiumOf(module)
  if (chromium === undefined) {
    throw new CliError(
      `Cannot take pictures of ${url}: ${path} has no chromium; update Playwright`,
      1,
    )
  }
  const executablePath = process.env.CHROMIUM_PATH
  try {
    return await chromium.launch({
      ...(executablePath ? { executablePath } : {}),
      // As root, which containers are, Chromium starts only without its sandbox.
      chromiumSandbox: process.getuid?.() !== 0,
    })
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new CliError(
      `Cannot start Chromium: ${reason}; run npx playwright install chromium, or set CHROMIUM_PATH to its path`,
      1,
    )
  }
}

interface Launcher {
  launch(options: object): Promise<Browser>
}

function chromiumOf(module: unknown): Launcher | undefined {
  if (!isRecord(module)) return undefined
  const { chromium = isRecord(module.default) ? module.default.chromium : undefined } = module
  return isLauncher(chromium) ? chromium : undefined
}

function isLauncher(found: unknown): found is Launcher {
  return isRecord(found) && typeof Reflect.get(found, 'launch') === 'function'
}

async function readBefore(file: string | undefined): Promise<Take['before']> {
  if (file === undefined) return undefined
  let module: unknown
  try {
    module = await import(pathToFileURL(resolve(file)).href)
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${error instanceof Error ? error.message : error}`, 2)
  }
  const before: unknown = isRecord(module) ? module.default : undefined
  if (typeof before === 'function') return (page) => before(page)
  throw new CliError(
    `Cannot use ${file}: it has no default export that is a function; use export default async (page) => { … }`,
    2,
  )
}

/** Runs the user's function; what it throws in a state that it can't handle is an error of that state. */
async function runBefore(
  before: (page: Page) => unknown,
  page: Page,
  file: string,
  uncaught: string[],
): Promise<void> {
  page.setDefaultTimeout(5_000)
  try {
    await before(page)
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    uncaught.push(`${file} failed: ${reason}`)
  }
}

async function openSandbox(server: string | undefined, name: StateName): Promise<PictureSandbox> {
  if (server !== undefined) return await openRemote(server, name)
  const clock = { now: sheetAt, mode: isPassing(name) ? 'running' : 'frozen' } as const
  const sandbox = createSandbox({ clock })
  if (name !== 'as it is') sandbox.scenario(name)
  return {
    target: sandbox,
    requests: async () => sandbox.requests.list(),
    findings: async () => sandbox.findings(),
    end: async () => sandbox.reset(),
  }
}

function isPassing(name: StateName): boolean {
  return passing.some((one) => one === name)
}

/** Creates a named sandbox in a server, to which requests are sent on. */
async function openRemote(server: string, name: StateName): Promise<PictureSandbox> {
  const own = `screenshots-${process.pid}`
  const host = connectSandbox(server)
  await host.sandboxes.create({ name: own, clock: { now: sheetAt, mode: 'frozen' } })
  const client = connectSandbox(server, { sandbox: own })
  if (name !== 'as it is') await client.scenario(name)
  const base = `${new URL(server).origin}/sandboxes/${own}`
  return {
    target: { handle: (request, signal) => sendOn(base, request, signal) },
    requests: () => client.requests.list(),
    findings: () => client.findings(),
    end: () => host.sandboxes.delete(own),
  }
}

/** Sends a request of the page to a server. */
async function sendOn(
  base: string,
  { method, url, headers, body }: ApiRequest,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  try {
    const response = await fetch(base + url, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      ...(body === '' ? {} : { body }),
      ...(signal === undefined ? {} : { signal }),
    })
    return {
      kind: 'response',
      status: response.status,
      headers: headersFrom([...response.headers].flat()),
      body: await response.text(),
    }
  } catch {
    return { kind: 'disconnect' }
  }
}

function patternOf(apiUrl: string): RegExp {
  const base = apiUrl.replace(/\/+$/, '').replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  const start = apiUrl.startsWith('/') ? 'https?://[^/?#]+' : ''
  return new RegExp(`^${start}${base}(?=[/?#]|$)`)
}

/** Sets the page's date to the sandbox's, where Playwright has a clock (1.45). */
async function fixTime(context: BrowserContext, name: StateName): Promise<void> {
  if (isPassing(name) || !('clock' in context)) return
  const at =
    name === 'sunset-tomorrow' || name === 'sunset-passed' ? Date.UTC(2030, 11, 5) : sheetAt
  await context.clock.setFixedTime(at)
}

async function open(page: Page, url: string): Promise<void> {
  try {
    await page.goto(url, { waitUntil: 'load', timeout: 30_000 })
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('\n')
    throw new CliError(
      `Cannot open ${url}: ${reason}; start the page's server, or use another address`,
      1,
    )
  }
}

/** Waits until nothing in a page changes for half a second, and no request is open. */
async function untilStill(page: Page, settleMs: number): Promise<void> {
  const endsAt = Date.now() + settleMs
  let last = ''
  let sameSince = Date.now()
  while (Date.now() < endsAt) {
    const now = String(await page.evaluate('document.documentElement.outerHTML').catch(() => ''))
    if (now !== last) {
      last = now
      sameSince = Date.now()
    }
    if (Date.now() - sameSince >= stillMs) return
    await sleep(50)
  }
}

/** Script that reads the visible part of a page; this code can't name a page's objects. */
const lookScript = `(() => {
  const isShown = (element) => element.checkVisibility?.() ?? element.getClientRects().length > 0
  const has = (selector) => [...document.querySelectorAll(selector)].some(isShown)
  const text = document.body?.innerText.trim() ?? ''
  const busy = '[aria-busy=true], [role=progressbar], progress:not([value]), [class*=spinner i], [class*=skeleton i]'
  return {
    text,
    isBlank: text === '' && !has('img, svg, canvas, video, input'),
    isBusy: has(busy) || /\\b(?:loading|please wait)\\b/i.test(text),
  }
})()`

/** Reads what a page shows to its user. */
async function look(page: Page): Promise<Pick<PageState, 'text' | 'isBlank' | 'isBusy'>> {
  const found: unknown = await page.evaluate(lookScript)
  const { text, isBlank, isBusy } = isRecord(found) ? found : {}
  return { text: String(text ?? ''), isBlank: isBlank === true, isBusy: isBusy === true }
}

function requestOf({ request, outcome, why }: RequestView): StateRequest {
  const isResponse = 'status' in outcome
  return {
    method: request.method,
    path: request.url.replace(basePath, ''),
    got: isResponse
      ? `${outcome.status}${isReadable(outcome.body) ? '' : ', unreadable'}`
      : outcome.kind === 'timeout'
        ? 'no response'
        : 'connection broken',
    why,
    message: isResponse && outcome.status >= 400 ? messageIn(outcome.body) : undefined,
  }
}

function isReadable(body: string): boolean {
  if (body === '') return true
  try {
    parseJson(body)
    return true
  } catch {
    return false
  }
}

function messageIn(body: string): string | undefined {
  const found: unknown = isReadable(body) && body !== '' ? parseJson(body) : undefined
  return isRecord(found) && typeof found.message === 'string' ? found.message : undefined
}
