import { performance } from 'node:perf_hooks'
import { wholeSuite } from '../../checks/assumptions/assumption-search.ts'
import { countText, secondsText, shellWord } from '../../checks/reports/text.ts'
import { type Configuration, valueText } from '../../mock/api/gaps/configuration.ts'
import { programLine } from '../program.ts'
import { Load } from './commands.ts'
import type { Suite, SuiteRun, SuiteTask } from './suite.ts'
import { failureText, isOfRunner } from './suite-end.ts'

/** Runs at the baseline values, and the limits that they set for further runs. */
export interface BaselineRuns {
  readonly runs: readonly SuiteRun[]
  /** Number of tests; 0 if single tests aren't known. */
  readonly tests: number
  /** Whether a test runner runs them; otherwise the command is a script, which fails by ending with an error. */
  readonly isRunner: boolean
  /** Duration of the longest run, in milliseconds. */
  readonly ms: number
  /** Number of runs at a time, while all of them work. */
  readonly jobs: number
  /** Maximum number of runs at a time, while most of them wait. */
  readonly maxJobs: number
  /** Whether parallel runs interfere with each other. */
  readonly areDisturbed: boolean
}

/** Maximum number of runs at a time. */
const maxJobs = 8

/**
 * Runs a suite twice without any condition, at the same time if possible.
 *
 * @param run Runs it once; the first run is shown.
 * @param options Number of runs at a time: by default as many as the processors can carry.
 * @returns The runs, and the problem if nothing can be compared with them: the suite fails, sends no request, or writes
 * no report of its tests.
 */
export async function runBaseline(
  suite: Suite,
  run: (isFirst: boolean) => Promise<SuiteRun>,
  options: { readonly jobs: number | undefined; readonly junit: string | undefined },
): Promise<BaselineRuns & { readonly problem: string | undefined }> {
  const { junit } = options
  // Runs that write the same file follow each other.
  const jobs = junit === undefined || junit.includes('{row}') ? options.jobs : 1
  const load = new Load()
  const atOnce = jobs === 1 ? 1 : 2
  const both = await twice(run, atOnce)
  const share = load.fitting(atOnce, maxJobs)
  const isQuiet = both.every(isGreen)
  const runs = isQuiet || atOnce === 1 ? both : await again(run, both)
  const problem =
    silenceOf(runs, suite) ??
    failureOf(runs) ??
    (junit === undefined ? undefined : missing(runs, junit))
  const names = new Set(runs.flatMap(({ results }) => [...results.keys()]))
  names.delete(wholeSuite)
  return {
    runs,
    tests: names.size,
    isRunner: junit !== undefined || runs.some(({ command }) => isOfRunner(command.output)),
    ms: Math.max(...runs.map(({ command }) => command.ms)),
    jobs: isQuiet ? (jobs ?? share) : 1,
    maxJobs: isQuiet ? (jobs ?? maxJobs) : 1,
    areDisturbed: !isQuiet,
    problem: problem && `Cannot compare runs: ${problem}`,
  }
}

async function twice(
  run: (isFirst: boolean) => Promise<SuiteRun>,
  atOnce: 1 | 2,
): Promise<readonly SuiteRun[]> {
  if (atOnce === 2) return await Promise.all([run(true), run(false)])
  return [await run(true), await run(false)]
}

/** Repeats a suite alone that has not passed twice in parallel: once if that is enough to see that it fails. */
async function again(
  run: (isFirst: boolean) => Promise<SuiteRun>,
  both: readonly SuiteRun[],
): Promise<readonly SuiteRun[]> {
  const first = await run(true)
  return isGreen(first) || both.some(isGreen) ? [first, await run(false)] : [first]
}

/** Returns whether the command and all its tests have passed. */
export function isGreen({ command, results }: SuiteRun): boolean {
  return command.code === 0 && ![...results.values()].includes('failed')
}

/** Explains why no request reached a sandbox; `undefined` if each run sent one. */
function silenceOf(runs: readonly SuiteRun[], suite: Suite): string | undefined {
  const silent = runs.filter(({ requests }) => requests === 0)
  const [first] = silent
  if (first === undefined) return undefined
  // A command that fails to start sends nothing; then its failure is the explanation.
  if (!isGreen(first)) return redText(first)
  const lost = suite.strays()
  if (lost > 0) {
    return `${lost} requests went to /v1 of the server, and none to the address in PETSTORE_API_URL, which ends in /sandboxes/NAME/v1; keep the path of that address`
  }
  return silent.length < runs.length
    ? 'the command sent requests in one run, and none in another with the same gap values; perhaps it caches results, or both runs used the same server'
    : 'the command sent no request to the sandbox; send them to the address in PETSTORE_API_URL, or use the fixtures for Vitest, Jest or Playwright'
}

/** Describes how a run failed; `undefined` if none did. */
function failureOf(runs: readonly SuiteRun[]): string | undefined {
  const failed = runs.find((one) => !isGreen(one))
  if (failed === undefined) return undefined
  return runs.some(isGreen)
    ? `the suite is flaky: of two runs with the same gap values one passed, and the other did not: ${outcomeOf(failed)}`
    : redText(failed)
}

