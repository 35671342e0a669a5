import {
  type BrowserContext,
  test as base,
  type Page,
  type Request,
  type Route,
} from '@playwright/test'
import { basePath } from '../contract/endpoints.ts'
import {
  type ApiRequest,
  type BrokenReply,
  decodeBody,
  type Handler,
  headersFrom,
  maxBodyBytes,
  type Outcome,
  type Reply,
} from '../contract/message.ts'
import { object } from '../input/object.ts'
import { type Given, readInput } from '../input/schema.ts'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../state/beginning.ts'
import { type BaseUrl, basePattern, baseUrlOption } from './parts/base-url.ts'
import { headersOnWire } from './parts/body-rules.ts'
import { corsLines, isKeptBack } from './parts/cors.ts'
import { dropSandbox } from './parts/drop-sandbox.ts'

const routeOptions = object({
  /** Where pages expect the API; by default `/v1` of any origin. */
  baseUrl: baseUrlOption,
})

/** Options of {@link routeRequests}. */
export type RouteOptions = Given<typeof routeOptions>

/** Options that `test.use()` and the config can set. */
export interface SandboxTestOptions {
  /** How the sandbox of each test starts. */
  readonly sandboxOptions: SandboxOptions
  /** Where pages expect the API; by default `/v1` of any origin. */
  readonly baseUrl: BaseUrl
}

/** What {@link test} adds to the fixtures of Playwright. */
export interface SandboxFixtures {
  /** This test's own pet store, in its own process; it answers the pages of the fixture `context`. */
  readonly sandbox: Sandbox
}

/**
 * Playwright's `test` with a fresh sandbox for each test, which answers the API requests of its pages: no service
 * worker, no process, no port. The test can move the clock and look into the store directly. When it ends, so does
 * what still waits for an answer.
 *
 * The fixture `request` isn't answered, since it isn't a page; nor is a page that starts MSW itself.
 */
export const test = base.extend<SandboxTestOptions & SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  baseUrl: [basePath, { option: true }],
  sandbox: async ({ sandboxOptions }, use) => {
    const sandbox = createSandbox(sandboxOptions)
    await use(sandbox)
    dropSandbox(sandbox)
  },
  context: async ({ context, sandbox, baseUrl }, use) => {
    await routeRequests(context, sandbox, { baseUrl })
    await use(context)
  },
})

/**
 * Answers the API requests of all pages of a context from a sandbox: for a context besides the fixture's, or without
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
  sandbox: { readonly handle: Handler },
  options: RouteOptions = {},
): Promise<void> {
  const pattern = basePattern(readInput(routeOptions, options).baseUrl)
  const clients = new RouteClients(context)
  await context.route(pattern, async (route, request) => {
    const apiRequest = readRequest(request, pattern)
    // Playwright allows every preflight itself, without showing it.
    if (isKeptBack(apiRequest, new URL(request.url()).origin)) {
      await route.abort('failed')
      return
    }
    await clients.serve(request, async (owner) => {
      const outcome = await sandbox.handle(apiRequest, owner)
      await untilDue(outcome)
      if (!owner.aborted) await writeOutcome(route, outcome, corsLines(apiRequest))
    })
  })
}

/** The clients of a context's requests: each leaves when its page gives the request up or closes. */
class RouteClients {
  readonly #departures = new Map<Request, AbortController>()

  constructor(context: BrowserContext) {
    context.on('requestfailed', (request) => this.#departures.get(request)?.abort())
    context.on('close', () => {
      for (const departure of this.#departures.values()) departure.abort()
    })
  }

  /** Answers a request for its client, who owns what waits for the answer. */
  async serve(request: Request, answer: (owner: AbortSignal) => Promise<void>): Promise<void> {
    const departure = new AbortController()
    const leave = (): void => departure.abort()
    const page = pageOf(request)
    if (page?.isClosed()) leave()
    page?.once('close', leave)
    this.#departures.set(request, departure)
    try {
      await answer(departure.signal)
    } finally {
      this.#departures.delete(request)
      page?.off('close', leave)
    }
  }
}

/** The page whose close Playwright doesn't report as a failure of the request. */
function pageOf(request: Request): Page | undefined {
  const isOfPage = !request.isNavigationRequest() && request.serviceWorker() === null
  return isOfPage ? request.frame().page() : undefined
}

function readRequest(request: Request, pattern: RegExp): ApiRequest {
  const body = request.postDataBuffer()
  return {
    method: request.method(),
    url: request.url().replace(pattern, basePath).replace(/#.*$/s, ''),
    headers: headersFrom(Object.entries(request.headers()).flat()),
    body: body === null ? '' : readBody(body),
  }
}

/** Decodes a body; one that is too large becomes blanks, one byte over the limit. */
function readBody(bytes: Uint8Array): string {
  return bytes.length > maxBodyBytes ? ' '.repeat(maxBodyBytes + 1) : decodeBody(bytes)
}

/** Waits as long as an outcome keeps its client waiting: Playwright can send only whole replies. */
async function untilDue(outcome: Outcome): Promise<void> {
  if (outcome.kind === 'broken-reply') for await (const _ of outcome.pieces);
  if (outcome.kind === 'timeout') await outcome.ended
}

/** @param extra Header lines to add: alternating names and values. */
async function writeOutcome(
  route: Route,
  outcome: Outcome,
  extra: readonly string[],
): Promise<void> {
  switch (outcome.kind) {
    case 'reply':
      await writeReply(route, outcome, extra)
      return
    case 'broken-reply':
      if (outcome.end === 'whole') await writeReply(route, outcome, extra)
      else await route.abort(outcome.end === 'reset' ? 'connectionreset' : 'connectionclosed')
      return
    case 'disconnect':
      await route.abort('connectionreset')
      return
    case 'timeout':
      await route.abort('connectionclosed')
      return
    default:
      outcome satisfies never
  }
}

async function writeReply(
  route: Route,
  { status, headers, body }: Reply | BrokenReply,
  extra: readonly string[],
): Promise<void> {
  await route.fulfill({
    status,
    headers: { ...headersOnWire(status, headers), ...headersFrom(extra) },
    body: Buffer.from(body),
  })
}
