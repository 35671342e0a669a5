import { AsyncLocalStorage } from 'node:async_hooks'
import { getResponse, http, type RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { type TestAPI, test as vitestTest } from 'vitest'
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts'
import { createHandlers } from './msw.ts'

/** What a test gets from {@link test}. */
export interface SandboxFixtures {
  /** How the sandbox starts: `test.override('sandboxOptions', { … })` sets it for a file or a `describe`. */
  readonly sandboxOptions: SandboxOptions
  /**
   * Where the sandbox answers: an address of the test's own, such as `http://sandbox-7.test/v1`, unless it is
   * overridden with that of the client under test, such as `https://api.example.com/v1`.
   */
  readonly baseUrl: string
  /** The test's own sandbox. */
  readonly sandbox: Sandbox
  /** Answers what is not the sandbox's, or in its place. */
  readonly server: HandlerList
}

/** The handlers that a test adds to its sandbox's. */
export interface HandlerList {
  /** Puts handlers of MSW before those there are, for this test alone. */
  use(...handlers: RequestHandler[]): void
}

/**
 * Vitest's `test` with a fresh sandbox for each test, on which MSW lets every request of the test end.
 *
 * A request that neither the sandbox nor a handler of `server.use()` answers fails as one without a network does,
 * and fails its test, even where the client keeps the error to itself. Faked timers carry the sandbox's time along.
 *
 * Tests that run at the same time don't see each other. What a test sends is known by the async context that it is
 * sent from, whatever its address; what is sent from outside of any, such as a queue that was there before the test,
 * is known by the test's own `baseUrl`.
 *
 * A worker has room for one server of MSW: use `server.use()` in place of one of your own. Tests without a sandbox
 * that run at the same time get no further than it either.
 */
export const test: TestAPI<SandboxFixtures> = vitestTest.extend<SandboxFixtures>({
  sandboxOptions: {},
  baseUrl: async ({ task: _ }, use) => use(`http://sandbox-${network.nextNumber()}.test/v1`),
  server: async ({ task: _ }, use) => use(new AddedHandlers()),
  sandbox: [
    // Not async: what it does before its first wait, it does in the async context of the test.
    ({ task, onTestFinished, sandboxOptions, baseUrl, server }, use) => {
      const sandbox = createSandbox(sandboxOptions)
      const handlers = createHandlers(sandbox, { baseUrl })
      const running = new RunningTest(task, baseUrl, server as AddedHandlers, handlers)
      onTestFinished(() => running.expectAllAnswered())
      const leave = network.enter(running)
      enterWhereTaken(task.context, { sandbox, baseUrl, server }, running)
      return use(sandbox).finally(leave)
    },
    { auto: true },
  ],
})

/**
 * Lets a function enter a test's async context as it takes one of the fixtures: with a `beforeEach`, these are
 * set up in the context of the hook, which neither the test nor another hook inherits.
 */
function enterWhereTaken(
  context: object,
  fixtures: Readonly<Record<string, unknown>>,
  running: RunningTest,
): void {
  for (const [name, value] of Object.entries(fixtures)) {
    let current = value
    Object.defineProperty(context, name, {
      configurable: true,
      enumerable: true,
      get() {
        network.reenter(running)
        return current
      },
      // Vitest sets them, and again before it retries the test.
      set(next: unknown) {
        current = next
      },
    })
  }
}

class AddedHandlers implements HandlerList {
  readonly added: RequestHandler[] = []

  use(...handlers: RequestHandler[]): void {
    this.added.unshift(...handlers)
  }
}

/** A test that runs, and what becomes of its requests. */
class RunningTest {
  readonly name: string
  /** Whether other tests may run at the same time. */
  readonly isConcurrent: boolean
  readonly #baseUrl: string
  readonly #server: AddedHandlers
  readonly #handlers: readonly RequestHandler[]
  readonly #unanswered: string[] = []
  hasEnded = false

  constructor(
    { name, concurrent }: { readonly name: string; readonly concurrent?: boolean },
    baseUrl: string,
    server: AddedHandlers,
    handlers: readonly RequestHandler[],
  ) {
    this.name = name
    this.isConcurrent = concurrent === true
    this.#baseUrl = baseUrl
    this.#server = server
    this.#handlers = handlers
  }

  /** Whether a request is one for the test's sandbox. */
  async covers(request: Request): Promise<boolean> {
    for (const handler of this.#handlers) if (await handler.test({ request })) return true
    return false
  }

  async answer(request: Request): Promise<Response> {
    const response = await getResponse([...this.#server.added, ...this.#handlers], request)
    if (response !== undefined) return response
    this.#unanswered.push(`${request.method} ${request.url}`)
    return Response.error()
  }

  /** @throws Error naming the requests that nothing answered. */
  expectAllAnswered(): void {
    if (this.#unanswered.length === 0) return
    const error = new Error(
      `Cannot answer ${this.#unanswered.join(', ')}: the sandbox is at ${this.#baseUrl}; send it there, or add a handler with server.use()`,
    )
    // Where it is made says nothing about the request.
    error.stack = String(error)
    throw error
  }
}

/**
 * The network of all tests of a worker. MSW takes the globals of the whole worker for one server, so there is one
 * for all tests that run; it listens while there are any.
 */
class Network {
  readonly #context = new AsyncLocalStorage<RunningTest>()
  readonly #running = new Set<RunningTest>()
  #server: SetupServer | undefined
  #number = 0

  nextNumber(): number {
    return ++this.#number
  }

  /** Answers for a test from now on, in the caller's async context too, until what it returns is called. */
  enter(test: RunningTest): () => void {
    this.#running.add(test)
    this.reenter(test)
    if (this.#server === undefined) {
      this.#server = setupServer(http.all(/.*/, ({ request }) => this.#answer(request)))
      this.#server.listen()
    }
    return () => {
      test.hasEnded = true
      this.#running.delete(test)
      if (this.#running.size > 0) return
      this.#server?.close()
      this.#server = undefined
    }
  }

  /** Makes what follows in the caller's async context a test's. */
  reenter(test: RunningTest): void {
    this.#context.enterWith(test)
  }

  async #answer(request: Request): Promise<Response> {
    const test = this.#context.getStore() ?? (await this.#find(request))
    if (test !== undefined && !test.hasEnded) return test.answer(request)
    const why =
      test === undefined
        ? 'several tests run, and nothing tells which one sent it; send it to the baseUrl of the test'
        : `the test that sent it has ended (${test.name}); wait for it in the test`
    process.stderr.write(`Cannot answer ${request.method} ${request.url}: ${why}\n`)
    return Response.error()
  }

  /** The test that a request is for which comes from outside of any test's context. */
  async #find(request: Request): Promise<RunningTest | undefined> {
    const tests = [...this.#running]
    const [only] = tests
    if (only !== undefined && !only.isConcurrent) return only
    const covers = await Promise.all(tests.map((test) => test.covers(request)))
    const found = tests.filter((_, index) => covers[index])
    return found.length === 1 ? found[0] : undefined
  }
}

const network: Network = new Network()
