import { writeFile } from 'node:fs/promises'
import {
  type BrowserContext,
  test as base,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestInfo,
  type TestType,
} from '@playwright/test'
import { object } from '../mock/input/object.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import type { Sandbox } from '../mock/sandbox.ts'
import { basePath } from '../mock/spec/endpoints.ts'
import type { RequestTarget } from '../mock/spec/message.ts'
import { routeContext } from './fixtures/playwright/route-context.ts'
import { TestRoutes, WorkerRoutes } from './fixtures/playwright/test-routes.ts'
import { TestSandbox, type TestSettings, textOfCapture } from './fixtures/test-sandbox.ts'
import { type BaseUrl, basePattern, baseUrlOption } from './parts/base-url.ts'

const routeOptions = object({
  /** Where pages expect the API; by default `/v1` of any origin. */
  apiUrl: baseUrlOption,
})

export type { FailOn } from './fixtures/test-sandbox.ts'

/** Options of {@link routeRequests}. */
export type RouteOptions = Input<typeof routeOptions>

/** Options that `test.use()` and the config can set. */
export interface SandboxTestOptions extends Pick<TestSettings, 'sandboxOptions' | 'failOn'> {
  /** Where pages expect the API; by default `/v1` of any origin. */
  readonly apiUrl: BaseUrl
}

/** What {@link test} adds to the fixtures of Playwright. */
export interface SandboxFixtures {
  /** This test's own pet store, in its own process; it answers the test's pages, and its requests. */
  readonly sandbox: Sandbox
}

/** Playwright's `test` with a sandbox. */
type SandboxTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

/** What only the fixtures of this file take. */
interface InnerFixtures {
  /** How the requests of a test are answered. */
  readonly sandboxRoutes: TestRoutes
}

interface InnerWorkerFixtures {
  /** Who answers the contexts of the worker's browser. */
  readonly sandboxWorker: WorkerRoutes
}

/**
 * Playwright's `test` with a fresh sandbox for each test, which answers the API requests of its pages: no service
 * worker, no process, no port. The test can move the clock and look into the store directly. When it ends, so does
 * what still waits for an answer.
 *
 * It also answers the contexts that the test makes of the fixture `browser`, and what the test sends itself by the
 * fixture `request`, `context.request` or `page.request`: these go to a port of the loopback, as their `response.url()`
 * shows. The clock of the fixtures `page` and `context` carries the sandbox along. A page that starts MSW itself isn't
 * answered.
 */
export const test: SandboxTest = base.extend<
  SandboxTestOptions & SandboxFixtures & InnerFixtures,
  InnerWorkerFixtures
>({
  sandboxOptions: [{}, { option: true }],
  apiUrl: [basePath, { option: true }],
  failOn: ['off', { option: true }],
  sandboxWorker: [
    async ({ browserName: _ }, use) => {
      await use(new WorkerRoutes())
    },
    { scope: 'worker' },
  ],
  sandbox: async ({ sandboxOptions, failOn }, use, info) => {
    // The first part is the file.
    const name = info.titlePath.slice(1).join(' > ')
    const test = new TestSandbox({ name, sandboxOptions, failOn, captureFolder: false })
    const { sandbox } = test
    await use(sandbox)
    const isFailed = info.status !== info.expectedStatus
    if (isFailed) await attachCapture(sandbox, info)
    await test.end()
    try {
      await test.expectBehaved()
    } catch (error) {
      if (!isFailed) await attachCapture(sandbox, info)
      throw error
    }
  },
  sandboxRoutes: [
    async ({ sandbox, sandboxWorker, apiUrl, baseURL }, use) => {
      const routes = new TestRoutes(sandbox, patternOf({ apiUrl }), baseURL)
      sandboxWorker.current = routes
      await use(routes)
      sandboxWorker.current = undefined
      await routes.end()
    },
    // For contexts too that a test makes without asking for anything of ours.
    { auto: true },
  ],
  browser: [
    async ({ browser, sandboxWorker }, use) => {
      sandboxWorker.follow(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  context: async ({ context, sandboxRoutes }, use) => {
    await sandboxRoutes.route(context)
    sandboxRoutes.carry(context)
    await use(context)
  },
  request: async ({ request, sandboxRoutes }, use) => {
    sandboxRoutes.redirect(request)
    await use(request)
  },
})

/**
 * Answers the API requests of all pages of a context from a sandbox: for a sandbox that several tests share, or without
 * Playwright's runner. Routes of a page override it, as do routes added to the context later.
 *
 * CORS works as in the process, except that a request with credentials takes effect before the page is denied the
 * reply. A fault that breaks the connection, even within the body, fails the whole request; a slow body arrives in one
 * piece at the end; an unanswered request waits until its page gives it up or closes, or the sandbox is reset.
 * Playwright doesn't show bodies that a page sends as a stream.
 *
 * @throws {@link InputError} for an unknown option, or a base address that is neither a URL nor a path.
 */
export async function routeRequests(
  context: BrowserContext,
  sandbox: RequestTarget,
  options: RouteOptions = {},
): Promise<void> {
  await routeContext(context, sandbox, patternOf(options))
}

/** Makes the pattern of the API's base address. */
function patternOf(options: RouteOptions): RegExp {
  return basePattern(readInput(routeOptions, options).apiUrl)
}

/** The name of a failed test's capture. */
const captureName = 'sandbox.petstore.json'

/** Attaches what was done to the sandbox of a failed test, for the command replay; nothing where it was not asked. */
async function attachCapture(sandbox: Sandbox, info: TestInfo): Promise<void> {
  try {
    const text = await textOfCapture(sandbox)
    if (text === undefined) return
    const path = info.outputPath(captureName)
    await writeFile(path, text)
    // As Playwright does for traces: `attach()` would make a copy under another name.
    info.attachments.push({ name: captureName, path, contentType: 'application/json' })
  } catch (error) {
    const description = error instanceof Error ? error.message : String(error)
    info.annotations.push({ type: 'petstore-sandbox', description })
  }
}
