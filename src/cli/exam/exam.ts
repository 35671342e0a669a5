import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { GapChoice } from '../../checks/replay/choices.ts'
import { badgeSvg } from '../../checks/reports/formats.ts'
import { formatDuration } from '../../mock/input/values.ts'
import { CliError } from '../cli-error.ts'
import { expectPlace, writeFile } from '../files.ts'
import { type CheckName, checkNames, type ExaminerOptions } from '../options.ts'
import { type Exception, readConfigFile } from '../serve/serve-settings.ts'
import {
  execLine,
  exploreSuite,
  limitedTo,
  offeredChoices,
  Progress,
  runBaseline,
  secondsText,
  shellLine,
} from '../suite/session.ts'
import { Interrupted, type RowRun, type Suite, type SuiteTask, withSuite } from '../suite/suite.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import { checks, runCheckNames } from './checks.ts'
import {
  causesOf,
  type ExamResult,
  type Explored,
  examBadge,
  examReport,
  outputFolder,
} from './exam-report.ts'
import {
  type Baseline,
  baselineOf,
  type CheckOf,
  type DoneCheck,
  type GradedCheck,
  gradeChecks,
  titleOf,
} from './grade.ts'
import {
  observeRun,
  type RunResult,
  type UnansweredRequest,
  watchUnanswered,
} from './run-observer.ts'

/**
 * Runs a command in many situations, and reports how the client in it gets through them.
 *
 * @returns The exit code: 0, 4 if there is something to fix, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be examined.
 */
export async function exam(
  task: SuiteTask<ExaminerOptions>,
  stdout: NodeJS.WritableStream,
): Promise<number> {
  const { options, settings } = task
  const { exceptions } = await readConfigFile(settings.config)
  const excepted = rulesOf(exceptions, Date.now())
  expectReportPlaces(options.report)
  if (options.badge !== undefined) expectPlace(options.badge)
  const covering = { ...task, settings: { ...settings, coverage: true } }
  return await withSuite(covering, async (suite) => {
    const result = await new Examination(task, suite, excepted).run()
    writeReports(examReport(result), options, stdout, process.env)
    if (options.badge !== undefined) {
      writeFile(options.badge, `${badgeSvg(examBadge(result))}\n`, 0o666)
    }
    return result.causes.some(({ grade }) => grade === 'fix') ? 4 : 0
  })
}

/** @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox. */
function rulesOf(exceptions: readonly Exception[], now: number): ReadonlySet<string> {
  const inForce = exceptions.filter(({ until }) => until === undefined || until > now)
  return new Set(inForce.map(({ rule }) => rule))
}

/** The checks without which a client has passed only in part. */
const neededNames: readonly CheckName[] = ['manners', ...runCheckNames]

/** How much longer than a baseline run another may take, and how long at least, in milliseconds. */
const patience = { times: 3, leastMs: 10_000 } as const

/** Each run is judged as one client, whatever its connections. */
const asOneClient = { oneClient: true } as const

/** Runs checks, one after the other or several at a time, until it is interrupted. */
class Examination {
  readonly #task: SuiteTask<ExaminerOptions>
  readonly #suite: Suite
  /** The rules whose findings don't count. */
  readonly #excepted: ReadonlySet<string>
  readonly #choices: readonly GapChoice[]
  readonly #startedAt = performance.now()
  readonly #names: readonly CheckName[]
  #runs = 0
  #isInterrupted = false

