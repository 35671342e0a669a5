import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { constants, tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type TestResult,
  type TestResults,
  wholeSuite,
} from '../../checks/assumptions/assumption-search.ts'
import { type CoverageFragment, coverageFragment } from '../../checks/coverage/coverage-report.ts'
import type { Configuration } from '../../mock/api/gaps/configuration.ts'
import { formatValue, type GapSettings } from '../../mock/api/gaps.ts'
import { readInput } from '../../mock/input/schema.ts'
import { sharedLimits } from '../../mock/log/shared-memory.ts'
import { sandboxLine } from '../../sandbox/conditions.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import { type RunningServer, startServer } from '../../server/start-server.ts'
import { CliError, reasonOf } from '../cli-error.ts'
import { expectPlace, isFile, isFolder, jsonFilesIn, readBytes, readJsonFile } from '../files.ts'
import { limitsIn } from '../option-schemas.ts'
import { commandVariables, isRunning } from '../processes.ts'
import type { ServeSettings } from '../serve/serve-settings.ts'
import { sandboxOptions } from '../serve/start-serving.ts'
import { type CommandOptions, type CommandResult, Commands } from './commands.ts'
import type { SandboxLog } from './observer.ts'
import { readJunit, type TestFailure } from './read-junit.ts'
import { type CallResult, readCalls, readLine } from './results.ts'

