import { AsyncLocalStorage } from 'node:async_hooks'
import { getResponse, http, type RequestHandler } from 'msw'
import { type SetupServer, setupServer } from 'msw/node'
import { type TestAPI, test as vitestTest } from 'vitest'
import { createSandbox, type Sandbox } from '../sandbox.ts'
import type { SandboxOptions } from '../state/beginning.ts'
import { createHandlers } from './msw.ts'
import { dropSandbox } from './parts/drop-sandbox.ts'

/** The fixtures of {@link test}. */
export interface SandboxFixtures {
  /** How the sandbox starts: `test.override('sandboxOptions', { … })` sets it for a file or a `describe`. */
  readonly sandboxOptions: SandboxOptions
  /**
   * Where the sandbox answers: an address of its own for each test, such as `http://sandbox-7.test/v1`; override it
   * with the client's, such as `https://api.example.com/v1`.
   */
  readonly baseUrl: string
  /** The test's own sandbox. */
  readonly sandbox: Sandbox
  /** Adds handlers for other addresses, or to override the sandbox. */
  readonly server: HandlerList
}

/** The handlers that a test adds to its sandbox's. */
export interface HandlerList {
  /** Puts MSW handlers before the present ones, for this test alone. */
  use(...handlers: RequestHandler[]): void
  /** Lists them, the one that comes first at the start. */
  listHandlers(): readonly RequestHandler[]
}

/**
 * Vitest's `test` with a fresh sandbox for each test; MSW answers the test's requests from it.
 *
 * A request that neither the sandbox nor a handler of `server.use()` answers fails as if there were no network, and
 * fails its test, even if the client swallows the error. The sandbox's time follows faked timers. What still waits for
 * an answer when its test ends, gets it then; what a fault leaves unanswered fails then.
 *
 * Concurrent tests don't see each other. A request belongs to the test in whose async context it is sent, whatever its
 * address; one sent from outside, for instance by a queue older than the test, belongs to the test with its `baseUrl`.
 *
 * A Vitest worker has room for one MSW server: use `server.use()` instead of your own. It also intercepts the requests
 * of concurrent tests without a sandbox.
 */
export const test: TestAPI<SandboxFixtures> = vitestTest.extend<SandboxFixtures>({
  sandboxOptions: {},
  baseUrl: async ({ task: _ }, use) => use(`http://sandbox-${network.nextNumber()}.test/v1`),
  server: async ({ task: _ }, use) => use(createHandlerList()),
  sandbox: [
    // Not async, so that everything before its first wait happens in the test's async context.
    ({ task, onTestFinished, sandboxOptions, baseUrl, server }, use) => {
      const sandbox = createSandbox(sandboxOptions)
      const handlers = createHandlers(sandbox, { baseUrl })
      const running = new RunningTest(task, baseUrl, server, handlers)
      onTestFinished(() => running.expectAllAnswered())
      const leave = network.enter(running)
      enterWhereTaken(task.context, { sandbox, baseUrl, server }, running)
      return use(sandbox).finally(() => {
        dropSandbox(sandbox)
        leave()
      })
    },
    { auto: true },
  ],
})

/**
 * Makes a function that takes a fixture enter the test's async context: with a `beforeEach`, fixtures are set up in the
 * context of that hook, which neither the test nor other hooks inherit.
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
      // Vitest sets them, and again before each retry.
      set(next: unknown) {
        current = next
      },
    })
  }
}

function createHandlerList(): HandlerList {
  const added: RequestHandler[] = []
  return {
    use(...handlers) {
      added.unshift(...handlers)
    },
    listHandlers: () => added,
  }
}

/** A running test, and its requests. */
class RunningTest {
  readonly name: string
  /** Whether other tests may run at the same time. */
  readonly isConcurrent: boolean
  readonly #baseUrl: string
  readonly #server: HandlerList
  readonly #handlers: readonly RequestHandler[]
  readonly #unanswered: string[] = []
  hasEnded = false

  constructor(
    { name, concurrent }: { readonly name: string; readonly concurrent?: boolean },
    baseUrl: string,
    server: HandlerList,
    handlers: readonly RequestHandler[],
  ) {
    this.name = name
    this.isConcurrent = concurrent === true
    this.#baseUrl = baseUrl
    this.#server = server
    this.#handlers = handlers
  }

  /** Whether a request is for the test's sandbox. */
  async covers(request: Request): Promise<boolean> {
    for (const handler of this.#handlers) if (await handler.test({ request })) return true
    return false
  }

  async answer(request: Request): Promise<Response> {
    const response = await getResponse([...this.#server.listHandlers(), ...this.#handlers], request)
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
    // Its own stack says nothing about the request.
    error.stack = String(error)
    throw error
  }
}

/**
 * The network of a worker's tests. MSW replaces the worker's globals for one server, so all running tests share it; it
 * listens while there are any.
 */
class Network {
  readonly #context = new AsyncLocalStorage<RunningTest>()
  readonly #running = new Set<RunningTest>()
  #server: SetupServer | undefined
  #number = 0

  nextNumber(): number {
    return ++this.#number
  }

  /** Starts to answer for a test, also in the caller's async context; returns a function that ends this. */
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

  /** Makes what follows in the caller's async context belong to a test. */
  reenter(test: RunningTest): void {
    this.#context.enterWith(test)
  }

  async #answer(request: Request): Promise<Response> {
    const test = this.#context.getStore() ?? (await this.#find(request))
    if (test !== undefined && !test.hasEnded) return test.answer(request)
    const why =
      test === undefined
        ? 'several tests run, and it is unclear which one sent it; send it to the baseUrl of the test'
        : `the test that sent it has ended (${test.name}); wait for it in the test`
    process.stderr.write(`Cannot answer ${request.method} ${request.url}: ${why}\n`)
    return Response.error()
  }

  /** Finds the test for a request that comes from outside any test's context. */
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