function missing(runs: readonly SuiteRun[], junit: string): string | undefined {
  if (runs.every(({ hasTests }) => hasTests)) return undefined
  return missingText(junit)
}

/** Says that a command wrote no results to its JUnit file. */
export function missingText(junit: string): string {
  return `the command wrote no test results to ${junit}; have it write JUnit XML there`
}

/** Describes the failure of a baseline run. */
function redText(run: SuiteRun): string {
  return `the command fails before anything is changed: ${outcomeOf(run)}; fix that first`
}

/** Describes how a run failed. */
export function outcomeOf({ command, results, failure, report = '' }: SuiteRun): string {
  const { code, signal } = command
  if (failure === undefined)
    return signal === undefined ? `exit code ${code}` : `ended by ${signal}`
  const failed = [...results].filter(([test, result]) => result === 'failed' && test !== wholeSuite)
  const others = failed.length === 1 ? '' : ` and ${failed.length - 1} more`
  return `exit code ${code}, failed: ${failureText(failure)}${others}, in ${report}`
}

/** Interval at which the load of the processors is read, in milliseconds. */
const spareMs = 250

/**
 * Returns a function that runs tasks, `jobs` at a time, while others wait for their turn. As long as the processors have
 * time to spare, since tasks wait for responses, one more starts at each interval, up to `maxJobs`.
 */
export function limitedTo(
  { jobs, maxJobs: most }: Pick<BaselineRuns, 'jobs' | 'maxJobs'>,
  createLoad: () => Pick<Load, 'fitting'> = () => new Load(),
) {
  const waiting: (() => void)[] = []
  let running = 0
  let timer: ReturnType<typeof setInterval> | undefined
  const startNext = (fitting: number): void => {
    const next = running < fitting ? waiting.shift() : undefined
    if (waiting.length === 0) clearInterval(timer)
    if (next === undefined) return
    running++
    next()
  }
  const watchLoad = (): void => {
    let load = createLoad()
    timer = setInterval(() => {
      startNext(load.fitting(running, most))
      load = createLoad()
    }, spareMs)
  }
  return async <Value>(run: () => Promise<Value>): Promise<Value> => {
    if (running < jobs) running++
    else {
      if (most > jobs && waiting.length === 0) watchLoad()
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
    try {
      return await run()
    } finally {
      running--
      startNext(jobs)
    }
  }
}

/** Stream for progress. */
interface ProgressStream {
  readonly isTTY?: boolean
  write(text: string): unknown
}

/** State of a check. */
interface ProgressState {
  readonly done: number
  /** Estimated number of runs to come; `undefined` if that isn't known. */
  readonly left: number | undefined
  /** Number of runs at a time. */
  readonly jobs: number
  /** Unit of the counts. */
  readonly unit: 'run' | 'condition'
  /** Duration of each, in milliseconds; by default the average so far. */
  readonly eachMs?: number | undefined
}

/** Moves to the beginning of the line, and erases it. */
const eraseLine = '\r\u001b[K'

/**
 * Shows the progress of a check: in one changing line of a terminal, else in a line for each step.
 */
export class Progress {
  readonly #stream: ProgressStream
  readonly #command: string
  readonly #startedAt = performance.now()
  #isShown = false

  /** @param command Name of the command in progress. */
  constructor(stream: ProgressStream, command: string) {
    this.#stream = stream
    this.#command = command
  }

  show(state: ProgressState): void {
    const text = progressText(state, performance.now() - this.#startedAt)
    this.#stream.write(
      this.#stream.isTTY ? `${eraseLine}${text}` : `petstore-sandbox: ${this.#command}: ${text}\n`,
    )
    this.#isShown = true
  }

  /** Clears the line for other output. */
  clear(): void {
    if (this.#isShown && this.#stream.isTTY) this.#stream.write(eraseLine)
    this.#isShown = false
  }
}

/** @param elapsed Duration so far, in milliseconds. */
export function progressText(state: ProgressState, elapsed: number): string {
  const { done, left, jobs, unit } = state
  const runs = `${countText(done, unit)} done`
  if (left === undefined) return runs
  if (left === 0) return `${runs} in ${secondsText(elapsed)}`
  const each = state.eachMs ?? elapsed / Math.max(Math.ceil(done / jobs), 1)
  return `${runs}, about ${left} left, about ${secondsText(each * Math.ceil(left / jobs))}`
}

/** Writes a shell command that runs a suite once with gap values. */
export function execLine({ given, words }: CommandParts, row: Configuration): string {
  // Only commands that run a suite many times number its runs.
  const command = words.map((word) => word.replaceAll('{row}', '0'))
  const chosen = row.flatMap((one) => ['--gap', valueText(one)])
  return shellLine('exec', { given, words: command }, chosen)
}

type CommandParts = Pick<SuiteTask<unknown>, 'given' | 'words'>

/** Writes a shell command of this program that runs another one. */
export function shellLine(
  name: string,
  { given, words }: CommandParts,
  chosen: readonly string[],
): string {
  const options = Object.entries(given).flatMap(([option, text]) =>
    text === 'true' ? [`--${option}`] : [`--${option}`, text],
  )
  return programLine([name, ...options, ...chosen, '--', ...words].map(shellWord).join(' '))
}
