import type { HttpHandler, RequestHandler } from 'msw'
import { setupServer } from 'msw/node'
import { describe, expectTypeOf, it, test as vitestTest } from 'vitest'
import { createFetchHandler } from '../../../src/adapters/fetch.ts'
import { type JestTest, withSandbox as withSandboxInJest } from '../../../src/adapters/jest.ts'
import { createHandlers } from '../../../src/adapters/msw.ts'
import { startWorker, type WorkerOptions } from '../../../src/adapters/msw-worker.ts'
import { test as playwrightTest } from '../../../src/adapters/playwright.ts'
import { test, withSandbox } from '../../../src/adapters/vitest.ts'
import type { Handler } from '../../../src/mock/api/message.ts'
import type { SandboxOptions } from '../../../src/mock/state/beginning.ts'
import type { Sandbox } from '../../../src/sandbox/sandbox.ts'

declare const sandbox: Sandbox
declare const jestTest: JestTest

describe('createFetchHandler()', () => {
  it('gives what hosts that speak Fetch take, whatever else they hand over', () => {
    const handler = createFetchHandler(sandbox)
    expectTypeOf(handler).toExtend<(request: Request) => Promise<Response>>()
    expectTypeOf(handler).toExtend<
      (request: Request, info: { readonly remoteAddr: string }) => Response | Promise<Response>
    >()
    expectTypeOf(handler).toExtend<
      (request: Request, context: { readonly params: Promise<unknown> }) => Promise<Response>
    >()
  })

  it('gives what clients take as their fetch', () => {
    expectTypeOf(createFetchHandler(sandbox)).toExtend<typeof fetch>()
    // @ts-expect-error it answers no number
    createFetchHandler(sandbox)(7)
  })

  it('needs no more than a handler', () => {
    expectTypeOf<{ readonly handle: Handler }>().toExtend<
      Parameters<typeof createFetchHandler>[0]
    >()
  })
})

describe('createHandlers()', () => {
  it('gives handlers that setupServer takes', () => {
    expectTypeOf(createHandlers(sandbox)).toEqualTypeOf<HttpHandler[]>()
    setupServer(...createHandlers(sandbox, { baseUrl: ['/v1', 'https://api.petstore.test/v1'] }))
  })

  it('takes base URLs as text only', () => {
    // @ts-expect-error a URL object is none
    createHandlers(sandbox, { baseUrl: new URL('https://api.petstore.test/v1') })
  })
})

describe('startWorker()', () => {
  it('knows the storages and strategies', () => {
    const options = { persist: 'local', onUnhandledRequest: 'bypass', quiet: true } as const
    expectTypeOf(startWorker).toBeCallableWith(sandbox, options)
    expectTypeOf<WorkerOptions>().toEqualTypeOf<{
      readonly baseUrl?: string | readonly string[] | undefined
      readonly handlers?: readonly RequestHandler[] | undefined
      readonly serviceWorker?:
        | { readonly url?: string | undefined; readonly options?: RegistrationOptions | undefined }
        | undefined
      readonly persist?: 'local' | 'session' | undefined
      readonly panel?: boolean | 'always' | undefined
      readonly quiet?: boolean | undefined
      readonly onUnhandledRequest?: 'bypass' | 'warn' | 'error' | undefined
    }>()
    // @ts-expect-error there is no such storage
    startWorker(sandbox, { persist: 'cookie' })
    // @ts-expect-error there is no such option
    startWorker(sandbox, { handler: [] })
  })
})

describe('test()', () => {
  it('gives its fixtures to tests and hooks', () => {
    test('a test', ({ sandbox, apiUrl, sandboxOptions, server }) => {
      expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
      expectTypeOf(apiUrl).toEqualTypeOf<string>()
      expectTypeOf(sandboxOptions).toEqualTypeOf<SandboxOptions>()
      expectTypeOf(server.use).toEqualTypeOf<(...handlers: RequestHandler[]) => void>()
    })
    test.beforeEach(({ sandbox }) => {
      expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
    })
  })

  it('takes how strict the audit is', () => {
    test.override('failOn', 'error')
    // @ts-expect-error there is no such severity to fail by
    test.override('failOn', 'info')
    playwrightTest.use({ failOn: 'warning' })
    // @ts-expect-error nor there
    playwrightTest.use({ audit: 'info' })
    withSandboxInJest(jestTest, { failOn: 'off' })
    // @ts-expect-error nor there
    withSandboxInJest(jestTest, { audit: 'info' })
  })

  it('can be set and extended', () => {
    test.override('sandboxOptions', { gaps: { banAfter: 'never' } })
    test.override({ apiUrl: 'https://api.petstore.test/v1' })
    // @ts-expect-error there is no such choice
    test.override('sandboxOptions', { gaps: { banAfter: 'always' } })
    const extended = test.extend<{ client: string }>({
      client: async ({ apiUrl }, use) => use(apiUrl),
    })
    extended('a test', ({ client, sandbox }) => {
      expectTypeOf(client).toEqualTypeOf<string>()
      expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
    })
  })
})

describe('withSandbox()', () => {
  it('adds its fixtures to those of a test for Vitest', () => {
    const own = vitestTest.extend<{ readonly client: URL }>({ client: new URL('http://a.test') })
    const both = withSandbox(own)
    both('a test', ({ client, sandbox, apiUrl }) => {
      expectTypeOf(client).toEqualTypeOf<URL>()
      expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
      expectTypeOf(apiUrl).toEqualTypeOf<string>()
    })
    both.override('sandboxOptions', { gaps: { banAfter: 'never' } })
    // @ts-expect-error there is no such fixture
    both('another test', ({ sandboxes }) => sandboxes)
  })

  it('gives its fixtures to tests of Jest', () => {
    const test = withSandboxInJest(jestTest, { apiUrl: 'https://api.petstore.test/v1' })
    test.concurrent('a test', ({ sandbox, apiUrl, server }) => {
      expectTypeOf(sandbox).toEqualTypeOf<Sandbox>()
      expectTypeOf(apiUrl).toEqualTypeOf<string>()
      expectTypeOf(server.use).toEqualTypeOf<(...handlers: RequestHandler[]) => void>()
    })
    test.override({ sandboxOptions: { gaps: { banAfter: 'never' } } })
    // @ts-expect-error there is no such option
    test.override({ baseURL: 'https://api.petstore.test/v1' })
  })
})
