import { type TestAPI, test as vitestTest } from 'vitest'
import type { SandboxOptions } from '../mock/state/beginning.ts'
import { createHandlerList, Network, RunningTest, type TestFixtures } from './fixtures/network.ts'
import { defaultCaptureFolder, TestSandbox, type TestSettings } from './fixtures/test-sandbox.ts'

export type { HandlerList } from './fixtures/network.ts'
export type { FailOn } from './fixtures/test-sandbox.ts'

/** The fixtures of {@link test} and their options. */
export interface SandboxFixtures extends TestFixtures, TestSettings {
  /**
   * The options with which the sandbox is created: `test.override('sandboxOptions', { … })` sets them for a file or a
   * `describe`.
   */
  readonly sandboxOptions: SandboxOptions
  /**
   * The base address of the sandbox: a different one for each test, such as `http://sandbox-7.test/v1`; override it
   * with the client's, such as `https://api.example.com/v1`.
   */
  readonly apiUrl: string
}

const network: Network = new Network()

/**
 * Adds the fixtures of {@link test} to a `test` with its own fixtures: `withSandbox(myTest)`. Fixtures with the same
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
      // Not async, so that everything before its first `await` happens in the test's async context.
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
        onTestFinished(() => running.expectAllHandled())
        const leave = network.enter(running)
        network.reenter(running)
        enterWhereTaken(task.context, { sandbox, apiUrl, server }, running)
        return use(sandbox).finally(async () => {
          if (isFailed()) test.takeCapture()
          leave()
          test.end()
        })
      },
      { auto: true },
    ],
  })
}

/**
 * Vitest's `test` with a fresh sandbox for each test; MSW sends the test's requests to this sandbox.
 *
 * A request that neither the sandbox nor a handler of `server.use()` handles fails as if there were no network, and
 * fails its test, even if the client swallows the error. The sandbox's time follows fake timers. Delayed responses are
 * sent when the test ends; requests that a fault leaves without a response fail then.
 *
 * Concurrent tests are isolated from each other. A request belongs to the test in whose async context it is made,
 * whatever its address. A request made outside, for instance by a queue older than the test, belongs to the running
 * test with its `apiUrl`; if several tests have it, the request and all of these tests fail.
 *
 * A Vitest worker can run only one MSW server: use `server.use()` instead of your own. It also intercepts the requests
 * of concurrent tests without a sandbox.
 */
export const test: TestAPI<SandboxFixtures> = withSandbox(vitestTest)

/**
 * Enters the test's async context in each function that reads a fixture. If there is a `beforeEach`, fixtures are set
 * up in the context of that hook, which neither the test nor other hooks inherit.
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
      // Vitest sets the fixtures, and sets them again before each retry.
      set(next: unknown) {
        current = next
      },
    })
  }
}

/** A Vitest test, or a suite. */
interface Named {
  readonly name: string
  readonly suite?: Named | undefined
}

/** Returns the name of a test, preceded by those of its suites, as Vitest prints it. */
function fullNameOf({ name, suite }: Named): string {
  return suite === undefined || suite.name === '' ? name : `${fullNameOf(suite)} > ${name}`
}
