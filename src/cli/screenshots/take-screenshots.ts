import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page, Request } from '@playwright/test'
import { routeContext } from '../../adapters/fixtures/playwright/route-context.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import { connectSandbox, RemoteError } from '../../client/connect-sandbox.ts'
import { basePath } from '../../mock/api/endpoints.ts'
import { headersFrom } from '../../mock/api/http.ts'
import { parseJson } from '../../mock/api/json.ts'
import type { ApiRequest, Outcome, RequestTarget } from '../../mock/api/message.ts'
import { isRecord } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import { type ScenarioName, scenarios } from '../../sandbox/controls/scenarios.ts'
import { createSandbox } from '../../sandbox/sandbox.ts'
import { CliError, writeReasonOf } from '../cli-error.ts'
import { type Sheet, sizeText } from './sheet.ts'
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

/** Time before each response, in which the requests that a page sends together all arrive, in milliseconds. */
const latencyMs = 50

/** Number of pages that are open at the same time. */
const maxPages = 4

/** Any address that ends in the path of an operation, up to its version. */
const anyApi = /^https?:\/\/[^/?#]+(?:\/[^?#]*?)?\/v1(?=\/(?:pets|store\/orders)(?:[/?#]|$))/

/** A sandbox for one picture, in this process or in a server. */
interface PictureSandbox {
  readonly target: RequestTarget
  /** Its API keys. */
  readonly keys: readonly string[]
  /** Its time, in Unix milliseconds. */
  readonly now: number
  requests(): Promise<readonly RequestView[]>
  findings(): Promise<readonly Finding[]>
  end(): Promise<void>
}

/**
 * Takes a picture of a page in each state, and says what looks wrong.
 *
 * @param progress Called with the title of each state before its picture.
 * @throws {@link CliError} if Playwright, a browser, the page or the module is missing, or is closed meanwhile.
 */
export async function takeScreenshots(
  options: ScreenshotOptions,
  progress: (title: string) => void,
): Promise<Sheet> {
  const browser = await launch(options)
  try {
    const before = await readBefore(options.before)
    createFolder(options.to)
    const seen = { apis: new Set<string>(), others: new Set<string>(), notes: new Set<string>() }
    const schemes = options.dark ? (['light', 'dark'] as const) : (['light'] as const)
    const takes = options.sizes.flatMap((size) =>
      schemes.flatMap((scheme) =>
        (['as it is', ...options.scenarios] as const).map((name) => ({ size, scheme, name })),
      ),
    )
    const take = (one: (typeof takes)[number]): Promise<PageState> => {
      progress(titleOf(one.name).title)
      return takeOne({ browser, options, before, seen, ...one })
    }
    const states: PageState[] = []
    const queue = takes.entries()
    const takeRest = async (): Promise<void> => {
      for (const [at, one] of queue) states[at] = await take(one)
    }
    // A development server may still have to prepare the page, so the first picture is taken alone.
    for (const [at, one] of takes.slice(0, 1).entries()) states[at] = await take(one)
    queue.next()
    await Promise.all(Array.from({ length: maxPages }, takeRest))
    if (seen.apis.size === 0) seen.notes.add(missingText(options, [...seen.others]))
    return {
      url: options.url,
      at: formatInstant(sheetAt),
      apis: [...seen.apis],
      notes: [...seen.notes],
      states: judge(states),
    }
  } catch (error) {
    if (!isClosed(error)) throw error
    throw new CliError(
      `Cannot take pictures of ${options.url}: its page or the browser was closed`,
      1,
    )
  } finally {
    await browser.close()
  }
}

/** Explains that no request was one to the API. */
function missingText({ apiUrl }: ScreenshotOptions, others: readonly string[]): string {
  const wanted = apiUrl ?? 'an address that ends in /v1/pets'
  const sent = others.length === 0 ? '' : `, but to ${others.slice(0, 3).join(', ')}`
  return `The page sent no request to ${wanted}${sent}: name the API's base address with --api-url.`
}

function createFolder(to: string): void {
  try {
    mkdirSync(to, { recursive: true })
  } catch (error) {
    throw new CliError(`Cannot write to ${to}: ${writeReasonOf(error)}`, 1)
  }
}

/** Whether Playwright lost its browser, as after a signal or a crash, or a page that the user's module has closed. */
function isClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    /browser has been closed|(?:session|target) closed|(?:page|target) crashed|Failed to \w+ browser context/i.test(
      error.message,
    )
  )
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
  readonly seen: Seen
  readonly name: StateName
  readonly size: PageSize
  readonly scheme: 'light' | 'dark'
}

