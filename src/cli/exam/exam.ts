import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseGaps } from '../../contract/gap-settings.ts'
import { unpromisedGaps } from '../../contract/openapi/gap-descriptions.ts'
import { type GapChoice, otherChoices } from '../../explore/choices.ts'
import { Explorer } from '../../explore/suite/explorer.ts'
import { formatDuration } from '../../input/duration.ts'
import { badgeSvg } from '../../reports/formats.ts'
import type { Exception } from '../audit/verdict.ts'
import { CliError } from '../cli-error.ts'
import { execLine, shellLine } from '../explore/explore-report.ts'
import { Commands } from '../explore/suite/commands.ts'
import { Interrupted, Interruption, Progress, RowRuns } from '../explore/suite/row-runs.ts'
import { RowServer } from '../explore/suite/row-server.ts'
import { type RowRun, SuiteRunner } from '../explore/suite/suite-runner.ts'
import { expectSteady, type UsualRuns, usualRuns } from '../explore/suite/usual-runs.ts'
import { expectPlace, writeFile } from '../files.ts'
import { type CheckName, checkNames, type ExaminerOptions, runCheckNames } from '../options.ts'
import { readExceptions, type ServeSettings } from '../serve/serve-settings.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import { checks } from './checks.ts'
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
import { type UnansweredRequest, UnansweredRequests } from './unanswered-requests.ts'
import { type Testimony, Witness } from './witness.ts'

/** What is examined, and how. */
export interface ExamTask {
  readonly options: ExaminerOptions
  readonly settings: ServeSettings
  /** The options of the sandboxes as they were given, for the lines that run a check again. */
  readonly given: Readonly<Record<string, string>>
  readonly words: readonly string[]
}

/**
 * Runs a command in many situations, and reports how the client in it gets through them.
 *
 * @returns The exit code: 0, 4 if there is something to fix, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 5 when the command can't be examined.
 */
export async function exam(task: ExamTask, stdout: NodeJS.WritableStream): Promise<number> {
  const { options, settings, words } = task
  if ((words[0] ?? '') === '') {
    throw new CliError('Cannot run exam: the command is missing; use exam [options] -- COMMAND', 2)
  }
  const excepted = rulesOf(await readExceptions(settings.config), Date.now())
  expectReportPlaces(options.report)
  if (options.badge !== undefined) expectPlace(options.badge)
  const commands = new Commands()
  const server = await RowServer.start({ ...settings, coverage: true })
  const suiteFor = (offered: readonly GapChoice[]): SuiteRunner =>
    new SuiteRunner({ words, junit: options.junit, server, commands, offered })
  const [comparing, plain] = [suiteFor(choicesBeside(settings)), suiteFor([])]
  const interruption = new Interruption(() => commands.stop())
  try {
    const examination = new Examination(task, { excepted, comparing, plain, server })
    const result = await examination.run()
    writeReports(examReport(result), options.report, stdout, process.env)
    if (options.badge !== undefined)
      writeFile(options.badge, `${badgeSvg(examBadge(result))}\n`, 0o666)
    return interruption.code ?? (result.causes.some(({ grade }) => grade === 'fix') ? 4 : 0)
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error
    // Before the baseline runs have ended nothing is known.
    return interruption.code ?? 1
  } finally {
    commands.stop()
    interruption.end()
    await server.stop()
    comparing.clear()
    plain.clear()
  }
}

/** @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox. */
function rulesOf(exceptions: readonly Exception[], now: number): ReadonlySet<string> {
  const inForce = exceptions.filter(({ until }) => until === undefined || until > now)
  return new Set(inForce.map(({ rule }) => rule))
}

/** The choices that the check `explore` tries: as `explore` does by default. */
function choicesBeside({ gap: set }: ServeSettings): readonly GapChoice[] {
  return otherChoices(parseGaps(set)).filter(
    ({ gap }) => !Object.hasOwn(set, gap) && !unpromisedGaps.includes(gap),
  )
}

/** What an examination works with. */
interface ExaminationTools {
  /** The rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** Runs the suite, and compares what other choices would have changed. */
  readonly comparing: SuiteRunner
  /** Runs the suite. */
  readonly plain: SuiteRunner
  readonly server: RowServer
}

/** The runs at the defaults, and what was seen of them. */
interface Start {
  readonly runs: UsualRuns
  readonly baseline: Baseline
}

/** The checks without which a client has passed only in part. */
const neededNames: readonly CheckName[] = ['manners', ...runCheckNames]

/** How much longer than a baseline run another may take, and how long at least, in milliseconds. */
const patience = { times: 3, leastMs: 10_000 } as const

/** Each run is judged as one client, whatever its connections. */
const asOneClient = { oneClient: true } as const

/** Runs checks, one after the other or several at a time, until it is interrupted. */
class Examination {
  readonly #task: ExamTask
  readonly #tools: ExaminationTools
  readonly #startedAt = performance.now()
  readonly #names: readonly CheckName[]
  #runs = 0
  #isInterrupted = false

