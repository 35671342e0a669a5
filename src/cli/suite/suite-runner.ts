import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GapChoice, Row } from '../../explore/choices.ts'
import { type SuiteRun, type TestResult, wholeSuite } from '../../explore/suite/observation.ts'
import { makeFolder } from '../../input/make-folder.ts'
import { CliError, writeReasonOf } from '../cli-error.ts'
import { expectFile } from '../files.ts'
import { isRunning } from '../processes.ts'
import type { CommandRun, Commands } from './commands.ts'
import { readJunit, type TestFailure } from './read-junit.ts'
import { type Asked, askedInProcess, type RowSandbox, type RowServer } from './row-server.ts'

/** A run of a suite, with what the command line has to know of it. */
export interface RowRun extends SuiteRun {
  /** Counted from 1. */
  readonly number: number
  readonly command: CommandRun
  /** How many requests came to its sandboxes, or 1 for any. */
  readonly requests: number
  /** Whether the results of single tests are known. */
  readonly hasTests: boolean
  /** The first test that failed, where single tests are known. */
  readonly failure: TestFailure | undefined
  /** Where the test results are; `undefined` if none were asked for, or written. */
  readonly report: string | undefined
}

/** What a suite is, and where it runs. */
interface SuiteOptions {
  readonly words: readonly string[]
  /** Where it writes JUnit XML, with `{row}` for the number of the run. */
  readonly junit: string | undefined
  readonly server: RowServer
  readonly commands: Commands
  /** Numbers so many runs, and returns the first number: no two runs of a command have the same. */
  readonly takeNumbers: (runs: number) => number
  /** The choices that may be tried. */
  readonly offered: readonly GapChoice[]
}

/** How a suite is run. */
interface RunOptions {
  /** How long it may take, in milliseconds. */
  readonly limitMs?: number | undefined
  /** How many times it runs at once. */
  readonly copies?: number
  /** Gets the run's sandbox before the suite does. */
  readonly prepare?: (beside: RowSandbox) => Promise<void>
  /** Is called before the sandbox is dropped, with the `performance.now()` at which the last command ended. */
  readonly onEnd?: (at: number) => void
}

/** A command that has ended. */
interface EndedCommand {
  readonly number: number
  readonly command: CommandRun
  /** Where its test results should be. */
  readonly report: string | undefined
}

/** Ends what can't go on, since the process is told to end. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Runs a suite under rows. */
export class SuiteRunner {
  readonly #options: SuiteOptions
  readonly #folder = workFolder()

  constructor(options: SuiteOptions) {
    this.#options = options
  }

  /**
   * Runs the suite, or several copies of it at once with the same sandbox.
   *
   * @throws {@link Interrupted} when the process is to end.
   */
  async run(
    row: Row,
    { limitMs, copies = 1, prepare, onEnd }: RunOptions = {},
  ): Promise<readonly [RowRun, ...RowRun[]]> {
    const { server, offered, takeNumbers } = this.#options
    const number = takeNumbers(copies)
    const beside = server.open(`row-${number}`, row)
    await prepare?.(beside)
    const others = Array.from({ length: copies - 1 }, (_, index) => number + 1 + index)
    const start = (one: number): Promise<EndedCommand> => this.#start(one, beside, limitMs)
    const ended = await Promise.all([start(number), ...others.map(start)])
    onEnd?.(Math.max(...ended.map(({ command }) => command.endedAt)))
    const served = await server.close(beside, row, offered)
    if (ended.some(({ command }) => command.end === 'stopped')) throw new Interrupted()
    const result = async ({ number, command, report }: EndedCommand): Promise<RowRun> => {
      const own = await askedInProcess(this.#folderOf(number), row, offered)
      const isAlone = copies === 1 || this.#options.junit?.includes('{row}') === true
      const tests = report === undefined || !isAlone ? undefined : readJunit(report)
      return {
        number,
        command,
        ...together(served, own),
        results: resultsOf(command, tests?.results),
        hasTests: tests !== undefined,
        timedOut: tests?.timedOut ?? new Set(),
        failure: tests?.failure,
        report: tests === undefined ? undefined : report,
      }
    }
    const [first, ...more] = ended
    return await Promise.all([result(first), ...more.map(result)])
  }

  async #start(
    number: number,
    { variables }: RowSandbox,
    limitMs: number | undefined,
  ): Promise<EndedCommand> {
    const { words, junit, commands, offered } = this.#options
    const numbered = (text: string): string => text.replaceAll('{row}', String(number))
    const report = junit === undefined ? undefined : numbered(junit)
    if (report !== undefined) makeRoom(report)
    const env = {
      ...process.env,
      ...variables,
      PETSTORE_COVERAGE_DIR: this.#folderOf(number),
      ...(offered.length === 0 ? {} : { PETSTORE_EXPLORE: '1' }),
    }
    const command = await commands.run(words.map(numbered), env, limitMs)
    return { number, command, report }
  }

  #folderOf(number: number): string {
    return join(this.#folder, String(number))
  }

  /** Removes what it has written itself. */
  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true })
  }
}

const folderPrefix = 'petstore-sandbox-explore-'

/** Makes a temporary folder, and removes those of processes that were killed. */
function workFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const [, id] = new RegExp(`^${folderPrefix}(\\d+)-`).exec(name) ?? []
    if (id !== undefined && !isRunning(Number(id))) removeFolder(join(tmpdir(), name))
  }
  return mkdtempSync(join(tmpdir(), `${folderPrefix}${process.pid}-`))
}

function removeFolder(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // It belongs to another user.
  }
}

/** Makes the folder of a report, and removes one of an earlier run. */
function makeRoom(report: string): void {
  try {
    makeFolder(dirname(report), { statSync, mkdirSync, dirname })
    expectFile(report)
    rmSync(report, { force: true })
  } catch (error) {
    throw new CliError(`Cannot use ${report} for test results: ${writeReasonOf(error)}`, 1)
  }
}

function together(one: Asked, other: Asked): Asked {
  return {
    requests: one.requests + other.requests,
    mattering: [...one.mattering, ...other.mattering],
    effective: [...new Set([...one.effective, ...other.effective])],
    facts: new Map([...one.facts, ...other.facts]),
  }
}

/** The suite as a whole has failed where no test says why. */
function resultsOf(
  { code }: CommandRun,
  tests: ReadonlyMap<string, TestResult> = new Map(),
): ReadonlyMap<string, TestResult> {
  const hasFailed = [...tests.values()].includes('failed')
  if (code === 0) return new Map([...tests, [wholeSuite, 'passed']])
  return hasFailed ? tests : new Map([...tests, [wholeSuite, 'failed']])
}