/** Notes on the page's requests in all states. */
interface Seen {
  /** Addresses of the API. */
  readonly apis: Set<string>
  /** Other addresses to which scripts sent requests. */
  readonly others: Set<string>
  readonly notes: Set<string>
}

async function takeOne(take: Take): Promise<PageState> {
  const { browser, options, before, seen, name, size, scheme } = take
  const stem = `${name.replaceAll(' ', '-')}-${sizeText(size)}-${scheme}`
  const sandbox = await openSandbox(options.sandbox, name, stem)
  const context = await browser.newContext({ viewport: size, colorScheme: scheme })
  try {
    const pattern = options.apiUrl === undefined ? anyApi : patternOf(options.apiUrl)
    await routeContext(context, withKnownKeys(sandbox, seen, options.url), pattern)
    const page = await context.newPage()
    await bypassWorkers(page)
    const [uncaught, consoleErrors] = [new Set<string>(), new Set<string>()]
    page.on('pageerror', (error) => uncaught.add(error.message))
    page.on('console', (message) => {
      if (message.type() === 'error') consoleErrors.add(message.text())
    })
    const open = new Set<Request>()
    page.on('request', (request) => {
      if (!['fetch', 'xhr', 'script'].includes(request.resourceType())) return
      open.add(request)
      const [api] = pattern.exec(request.url()) ?? []
      if (api !== undefined) seen.apis.add(api)
      else if (request.resourceType() !== 'script')
        seen.others.add(request.url().replace(/[?#].*$/s, ''))
    })
    page.on('requestfinished', (request) => open.delete(request))
    page.on('requestfailed', (request) => open.delete(request))
    if (!isPassing(name)) await fixTime(context, sandbox.now)
    await openPage(page, options, seen)
    await untilStill(page, open, options.settleMs)
    if (before !== undefined) {
      const failure = await failureOf(before, page)
      if (failure !== undefined) uncaught.add(`${options.before} failed: ${failure}`)
      await untilStill(page, open, options.settleMs)
    }
    if (context.serviceWorkers().length > 0) {
      seen.notes.add("Requests bypassed the page's service worker.")
    }
    const shown = await look(page)
    const bytes = await page.screenshot({ animations: 'disabled' })
    writeFileSync(join(options.to, `${stem}.png`), bytes)
    const requests = await sandbox.requests()
    return {
      name,
      ...pick(titleOf(name)),
      size,
      scheme,
      picture: `${stem}.png`,
      pictureHash: createHash('sha256').update(bytes).digest('hex'),
      ...shown,
      uncaught: [...uncaught],
      consoleErrors: [...consoleErrors],
      requests: requests.map(requestOf),
      findings: await sandbox.findings(),
    }
  } finally {
    await context.close()
    await sandbox.end()
  }
}

/**
 * Gives the page's requests a key of the sandbox in place of one that it doesn't know; a page that calls its own server
 * may leave the key to it.
 */
function withKnownKeys({ target, keys }: PictureSandbox, seen: Seen, url: string): RequestTarget {
  const [key] = keys
  const { arrivals, gaps } = target
  const known = (request: ApiRequest): ApiRequest => {
    const { authorization } = request.headers
    const [, own] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? []
    const isOfServer =
      authorization === undefined && [...seen.apis].every((api) => isSameOrigin(api, url))
    const isUnknown = own !== undefined && !keys.includes(own)
    if (key === undefined || !(isUnknown || isOfServer)) return request
    seen.notes.add(
      isUnknown
        ? `The page's own API key counted as ${key}.`
        : `The page sent no API key to its own server; the sandbox added ${key}.`,
    )
    return { ...request, headers: { ...request.headers, authorization: `Bearer ${key}` } }
  }
  return {
    ...(arrivals && { arrivals }),
    ...(gaps && { gaps }),
    async handle(request, signal, arrived) {
      await sleep(latencyMs)
      return target.handle(known(request), signal, arrived)
    },
  }
}

function isSameOrigin(one: string, other: string): boolean {
  return new URL(one).origin === new URL(other).origin
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
  const failures: string[] = []
  for (const place of executablePath ? [{ executablePath }] : browsers) {
    try {
      // As root, which containers are, Chromium starts only without its sandbox.
      return await chromium.launch({ ...place, chromiumSandbox: process.getuid?.() !== 0 })
    } catch (error) {
      failures.push(firstLine(error))
    }
  }
  const [reason = ''] = failures
  throw new CliError(
    reason.startsWith("Executable doesn't exist") && !executablePath
      ? 'Cannot find a browser: found neither Chromium nor Chrome; run npx playwright install chromium, or set CHROMIUM_PATH to the path of one'
      : `Cannot start Chromium: ${reason}`,
    1,
  )
}

/** Browsers in the order in which they are tried: Playwright's own, then those of the system. */
const browsers: readonly object[] = [
  {},
  { channel: 'chrome' },
  { executablePath: '/usr/bin/chromium' },
  { channel: 'msedge' },
]

/** Returns the first line of an error's message, without the name of Playwright's function. */
function firstLine(error: unknown): string {
  const [line = ''] = String(error instanceof Error ? error.message : error).split('\n')
  return line.replace(/^\w+\.\w+: /, '')
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

/** Runs the user's function; returns why it failed, as it may in a state that it can't handle. */
async function failureOf(before: (page: Page) => unknown, page: Page): Promise<string | undefined> {
  page.setDefaultTimeout(5_000)
  try {
    await before(page)
    return undefined
  } catch (error) {
    return firstLine(error)
  }
}

async function openSandbox(
  server: string | undefined,
  name: StateName,
  stem: string,
): Promise<PictureSandbox> {
  if (server !== undefined) return await openRemote(server, name, stem)
  const clock = { now: sheetAt, mode: isPassing(name) ? 'running' : 'frozen' } as const
  const sandbox = createSandbox({ clock })
  if (name !== 'as it is') sandbox.scenario(name)
  return {
    target: sandbox,
    keys: sandbox.keys.list().map(({ key }) => key),
    now: Date.parse(sandbox.clock.read().now),
    requests: async () => sandbox.requests.list(),
    findings: async () => sandbox.findings(),
    end: async () => sandbox.reset(),
  }
}

function isPassing(name: StateName): boolean {
  return passing.some((one) => one === name)
}

/** Creates a named sandbox in a server, to which requests are sent on. */
async function openRemote(server: string, name: StateName, stem: string): Promise<PictureSandbox> {
  const own = `screenshots-${process.pid}-${stem}`
  const token = process.env.PETSTORE_SANDBOX_CONTROL_TOKEN || undefined
  const host = connectSandbox(server, { token })
  const mode = isPassing(name) ? 'running' : 'frozen'
  try {
    await host.sandboxes.create({ name: own, clock: { now: sheetAt, mode } })
  } catch (error) {
    throw error instanceof RemoteError ? new CliError(error.message, 1) : error
  }
  const client = connectSandbox(server, { sandbox: own, token })
  if (name !== 'as it is') await client.scenario(name)
  const base = `${new URL(server).origin}/sandboxes/${own}`
  return {
    target: { handle: (request, signal) => sendOn(base, request, signal) },
    keys: (await client.keys.list()).map(({ key }) => key),
    now: Date.parse((await client.clock.read()).now),
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
async function fixTime(context: BrowserContext, now: number): Promise<void> {
  if ('clock' in context) await context.clock.setFixedTime(now)
}

/** Lets requests bypass service workers, since a page's own mocks, such as MSW's, would respond in all states. */
async function bypassWorkers(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.setBypassServiceWorker', { bypass: true })
}

async function openPage(page: Page, { url, settleMs }: ScreenshotOptions, seen: Seen) {
  try {
    const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: 30_000 })
    const status = response?.status() ?? 200
    if (status >= 400) seen.notes.add(`The page's own server responded with ${status}.`)
  } catch (error) {
    throw new CliError(
      `Cannot open ${url}: ${firstLine(error)}; start the page's server, or use another address`,
      1,
    )
  }
  // An image that doesn't load stops no page from being looked at.
  await page.waitForLoadState('load', { timeout: settleMs }).catch(() => {})
}

/** Waits until half a second passes without a change, with no request open, and nothing loading. */
async function untilStill(page: Page, open: ReadonlySet<Request>, settleMs: number): Promise<void> {
  const endsAt = Date.now() + settleMs
  let last = ''
  let sameSince = Date.now()
  while (Date.now() < endsAt) {
    const now = String(await page.evaluate('document.documentElement.outerHTML').catch(() => ''))
    const { isBusy } = await look(page).catch(() => ({ isBusy: true }))
    if (now !== last || isBusy || open.size > 0) {
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
    isTooWide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
    isBusy: has(busy) || /\\b(?:loading|please wait)\\b/i.test(text),
  }
})()`

/** Reads what a page shows to its user. */
async function look(page: Page): Promise<Look> {
  const found: unknown = await page.evaluate(lookScript)
  const { text, isBlank, isBusy, isTooWide } = isRecord(found) ? found : {}
  return {
    text: String(text ?? ''),
    isBlank: isBlank === true,
    isBusy: isBusy === true,
    isTooWide: isTooWide === true,
  }
}

type Look = Pick<PageState, 'text' | 'isBlank' | 'isBusy' | 'isTooWide'>

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
