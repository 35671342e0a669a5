import { type BrowserContext, test as base, type Request, type Route } from '@playwright/test'
import { basePath } from '../contract/endpoints.ts'
import {
  type ApiRequest,
  type BrokenReply,
  decodeBody,
  type Handler,
  headersFrom,
  maxBodyBytes,
  type Outcome,
} from '../contract/message.ts'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { type BaseUrl, basePattern } from './parts/base-url.ts'
import { corsLines, isKeptBack } from './parts/cors.ts'

/** Where the API is that pages are to find the sandbox at. */
export interface RouteOptions {
  /** By default `/v1` of any origin. */
  readonly baseUrl?: BaseUrl
}

/** What `test.use()` and the config can set. */
export interface SandboxTestOptions {
  /** How the sandbox of each test starts. */
  readonly sandboxOptions: SandboxOptions
  /** Where the pages' API is; by default `/v1` of any origin. */
  readonly baseUrl: BaseUrl
}

/** What {@link test} adds to the fixtures of Playwright. */
export interface SandboxFixtures {
  /** The pet store of this test alone, in its own process; it answers the pages of the fixture `context`. */
  readonly sandbox: Sandbox
}

/**
 * Playwright's `test` with a fresh sandbox for each test, which answers the API requests of its pages: no service
 * worker, no process, no port. The test moves the clock and looks at state directly.
 *
 * Requests of the fixture `request` are not those of a page. A page that starts MSW of its own answers itself.
 */
export const test = base.extend<SandboxTestOptions & SandboxFixtures>({
  sandboxOptions: [{}, { option: true }],
  baseUrl: [basePath, { option: true }],
  sandbox: async ({ sandboxOptions }, use) => {
    await use(createSandbox(sandboxOptions))
  },
  context: async ({ context, sandbox, baseUrl }, use) => {
    await routeRequests(context, sandbox, { baseUrl })
    await use(context)
  },
})

/**
 * Answers from a sandbox the API requests of all pages of a context: of one that a test makes beside the fixture's,
 * or without Playwright's runner. Routes of a page go before, as do those added to the context later.
 *
 * CORS is that of the process, but that a request with credentials is acted on before the page is refused the reply.
 * A connection that a fault breaks off, in the middle of the body too, fails the whole request; a slow body comes
 * whole at its end; a request that is never answered waits until its page is closed. Playwright shows no body that a
 * page sends as a stream.
 *
 * @throws {@link InputError} for a base address that is neither a URL nor a path.
 */
export async function routeRequests(
  context: BrowserContext,
  sandbox: { readonly handle: Handler },
  { baseUrl }: RouteOptions = {},
): Promise<void> {
  const pattern = basePattern(baseUrl)
  await context.route(pattern, async (route, request) => {
    const apiRequest = readRequest(request, pattern)
    // Playwright allows every preflight itself, and shows none.
    if (isKeptBack(apiRequest, new URL(request.url()).origin)) {
      await route.abort('failed')
      return
    }
    await writeOutcome(route, await sandbox.handle(apiRequest), corsLines(apiRequest))
  })
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

/** Decodes a body; one that is too large becomes one that is too large by a byte. */
function readBody(bytes: Uint8Array): string {
  return bytes.length > maxBodyBytes ? ' '.repeat(maxBodyBytes + 1) : decodeBody(bytes)
}

/** @param extra Header lines to add, names and values in turn. */
async function writeOutcome(
  route: Route,
  outcome: Outcome,
  extra: readonly string[],
): Promise<void> {
  switch (outcome.kind) {
    case 'reply':
      await route.fulfill({
        status: outcome.status,
        headers: { ...outcome.headers, ...headersFrom(extra) },
        body: Buffer.from(outcome.body),
      })
      return
    case 'broken-reply':
      await writePieces(route, outcome, extra)
      return
    case 'disconnect':
      await route.abort('connectionreset')
      return
    case 'timeout':
      return
  }
}

/** Playwright sends whole replies only: what breaks off within one fails the request once that is due. */
async function writePieces(
  route: Route,
  { status, headers, body, pieces, end }: BrokenReply,
  extra: readonly string[],
): Promise<void> {
  for await (const _ of pieces);
  if (end === 'whole') await writeOutcome(route, { kind: 'reply', status, headers, body }, extra)
  else await route.abort(end === 'reset' ? 'connectionreset' : 'connectionclosed')
}
