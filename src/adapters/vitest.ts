import { type TestAPI, test as vitestTest } from 'vitest'
import type { SandboxOptions } from '../mock/state/beginning.ts'
import { createHandlerList, Network, RunningTest, type TestFixtures } from './fixtures/network.ts'
import { defaultCaptureFolder, TestSandbox, type TestSettings } from './fixtures/test-sandbox.ts'

export type { HandlerList } from './fixtures/network.ts'
export type { FailOn } from './fixtures/test-sandbox.ts'

/** The fixtures of {@link test}: what a test gets, and its options. */
export interface SandboxFixtures extends TestFixtures, TestSettings {
  /** How the sandbox starts: `test.override('sandboxOptions', { … })` sets it for a file or a `describe`. */
  readonly sandboxOptions: SandboxOptions
  /**
   * Where the sandbox answers: an address of its own for each test, such as `http://sandbox-7.test/v1`; override it
   * with the client's, such as `https://api.example.com/v1`.
   */
  readonly apiUrl: string
}

const network: Network = new Network()

/**
 * Lays the fixtures of {@link test} over a `test` with fixtures of its own: `withSandbox(myTest)`. Those of the same
 * name are replaced.
 */
export function withSandbox<Own extends object>(test: TestAPI<Own>): TestAPI<Own & SandboxFixtures>
export function withSandbox(test: TestAPI): TestAPI<SandboxFixtures> {
  return test.extend<SandboxFixtures>({
    sandboxOptions: {},
    failOn: 'off',
    captureFolder: defaultCaptureFolder,
    apiUrl: async ({ task: _ }, use) => use(network.nextAddress()),
    server: async ({ task: _ }, use) => use(createHandlerList()),
    sandbox: [
      // Not async, so that everything before its first wait happens in the test's async context.
      (
        {
          task,
          onTestFinished,
          onTestFailed,
          sandboxOptions,
          apiUrl,
          server,
          failOn,
          captureFolder,
        },
        use,
      ) => {
        const name = fullNameOf(task)
        const file = task.file.name
        const test = new TestSandbox({ name, file, sandboxOptions, failOn, captureFolder })
        const { sandbox } = test
        const isFailed = (): boolean => task.result?.state === 'fail' && task.fails !== true
        onTestFailed(async () => {
          if (isFailed()) await test.tellCaptureIn(task.result?.errors?.at(-1))
        })
        onTestFinished(() => test.expectBehaved())
        const running = new RunningTest(task, { sandbox, apiUrl, server })
        onTestFinished(() => running.expectAllAnswered())
        const leave = network.enter(running)
        network.reenter(running)
        enterWhereTaken(task.context, { sandbox, apiUrl, server }, running)
        return use(sandbox).finally(async () => {
          if (isFailed()) test.takeCapture()
          leave()
          await test.end()
        })
      },
      { auto: true },
    ],
  })
}

/**
 * Vitest's `test` with a fresh sandbox for each test; MSW answers the test's requests from it.
 *
 * A request that neither the sandbox nor a handler of `server.use()` answers fails as if there were no network, and
 * fails its test, even if the client swallows the error. The sandbox's time follows faked timers. What still waits for
 * an answer when its test ends, gets it then; what a fault leaves unanswered fails then.
 *
 * Concurrent tests don't see each other. A request belongs to the test in whose async context it is made, whatever its
 * address; one made outside, for instance by a queue older than the test, belongs to the running test with its `apiUrl`.
 * If several have it, the request fails, and so do they.
 *
 * A Vitest worker has room for one MSW server: use `server.use()` instead of your own. It also intercepts the requests
 * of concurrent tests without a sandbox.
 */
export const test: TestAPI<SandboxFixtures> = withSandbox(vitestTest)

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

/** A test of Vitest, or what it is in. */
interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

/** The name of a test with those of what it is in, as Vitest prints it. */
function fullNameOf({ name, suite }: Named): string {
  return suite === undefined || suite.name === '' ? name : `${fullNameOf(suite)} > ${name}`
}