  constructor(task: SuiteTask<ExaminerOptions>, suite: Suite, excepted: ReadonlySet<string>) {
    this.#task = task
    this.#suite = suite
    this.#excepted = excepted
    this.#choices = offeredChoices(task.settings, 'promised')
    const { only = checkNames, skip } = task.options
    this.#names = checkNames.filter((name) => only.includes(name) && !skip.includes(name))
    if (this.#names.length > 0) return
    throw new CliError('Cannot examine the client: no check is left; change --only or --skip', 2)
  }

  /**
   * Runs all checks.
   *
   * @throws {@link CliError} with exit code 5 when the suite can't be examined; {@link Interrupted} before anything is known.
   */
  async run(): Promise<ExamResult> {
    const task = this.#task
    rmSync(outputFolder, { recursive: true, force: true })
    const baseline = await this.#start()
    const graded = await this.#runChecks(baseline)
    const explored = await this.#explore(baseline)
    const findings = baseline.findings.map(({ finding }) => finding)
    const shown = {
      checks: graded,
      manners: this.#has('manners') ? findings : undefined,
      explored,
    }
    return {
      ...shown,
      coverage: this.#has('coverage') ? baseline.coverage : undefined,
      causes: causesOf(shown, (row) => execLine(task, row)),
      runs: this.#runs,
      time: secondsText(performance.now() - this.#startedAt),
      tests: baseline.tests,
      isInterrupted: this.#isInterrupted,
      isPartial: !neededNames.every((name) => this.#has(name)),
      isWhole: task.options.all,
      commandFor: (names) => examLine(task, names),
    }
  }

  #has(name: CheckName): boolean {
    return this.#names.includes(name)
  }

  /** Runs the suite at the baseline, and says what was seen. */
  async #start(): Promise<Baseline> {
    const results: Awaited<ReturnType<typeof observeRun>>[] = []
    const run = async (): Promise<RowRun> => {
      const [found] = await this.#suite.run([], {
        offered: this.#choices,
        prepare: async (sandbox) => {
          results.push(await observeRun(sandbox, { excepted: this.#excepted }))
        },
      })
      this.#runs++
      return found
    }
    const { options } = this.#task
    const runs = await runBaseline(this.#suite, run, options, 'Cannot examine the client')
    // Runs that disturbed each other were done again.
    const seen = await Promise.all(results.slice(-2).map((resultOf) => resultOf(asOneClient)))
    return baselineOf(runs, expectAsked(seen))
  }

  async #runChecks(baseline: Baseline): Promise<readonly GradedCheck[]> {
    const { jobs, areDisturbed } = baseline
    const all = checksFor(this.#names, baseline)
    const isAlone = areDisturbed || this.#task.options.jobs === 1
    const obstacleTo = (one: CheckOf): string | undefined => obstacle(one, baseline, isAlone)
    const waiting = all.filter((one) => obstacleTo(one) === undefined)
    const done: DoneCheck[] = []
    const progress = new Progress(process.stderr, 'exam')
    const show = (): void => {
      const eachMs = done.length < jobs ? baseline.ms : undefined
      const left = waiting.length - done.length
      progress.show({ done: done.length, left, jobs, unit: 'check', eachMs })
    }
    if (waiting.length > 0) show()
    const run = async (one: CheckOf): Promise<void> => {
      if (this.#isInterrupted) return
      try {
        done.push(await this.#runCheck(one, baseline))
        show()
      } catch (error) {
        if (!(error instanceof Interrupted)) throw error
        this.#isInterrupted = true
      }
    }
    const atOnce = limitedTo(jobs)
    await Promise.all(waiting.map((one) => atOnce(() => run(one))))
    progress.clear()
    const graded = new Map(
      gradeChecks(done, baseline, keepOutput).map((one) => [titleOf(one), one]),
    )
    return all.map((one) => graded.get(titleOf(one)) ?? ungraded(one, obstacleTo(one)))
  }

  async #runCheck({ name, operation }: CheckOf, baseline: Baseline): Promise<DoneCheck> {
    const check = checks[name]
    const limitMs =
      this.#task.options.patience ??
      Math.max(baseline.ms * patience.times, patience.leastMs) * check.copies + check.moreMs
    let resultOf: Awaited<ReturnType<typeof observeRun>> | undefined
    let unansweredAt: ReturnType<typeof watchUnanswered> | undefined
    let unanswered: readonly UnansweredRequest[] = []
    const runs = await this.#suite.run(check.gaps, {
      limitMs,
      copies: check.copies,
      prepare: async (sandbox, path) => {
        const set = (): void => check.set(sandbox, { operation, requests: baseline.requests })
        resultOf = await observeRun(sandbox, {
          excepted: this.#excepted,
          isMet: check.isMet,
          onMet: () => check.afterwards?.(sandbox),
          onReset: set,
        })
        set()
        if (check.isSilent) unansweredAt = watchUnanswered(path)
      },
      onEnd: (at) => {
        unanswered = unansweredAt?.(at) ?? []
      },
    })
    this.#runs += runs.length
    if (resultOf === undefined) throw new Error('Cannot judge a run: its sandbox was not prepared')
    const seen = await resultOf(check.copies === 1 ? asOneClient : {})
    return { name, operation, runs, seen, unanswered }
  }

  async #explore(baseline: Baseline): Promise<Explored | undefined> {
    if (!this.#has('explore') || this.#isInterrupted) return undefined
    const { settings } = this.#task
    const { found, problem, isInterrupted } = await exploreSuite(
      this.#suite,
      baseline,
      {
        strength: 2,
        seed: settings.seed,
        choices: this.#choices,
        tries: 'mattering',
      },
      new Progress(process.stderr, 'exam: explore'),
    )
    this.#isInterrupted = isInterrupted
    this.#runs += found.runs - baseline.runs.length
    return {
      dependencies: found.dependencies,
      problem: isInterrupted ? undefined : problem?.message,
    }
  }
}

/** Writes the command that runs some checks again in the same way, for a shell. */
export function examLine(
  task: Pick<SuiteTask<unknown>, 'given' | 'words'> & {
    readonly options: Pick<ExaminerOptions, 'jobs' | 'junit' | 'patience'>
  },
  names: readonly string[],
): string {
  const { jobs, junit, patience: limitMs } = task.options
  return shellLine('exam', task, [
    ...(junit === undefined ? [] : ['--junit', junit]),
    ...(jobs === undefined ? [] : ['--jobs', String(jobs)]),
    ...(limitMs === undefined ? [] : ['--patience', formatDuration(limitMs)]),
    '--only',
    names.join(','),
  ])
}

/** Lists the checks of some names: those on operations once for each that the client calls. */
export function checksFor(
  names: readonly string[],
  { operations }: Pick<Baseline, 'operations'>,
): readonly CheckOf[] {
  return runCheckNames
    .filter((name) => names.includes(name))
    .flatMap((name): readonly CheckOf[] => {
      if (checks[name].per === 'suite') return [{ name, operation: undefined }]
      return [...operations].sort().map((operation) => ({ name, operation }))
    })
}

/**
 * Why a check would show nothing of the client.
 *
 * @param isAlone Whether the suite can't run several times at once.
 */
function obstacle(
  { name }: CheckOf,
  { operations }: Baseline,
  isAlone: boolean,
): string | undefined {
  const { needs, copies } = checks[name]
  if (needs !== 'any' && !operations.has(needs)) return `the client never calls ${needs}`
  return copies > 1 && isAlone ? 'the suite cannot run several times at once' : undefined
}

/** @param why Why it would show nothing; `undefined` for a check that it came not to. */
function ungraded(check: CheckOf, why: string | undefined): GradedCheck {
  return {
    ...check,
    grade: why === undefined ? 'not-run' : 'not-met',
    brief: why ?? '',
    suite: '',
    failure: undefined,
    output: undefined,
    client: [],
    complaints: [],
  }
}

/** Keeps what a run has printed where a file can be written. */
function keepOutput(title: string, output: string): string | undefined {
  if (output.trim() === '') return undefined
  const file = join(outputFolder, `${title.replaceAll(' ', '-')}.txt`)
  try {
    expectPlace(file)
    writeFile(file, output, 0o666)
    return file
  } catch (error) {
    if (error instanceof CliError) return undefined
    throw error
  }
}

/** @throws {@link CliError} with exit code 5 where the sandboxes of the runs saw nothing. */
function expectAsked(seen: readonly RunResult[]): readonly [RunResult, ...RunResult[]] {
  const [first, ...others] = seen.filter(({ requests }) => requests > 0)
  if (first !== undefined && others.length === seen.length - 1) return [first, ...others]
  throw new CliError(
    "Cannot examine the client: its requests are answered in the command's own process; send them to the address in PETSTORE_API_URL",
    5,
  )
}