  constructor(task: ExamTask, tools: ExaminationTools) {
    this.#task = task
    this.#tools = tools
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
    const { given, words } = this.#task
    const parts = { options: given, words }
    rmSync(outputFolder, { recursive: true, force: true })
    const start = await this.#start()
    const { baseline } = start
    const graded = await this.#runChecks(start)
    const explored = await this.#explore(start)
    const findings = baseline.findings.map(({ finding }) => finding)
    const shown = {
      checks: graded,
      manners: this.#has('manners') ? findings : undefined,
      explored,
    }
    const seconds = Math.max(Math.round((performance.now() - this.#startedAt) / 1_000), 1)
    return {
      ...shown,
      coverage: this.#has('coverage') ? baseline.coverage : undefined,
      causes: causesOf(shown, (row) => execLine(parts, row)),
      runs: this.#runs,
      time: formatDuration(seconds * 1_000),
      tests: baseline.tests,
      isInterrupted: this.#isInterrupted,
      isPartial: !neededNames.every((name) => this.#has(name)),
      commandFor: (names) => shellLine('exam', parts, ['--only', names.join(',')]),
    }
  }

  #has(name: CheckName): boolean {
    return this.#names.includes(name)
  }

  async #start(): Promise<Start> {
    const { comparing, excepted, server } = this.#tools
    const { options } = this.#task
    const witnesses: Witness[] = []
    const run = async (): Promise<RowRun> => {
      const [result] = await comparing.runTogether([], {
        prepare: async ({ sandbox }) => {
          witnesses.push(
            await Witness.of(sandbox, { excepted, isMet: () => true, onMet() {}, onReset() {} }),
          )
        },
      })
      if (result.command.end === 'stopped') throw new Interrupted()
      this.#runs++
      return result
    }
    const cannot = 'Cannot examine the client'
    const suite = { run, strays: () => server.strays(), cannot }
    const runs = await usualRuns(suite, jobsOf(options), options.junit)
    // Runs that disturbed each other were done again.
    const seen = await Promise.all(witnesses.slice(-2).map((one) => one.testify(asOneClient)))
    return { runs, baseline: baselineOf(runs.runs, expectAsked(seen)) }
  }

  async #runChecks({ runs, baseline }: Start): Promise<readonly GradedCheck[]> {
    const { jobs, areDisturbed } = runs
    const all = checksFor(this.#names, baseline)
    const isAlone = areDisturbed || this.#task.options.jobs === 1
    const obstacleTo = (one: CheckOf): string | undefined => obstacle(one, baseline, isAlone)
    const waiting = all.filter((one) => obstacleTo(one) === undefined)
    const done: DoneCheck[] = []
    const progress = new Progress(process.stderr, 'exam')
    const count = waiting.length
    const show = (): void => {
      const estimate = done.length < jobs ? { eachMs: baseline.ms } : {}
      const left = count - done.length
      progress.show({ done: done.length, left, jobs, unit: 'check', ...estimate })
    }
    if (count > 0) show()
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const one = await this.#runCheck(next, baseline)
        if (one.runs.some(({ command }) => command.end === 'stopped')) {
          waiting.length = 0
        } else {
          done.push(one)
          show()
        }
      }
    }
    await Promise.all(Array.from({ length: jobs }, work))
    progress.clear()
    if (done.length < count) this.#isInterrupted = true
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
    let witness: Witness | undefined
    let watch: UnansweredRequests | undefined
    let unanswered: readonly UnansweredRequest[] = []
    const runs = await this.#tools.plain.runTogether(check.gaps, {
      limitMs,
      copies: check.copies,
      prepare: async ({ sandbox, name: sandboxName }) => {
        const set = (): void => check.set(sandbox, { operation, requests: baseline.requests })
        witness = await Witness.of(sandbox, {
          excepted: this.#tools.excepted,
          isMet: check.isMet,
          onMet: () => check.afterwards?.(sandbox),
          onReset: set,
        })
        set()
        if (check.isSilent) watch = new UnansweredRequests(`/sandboxes/${sandboxName}`)
      },
      onEnd: (at) => {
        unanswered = watch?.end(at) ?? []
      },
    })
    this.#runs += runs.length
    if (witness === undefined) throw new Error('Cannot judge a run: its sandbox was not prepared')
    const seen = await witness.testify(check.copies === 1 ? asOneClient : {})
    return { name, operation, runs, seen, unanswered }
  }

  async #explore({ runs: { runs, jobs } }: Start): Promise<Explored | undefined> {
    if (!this.#has('explore') || this.#isInterrupted) return undefined
    const { comparing } = this.#tools
    const { settings } = this.#task
    const rows = new RowRuns(comparing)
    rows.prepare(runs, jobs)
    const explorer = new Explorer({
      strength: 2,
      seed: settings.seed,
      choices: choicesBeside(settings),
      tries: 'mattering',
      usual: runs,
      run: (row) => rows.run(row),
    })
    const progress = new Progress(process.stderr, 'exam: explore')
    let problem: string | undefined
    try {
      do progress.show({ done: explorer.runs, left: explorer.left, jobs })
      while (await explorer.round())
      expectSteady(explorer.found, runs)
    } catch (error) {
      if (error instanceof Interrupted) this.#isInterrupted = true
      else if (error instanceof CliError) problem = error.message
      else throw error
    }
    progress.clear()
    this.#runs += explorer.runs - runs.length
    return { dependencies: explorer.found.dependencies, problem }
  }
}

/** Runs that write the same file follow each other. */
function jobsOf({ jobs, junit }: ExaminerOptions): number | undefined {
  return junit === undefined || junit.includes('{row}') ? jobs : 1
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
function expectAsked(seen: readonly Testimony[]): readonly [Testimony, ...Testimony[]] {
  const [first, ...others] = seen.filter(({ requests }) => requests > 0)
  if (first !== undefined && others.length === seen.length - 1) return [first, ...others]
  throw new CliError(
    "Cannot examine the client: its requests are answered in the command's own process; send them to the address in PETSTORE_URL",
    5,
  )
}