/** Suite with the options of its check. */
export interface SuiteTask<Options> {
  /** `junit` is the suite's JUnit XML file, with `{row}` for the number of the run. */
  readonly options: Options & { readonly junit: string | undefined }
  readonly settings: ServeSettings
  /** Options of the sandboxes as they were given, for commands that run the suite again. */
  readonly given: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/** Run of a suite, with the facts that the command line needs. */
export interface SuiteRun extends TestResults {
  /** Number of the run, from 1. */
  readonly number: number
  readonly command: CommandResult
  /** Number of requests to its sandboxes. */
  readonly requests: number
  /** Whether the results of single tests are known. */
  readonly hasTests: boolean
  /** First test that failed, if single tests are known. */
  readonly failure: TestFailure | undefined
  /** File with test results; `undefined` if none were requested, or written. */
  readonly report: string | undefined
  /** Findings and coverage of sandboxes in the command's own processes. */
  readonly fragments: readonly CoverageFragment[]
  /** Requests and findings of each of these sandboxes, if the run has `ownSandboxes`. */
  readonly logs: readonly SandboxLog[]
  /** Results of calls, as the command reported them in `$PETSTORE_RESULTS`. */
  readonly calls: readonly CallResult[]
}

/** Options of a run. */
interface RunOptions {
  /** Variables that make sandboxes in the command's own processes record their requests, and fail. */
  readonly ownSandboxes?: NodeJS.ProcessEnv
  /** Whether the user sees its output. */
  readonly isShown?: boolean
  /** Whether it runs beside the server's own sandbox. */
  readonly isAlone?: boolean
  /** Maximum duration, in milliseconds. */
  readonly limitMs?: number | undefined
  /** Number of times that it runs at once. */
  readonly copies?: number
  /** Called before the suite starts, with the run's sandbox and its path on the server. */
  readonly prepare?: (sandbox: Sandbox, path: string) => Promise<void>
  /** Called before the sandbox is deleted. */
  readonly conclude?: () => Promise<void>
  /** Called before the sandbox is deleted, with the `performance.now()` at which the last command ended. */
  readonly onEnd?: (at: number) => void
}

/** Thrown to end work in progress, since a signal has ended the check. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Starts a server with sandboxes for a suite while `use` runs it. The first signal ends the runs, so that results so
 * far can be reported; the second one ends the process at once.
 *
 * @returns The exit code: that of `use`, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} for a seed file that can't be used.
 */
export async function withSuite(
  task: SuiteTask<unknown>,
  use: (suite: Suite, server: RunningServer) => Promise<number>,
): Promise<number> {
  const { settings } = task
  const defaults = await sandboxOptions(settings)
  const pool = new SandboxPool({
    defaults,
    autoCreate: settings['auto-create'],
    limits: limitsIn(sharedLimits, settings.limit),
  })
  const sandbox = pool.createUnnamed()
  for (const name of settings.sandbox) pool.create({ name })
  // The server comes last: while it runs, an error would keep the process alive.
  const folder = workFolder()
  const server = await startServer({ pool, sandbox, port: 0 })
  const suite = new Suite(task, server, folder)
  let signalCode: number | undefined
  const listen = (signal: (typeof signals)[number]): void => {
    const code = 128 + constants.signals[signal]
    if (signalCode !== undefined) process.exit(code)
    signalCode = code
    suite.commands.stop()
  }
  for (const signal of signals) process.on(signal, listen)
  try {
    const code = await use(suite, server)
    return signalCode ?? code
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    // There are no results before the baseline runs have ended.
    return signalCode ?? 1
  } finally {
    suite.commands.stop()
    for (const signal of signals) process.off(signal, listen)
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a suite with gap values. Each run has a sandbox, all of them in this process. */
export class Suite {
  readonly commands = new Commands()
  /** Folder for the reports that runs write. */
  readonly folder: string
  readonly #task: SuiteTask<unknown>
  readonly #server: RunningServer
  #lastNumber = 0

  constructor(task: SuiteTask<unknown>, server: RunningServer, folder: string) {
    this.#task = task
    this.#server = server
    this.folder = folder
  }

  /**
   * Runs the suite, or several copies of it at once with the same sandbox.
   *
   * @throws {@link Interrupted} if a signal ends the run.
   */
  async run(
    row: Configuration,
    {
      limitMs,
      copies = 1,
      isShown = false,
      isAlone = false,
      ownSandboxes,
      ...hooks
    }: RunOptions = {},
  ): Promise<readonly [SuiteRun, ...SuiteRun[]]> {
    const { gap, scenario } = this.#task.settings
    const { url, pool, controlToken } = this.#server
    const first = this.#lastNumber + 1
    this.#lastNumber += copies
    const name = `row-${first}`
    const path = isAlone ? '' : `/sandboxes/${name}`
    const gaps = { ...gap, ...settingsOf(row) }
    const { sandbox } = isAlone ? this.#server : pool.create({ name, gaps })
    for (const one of scenario) sandbox.scenario(one)
    const variables = {
      ...commandVariables({ url: url + path, sandbox, controlToken, gaps }),
      ...ownSandboxes,
    }
    let served = 0
    const stopCounting = sandbox.requests.onRequest(() => served++)
    await hooks.prepare?.(sandbox, path)
    const start = (number: number) => this.#start(number, variables, { limitMs, isShown })
    const others = Array.from({ length: copies - 1 }, (_, index) => first + 1 + index)
    const ended = await Promise.all([start(first), ...others.map(start)])
    hooks.onEnd?.(Math.max(...ended.map(({ command }) => command.endedAt)))
    await hooks.conclude?.()
    stopCounting()
    if (!isAlone) pool.delete(name)
    if (ended.some(({ command }) => command.end === 'stopped')) throw new Interrupted()
    const result = async ({
      number,
      command,
      report,
    }: (typeof ended)[number]): Promise<SuiteRun> => {
      const isAlone = copies === 1 || this.#task.options.junit?.includes('{row}') === true
      const tests = report === undefined || !isAlone ? undefined : await readJunit(report)
      const fragments = await fragmentsIn(this.#folderOf(number))
      const logs = await logsIn(this.#folderOf(number))
      const collected = fragments.reduce((sum, { requests }) => sum + requests, 0)
      // A process that ended soon may have collected less than it logged.
      const logged = logs.reduce((sum, { entries }) => sum + entries.length, 0)
      return {
        number,
        command,
        fragments,
        logs,
        calls: await readCalls(this.#resultsOf(number)),
        requests: served + Math.max(collected, logged),
        results: resultsOf(command, tests?.results),
        hasTests: tests !== undefined,
        failure: tests?.failure,
        report: tests === undefined ? undefined : report,
      }
    }
    const [one, ...more] = ended
    return await Promise.all([result(one), ...more.map(result)])
  }

  async #start(number: number, variables: NodeJS.ProcessEnv, how: CommandOptions) {
    const { words, options } = this.#task
    const numbered = (text: string): string => text.replaceAll('{row}', String(number))
    const report = options.junit === undefined ? undefined : numbered(options.junit)
    if (report !== undefined) {
      expectPlace(report)
      // The file may be left from an earlier run.
      if (isFile(report)) rmSync(report)
    }
    const env = {
      // Later runs reuse the code that Node compiles in one run.
      NODE_COMPILE_CACHE: join(this.folder, 'compile-cache'),
      ...process.env,
      ...variables,
      PETSTORE_CHECK_DIR: this.#folderOf(number),
      PETSTORE_RESULTS: this.#resultsOf(number),
    }
    return { number, report, command: await this.commands.run(words.map(numbered), env, how) }
  }

  #folderOf(number: number): string {
    return join(this.folder, String(number))
  }

  #resultsOf(number: number): string {
    return join(this.folder, `${number}.jsonl`)
  }

  /** Returns the number of requests that reached no run's sandbox, as far as the log goes back. */
  strays(): number {
    return this.#server.sandbox.requests.list().length
  }
}

const folderPrefix = 'petstore-sandbox-suite-'

/**
 * Creates a temporary folder, and removes those of processes that were killed.
 *
 * @throws {@link CliError} if it can't be created.
 */
function workFolder(): string {
  try {
    for (const name of readdirSync(tmpdir())) {
      const [, id] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? []
      if (id !== undefined && !isRunning(Number(id))) removeFolder(join(tmpdir(), name))
    }
    return mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
  } catch (error) {
    const why = `${reasonOf(error)}; set TMPDIR to another`
    throw new CliError(`Cannot use the temporary folder ${tmpdir()}: ${why}`, 1)
  }
}

/** Removes a folder, unless it belongs to another user, whose next start removes it. */
function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error
  }
}

/** Returns the values of a row as gap settings. */
function settingsOf(row: Configuration): GapSettings {
  return Object.fromEntries(row.map(({ gap, value }) => [gap, formatValue(gap, value)]))
}

/** Reads the findings and coverage of sandboxes in the command's own processes. */
async function fragmentsIn(folder: string): Promise<readonly CoverageFragment[]> {
  const files = isFolder(folder) ? jsonFilesIn(folder) : []
  return await Promise.all(
    files.map((file) => readJsonFile(file, (found) => readInput(coverageFragment, found))),
  )
}

/** Reads what sandboxes in the command's own processes recorded, a file for each. */
async function logsIn(folder: string): Promise<readonly SandboxLog[]> {
  if (!isFolder(folder)) return []
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'))
  return await Promise.all(
    files.map(async (name) => {
      const file = join(folder, name)
      const text = (await readBytes(file)).toString('utf8')
      // A process that was killed may have left half a line.
      const lines = text.split('\n').slice(0, -1)
      const read = lines.map((line, index) => readLine(sandboxLine, line, index + 1, file))
      return {
        entries: read.flatMap(({ request }) => request ?? []),
        findings: read.findLast(({ findings }) => findings !== undefined)?.findings ?? [],
      }
    }),
  )
}

/** Adds the result of the suite as a whole: it has failed if no test explains the exit code. */
function resultsOf(
  { code }: CommandResult,
  tests: ReadonlyMap<string, TestResult> = new Map(),
): ReadonlyMap<string, TestResult> {
  const hasFailed = [...tests.values()].includes('failed')
  if (code === 0) return new Map([...tests, [wholeSuite, 'passed']])
  return hasFailed ? tests : new Map([...tests, [wholeSuite, 'failed']])
}
