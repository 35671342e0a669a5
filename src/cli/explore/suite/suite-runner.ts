import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { GapChoice } from '../../../explore/other-choices.ts'
import { type SuiteRun, type TestResult, wholeSuite } from '../../../explore/suite/observation.ts'
import type { Row } from '../../../explore/suite/row.ts'
import { makeFolder } from '../../../input/make-folder.ts'
import type { Sandbox } from '../../../sandbox.ts'
import { writeReasonOf } from '../../files/reason-of.ts'
import { expectFile } from '../../files/replace-file.ts'
import { isRunning } from '../../processes/running-process.ts'
import { CliError } from '../../terminal/cli-error.ts'
import { askedInProcess } from './asked-in-process.ts'
import type { CommandRun, Commands } from './commands.ts'
import { readJunit, type TestFailure } from './read-junit.ts'
import type { Asked, RowServer } from './row-server.ts'

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
export interface SuiteOptions {
  readonly words: readonly string[]
  /** Where it writes JUnit XML, with `{row}` for the number of the run. */
  readonly junit: string | undefined
  readonly server: RowServer
  readonly commands: Commands
  /** The choices that may be tried. */
  readonly offered: readonly GapChoice[]
}

/** Runs a suite under rows. */
export class SuiteRunner {
  readonly #options: SuiteOptions
  readonly #folder = workFolder()
  #count = 0

  constructor(options: SuiteOptions) {
    this.#options = options
  }

  /**
   * Runs the suite.
   *
   * @param limitMs How long it may take.
   * @param prepare Gets the run's sandbox before the suite does.
   */
  async run(
    row: Row,
    limitMs?: number,
    prepare?: (sandbox: Sandbox) => Promise<void>,
  ): Promise<RowRun> {
    const { words, junit, server, commands, offered } = this.#options
    this.#count++
    const number = this.#count
    const numbered = (text: string): string => text.replaceAll('{row}', String(number))
    const report = junit === undefined ? undefined : numbered(junit)
    if (report !== undefined) makeRoom(report)
    const folder = join(this.#folder, String(number))
    const beside = server.open(`row-${number}`, row)
    await prepare?.(beside.sandbox)
    const env = { ...process.env, ...beside.variables, PETSTORE_COVERAGE_DIR: folder }
    const command = await commands.run(words.map(numbered), env, limitMs)
    const served = await server.close(beside, row, offered)
    const own = await askedInProcess(folder, row, offered)
    const tests = report === undefined ? undefined : readJunit(report)
    return {
      number,
      command,
      ...together(served, own),
      results: resultsOf(command, tests?.results),
      hasTests: tests !== undefined,
      failure: tests?.failure,
      report: tests === undefined ? undefined : report,
    }
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
