import type { Exploration } from '../../../explore/suite/explorer.ts'
import { wholeSuite } from '../../../explore/suite/observation.ts'
import { printable } from '../../../reports/text.ts'
import { CliError } from '../../cli-error.ts'
import { Load } from './load.ts'
import type { TestFailure } from './read-junit.ts'
import type { RowRun } from './suite-runner.ts'

/** The runs at the baseline choices, and what they say of further runs. */
export interface UsualRuns {
  readonly runs: readonly RowRun[]
  /** How many runs at a time. */
  readonly jobs: number
  /** Whether runs at the same time disturb each other. */
  readonly areDisturbed: boolean
}

/** A suite at the baseline choices. */
interface UsualSuite {
  readonly run: () => Promise<RowRun>
  /** How many requests came to no run's sandbox. */
  readonly strays: () => number
  /** What can't be done where it doesn't pass, as messages begin: `Cannot explore`. */
  readonly cannot: string
}

/** As many rows as are decided on at once. */
const mostJobs = 12

/**
 * Runs a suite twice at the baseline choices, at the same time where that may be, and makes sure that it passes each time.
 *
 * @param jobs How many runs there may be at a time; `undefined` for as many as the processors can carry.
 * @throws {@link CliError} with exit code 5 when it doesn't, sends no request, or writes no report of its tests.
 */
export async function usualRuns(
  { run, strays, cannot }: UsualSuite,
  jobs: number | undefined,
  junit: string | undefined,
): Promise<UsualRuns> {
  const load = new Load()
  const atOnce = jobs === 1 ? 1 : 2
  const both = await twice(run, atOnce)
  const share = load.fitting(atOnce, mostJobs)
  const isQuiet = both.every(isGreen)
  const runs = isQuiet || atOnce === 1 ? both : await twice(run, 1)
  expectAsked(runs, strays, cannot)
  expectGreen(runs, cannot)
  if (junit !== undefined && !runs.every(({ hasTests }) => hasTests)) {
    throw new CliError(
      `${cannot}: the command wrote no test results to ${junit}; have it write JUnit XML there`,
      5,
    )
  }
  return { runs, jobs: isQuiet ? (jobs ?? share) : 1, areDisturbed: !isQuiet }
}

async function twice(run: () => Promise<RowRun>, atOnce: 1 | 2): Promise<readonly RowRun[]> {
  if (atOnce === 2) return await Promise.all([run(), run()])
  return [await run(), await run()]
}

/** @throws {@link CliError} with exit code 5 unless all runs have passed. */
function expectGreen(runs: readonly RowRun[], cannot: string): void {
  const failed = runs.find((one) => !isGreen(one))
  if (failed === undefined) return
  throw runs.some(isGreen) ? flaky(failed, cannot) : red(failed, cannot)
}

/** Whether all has passed. */
function isGreen({ command, results }: RowRun): boolean {
  return command.code === 0 && ![...results.values()].includes('failed')
}

/**
 * Makes sure that something is known of a suite whose tests aren't.
 *
 * @throws {@link CliError} with exit code 5 if it passed and failed under the same choices.
 */
export function expectSteady(
  { runs, dependencies, unsteady }: Exploration,
  usual: readonly RowRun[],
): void {
  const hasTests = usual.some((one) => one.hasTests)
  if (hasTests || dependencies.length > 0 || !unsteady.includes(wholeSuite)) return
  throw new CliError(
    `Cannot compare runs: the suite is flaky: in ${runs} runs it passed once and failed once under the same choices; fix that first`,
    5,
  )
}

function expectAsked(runs: readonly RowRun[], strays: () => number, cannot: string): void {
  const silent = runs.filter(({ requests }) => requests === 0)
  if (silent.length === 0) return
  const [first] = silent
  // What fails to start sends nothing; then this is what to say.
  if (first !== undefined && !isGreen(first)) throw red(first, cannot)
  const lost = strays()
  if (lost > 0) {
    throw new CliError(
      `${cannot}: ${lost} requests went to /v1 of the server, and none to the address in PETSTORE_URL, which ends in /sandboxes/row-1/v1; keep the path of that address`,
      5,
    )
  }
  throw new CliError(
    silent.length < runs.length
      ? `${cannot}: the command sent requests in one run, and none in another at the same choices; perhaps it keeps results, or both runs used the same server`
      : `${cannot}: the command sent no request to the sandbox; send them to the address in PETSTORE_URL, or use the doors for Vitest, Jest or Playwright`,
    5,
  )
}

function red(run: RowRun, cannot: string): CliError {
  process.stderr.write(lastLines(run.command.output))
  return new CliError(
    `${cannot}: the command fails as it is, without any other choice: ${outcomeOf(run)}; fix that first`,
    5,
  )
}

function flaky(run: RowRun, cannot: string): CliError {
  return new CliError(
    `${cannot}: the suite is flaky: of two runs at the same choices one passed, and the other did not: ${outcomeOf(run)}`,
    5,
  )
}

/** How much of what a failing command printed is shown, in lines. */
const shownLines = 30

function lastLines(output: string): string {
  const lines = output.trimEnd().split('\n').slice(-shownLines)
  return output === '' ? '' : `${lines.map(printable).join('\n')}\n`
}

/** Says how a run failed. */
function outcomeOf({ command, results, failure, report = '' }: RowRun): string {
  if (failure === undefined) return `exit code ${command.code}`
  const failed = [...results].filter(([test, result]) => result === 'failed' && test !== wholeSuite)
  const others = failed.length === 1 ? '' : ` and ${failed.length - 1} more`
  return `exit code ${command.code}, failed: ${failureText(failure)}${others}, in ${report}`
}

/** Names a test that failed, and says what its runner said. */
export function failureText({ test, message }: TestFailure): string {
  return message === '' ? test : `${test} (${message})`
}
