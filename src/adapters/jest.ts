import { object, optional, withDefault } from '../mock/input/object.ts'
import { isRecord } from '../mock/input/record.ts'
import { type Input, readInput } from '../mock/input/schema.ts'
import { custom, text } from '../mock/input/values.ts'
import type { SandboxOptions } from '../mock/state/beginning.ts'
import { createHandlerList, Network, RunningTest, type TestFixtures } from './fixtures/network.ts'
import { defaultCaptureFolder, failOn, TestSandbox } from './fixtures/test-sandbox.ts'

export type { HandlerList, TestFixtures } from './fixtures/network.ts'

const sandboxOptions = custom<SandboxOptions>(
  'an object such as { "clock": { "mode": "frozen" } }',
  isRecord,
)

const captureFolder = custom<string | false>(
  'a folder, or false',
  (found): found is string | false =>
    found === false || (typeof found === 'string' && found !== ''),
)

/** Options of the sandbox of each test. */
const fixtureOptions = object({
  /** The options with which each sandbox is created. */
  sandboxOptions: withDefault(sandboxOptions, {}),
  /**
   * The base address of the sandbox: by default a different one for each test, such as `http://sandbox-7.test/v1`; set
   * it to the client's if that is fixed, such as `https://api.example.com/v1`.
   */
  apiUrl: optional(text()),
  /**
   * Minimum severity at which a finding about the test's client fails the test at its end: `error` or `warning`; with
   * `off` (default), findings don't fail the test.
   */
  failOn: withDefault(failOn, 'off'),
  /**
   * Folder for the captures of failed tests, for the commands `open` and `replay`; the failure names the file. By
   * default `test-results/petstore-sandbox` in the current folder; `false` disables captures.
   */
  captureFolder: withDefault(captureFolder, defaultCaptureFolder),
})

/** Options of the sandbox of each test. */
export interface FixtureOptions extends Input<typeof fixtureOptions> {}

/** Registers a test, as Jest's `test` does. */
type Register = (name: string, body: () => Promise<void>, timeout?: number) => void

/** The part of Jest's `test` that {@link withSandbox} wraps. */
export interface JestTest extends Register {
  /** Registers the only test of the file to run. */
  readonly only: Register
  /** Registers a test that is skipped. */
  readonly skip: Register
  /** Registers a test that must fail. */
  readonly failing: Register
  /** Registers a test that runs beside others. */
  readonly concurrent: Register
}

/** Registers a test with a sandbox; `timeout` is in milliseconds. */
type RegisterWithSandbox = (
  name: string,
  body: (fixtures: TestFixtures) => unknown,
  timeout?: number,
) => void

/** A `test` with a fresh sandbox for each test. */
export interface SandboxTest extends RegisterWithSandbox {
  /** Registers the only test of the file to run. */
  readonly only: RegisterWithSandbox
  /** Registers a test that is skipped; it gets no sandbox. */
  readonly skip: RegisterWithSandbox
  /** Registers a test that must fail. */
  readonly failing: RegisterWithSandbox
  /** Registers a test that runs beside others, each with its own sandbox. */
  readonly concurrent: RegisterWithSandbox
  /** Returns a `test` with other options; omitted options keep their value. */
  override(options: FixtureOptions): SandboxTest
}

const network: Network = new Network()

/**
 * Adds a fresh sandbox for each test to Jest's `test`: `withSandbox(test)`. MSW sends the test's requests to this
 * sandbox.
 *
 * A request that neither the sandbox nor a handler of `server.use()` handles fails as if there were no network, and
 * fails its test, even if the client swallows the error. Delayed responses are sent when the test ends; requests that a
 * fault leaves without a response fail then.
 *
 * A Jest worker can run only one MSW server: use `server.use()` instead of your own.
 *
 * @throws {@link InputError} for an invalid option.
 */
export function withSandbox(test: JestTest, options: FixtureOptions = {}): SandboxTest {
  readInput(fixtureOptions, options)
  const over = (register: Register): RegisterWithSandbox => {
    const how = { concurrent: register === test.concurrent, fails: register === test.failing }
    return (name, body, timeout) =>
      register(name, () => runWithSandbox({ name, ...how }, body, options), timeout)
  }
  return Object.assign(over(test), {
    only: over(test.only),
    skip: over(test.skip),
    failing: over(test.failing),
    concurrent: over(test.concurrent),
    override: (other: FixtureOptions) => withSandbox(test, { ...options, ...other }),
  })
}

/** A test and its kind of registration. */
interface Task {
  readonly name: string
  readonly concurrent: boolean
  /** Whether it is expected to fail. */
  readonly fails: boolean
}

async function runWithSandbox(
  task: Task,
  body: (fixtures: TestFixtures) => unknown,
  options: FixtureOptions,
): Promise<void> {
  const read = readInput(fixtureOptions, options)
  const { apiUrl = network.nextAddress() } = read
  const captureFolder = task.fails ? false : read.captureFolder
  const test = new TestSandbox({ ...read, name: task.name, file: currentFile(), captureFolder })
  const { sandbox } = test
  const fixtures = { sandbox, apiUrl, server: createHandlerList() }
  const running = new RunningTest(task, fixtures)
  const leave = network.enter(running)
  try {
    try {
      await network.run(running, () => body(fixtures))
    } catch (error) {
      // The capture needs the sandbox's state from before its end.
      test.takeCapture()
      throw error
    } finally {
      leave()
      test.end()
    }
    running.expectAllHandled()
    await test.expectBehaved()
  } catch (error) {
    await test.tellCaptureIn(error)
    throw error
  }
}

/** Returns the file of the running test, if Jest's `expect` is global. */
function currentFile(): string | undefined {
  const expect: unknown = Reflect.get(globalThis, 'expect')
  if (typeof expect !== 'function' || !('getState' in expect)) return undefined
  const state: unknown = typeof expect.getState === 'function' ? expect.getState() : undefined
  return isRecord(state) && typeof state.testPath === 'string' ? state.testPath : undefined
}
