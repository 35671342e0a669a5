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
import { basePath } from '../mock/api/endpoints.ts'
import type { RequestTarget } from '../mock/api/message.ts'
import { object } from '../mock/input/object.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { routeContext } from './fixtures/playwright/route-context.ts'
import { TestRoutes, WorkerRoutes } from './fixtures/playwright/test-routes.ts'
import { TestSandbox, type TestSettings, textOfCapture } from './fixtures/test-sandbox.ts'
import { type BaseUrl, basePattern, baseUrlOption } from './parts/base-url.ts'

const routeOptions = object({
  /** The base address of the API in the pages; by default `/v1` of any origin. */
  apiUrl: baseUrlOption,
})

export type { FailOn } from './fixtures/test-sandbox.ts'

/** Options of {@link routeRequests}. */
export interface RouteOptions extends Input<typeof routeOptions> {}

/** Options that `test.use()` and the config can set. */
export interface SandboxTestOptions extends Pick<TestSettings, 'sandboxOptions' | 'failOn'> {
  /** The base address of the API in the pages; by default `/v1` of any origin. */
  readonly apiUrl: BaseUrl
}

/** The fixtures that {@link test} adds to Playwright's. */
export interface SandboxFixtures {
  /** This test's own pet store, in process; it handles the requests of the test and its pages. */
  readonly sandbox: Sandbox
}

/** Playwright's `test` with a sandbox. */
type SandboxTest = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & SandboxTestOptions & SandboxFixtures,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>

/** Internal fixtures of a test. */
interface InnerFixtures {
  /** The routing of a test's requests. */
  readonly sandboxRoutes: TestRoutes
}

interface InnerWorkerFixtures {
  /** The routing of the contexts of the worker's browser. */
  readonly sandboxWorker: WorkerRoutes
}

/**
 * Playwright's `test` with a fresh sandbox for each test. The sandbox handles the API requests of the test's pages,
 * without a service worker, a server process or a port. The test can move the clock and inspect the store directly.
 * Pending responses end when the test ends.
 *
 * The sandbox also handles the requests of contexts created from the fixture `browser`, and those that the test itself
 * sends with the fixture `request`, `context.request` or `page.request`: these go to a loopback port, as their
 * `response.url()` shows. The clock of the fixtures `page` and `context` also moves the sandbox's. Pages that start MSW
 * themselves aren't handled.
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
    test.end()
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
    // Automatic, for contexts that a test creates without any fixture of ours.
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
 * Handles the API requests of all pages of a context with a sandbox, for a sandbox that several tests share or without
 * Playwright's runner. Routes of a page override it, as do routes added to the context later.
 *
 * CORS works as in the server, except that a request with credentials takes effect before the page is denied the
 * response. A fault that breaks the connection, even within the body, fails the whole request. A slow body arrives in
 * one piece at the end, and a request without a response waits until its page aborts it or closes, or the sandbox is
 * reset. Playwright doesn't expose bodies that a page sends as a stream.
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

/** Creates the pattern of the API's base address. */
function patternOf(options: RouteOptions): RegExp {
  return basePattern(readInput(routeOptions, options).apiUrl)
}

/** The file name of a failed test's capture. */
const captureName = 'sandbox.petstore.json'

/** Attaches the capture of a failed test for the command `replay`; skips a sandbox without requests. */
async function attachCapture(sandbox: Sandbox, info: TestInfo): Promise<void> {
  try {
    const text = await textOfCapture(sandbox)
    if (text === undefined) return
    const path = info.outputPath(captureName)
    await writeFile(path, text)
    // Playwright does the same for traces: `attach()` would copy the file under another name.
    info.attachments.push({ name: captureName, path, contentType: 'application/json' })
  } catch (error) {
    const description = error instanceof Error ? error.message : String(error)
    info.annotations.push({ type: 'petstore-sandbox', description })
  }
}
