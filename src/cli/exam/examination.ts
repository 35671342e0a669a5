import { performance } from 'node:perf_hooks'
import type { GapChoice } from '../../explore/other-choices.ts'
import { Explorer } from '../../explore/suite/explorer.ts'
import type { Row } from '../../explore/suite/row.ts'
import { formatDuration } from '../../input/duration.ts'
import { Interrupted } from '../explore/interruption.ts'
import type { Progress } from '../explore/progress.ts'
import { RowRuns } from '../explore/suite/row-runs.ts'
import type { RowRun, SuiteRunner } from '../explore/suite/suite-runner.ts'
import { expectSteady, type UsualRuns, usualRuns } from '../explore/suite/usual-runs.ts'
import { CliError } from '../terminal/cli-error.ts'
import type { ExaminerOptions } from './exam-options.ts'
import type { ExamResult } from './exam-report.ts'
import { type GradedPaper, gradePapers, type PaperOf, type SatPaper, titleOf } from './grade.ts'
import { causesOf, complaining } from './mend-first.ts'
import { missingFor, PaperRuns, papersOf } from './paper-runs.ts'
import { type PaperName, paperNames, runPaperNames } from './papers/paper-names.ts'
import { dependencyComplaints, type Explored, mannerComplaints } from './side-items.ts'
import { type Usual, usualOf } from './usual.ts'
import { type Testimony, Witness } from './witness.ts'

/** What an examination works with. */
interface ExaminationParts {
  readonly options: ExaminerOptions
  readonly seed: number
  /** The rules whose findings don't count. */
  readonly excepted: ReadonlySet<string>
  /** The choices that the paper `explore` tries. */
  readonly choices: readonly GapChoice[]
  /** Runs the suite, and compares what other choices would have changed. */
  readonly comparing: SuiteRunner
  /** Runs the suite. */
  readonly plain: SuiteRunner
  readonly strays: () => number
  readonly progressOf: (name: string) => Progress
  /** Writes the command that sets some papers again. */
  readonly commandFor: (names: readonly string[]) => string
  /** Writes the command that runs the suite under a row. */
  readonly execFor: (row: Row) => string
}

/** The runs at the defaults, and what was seen of them. */
interface Start {
  readonly runs: UsualRuns
  readonly usual: Usual
}

/** Sets papers to a suite, one after the other or several at a time, until it is interrupted. */
export class Examination {
  readonly #parts: ExaminationParts
  readonly #startedAt = performance.now()
  readonly #names: readonly PaperName[]
  #runs = 0
  #isInterrupted = false

  constructor(parts: ExaminationParts) {
    this.#parts = parts
    const { only = paperNames, skip } = parts.options
    this.#names = paperNames.filter((name) => only.includes(name) && !skip.includes(name))
    if (this.#names.length > 0) return
    throw new CliError('Cannot examine the client: no paper is left; change --only or --skip', 2)
  }

  /**
   * Sets all papers.
   *
   * @throws {@link CliError} with exit code 5 when the suite can't be examined; {@link Interrupted} before anything is known.
   */
  async run(): Promise<ExamResult> {
    const start = await this.#start()
    const { usual } = start
    const { commandFor, execFor } = this.#parts
    const graded = await this.#setPapers(start)
    const explored = await this.#explore(start)
    const manners = this.#has('manners') ? usual.findings.map(({ finding }) => finding) : undefined
    return {
      papers: graded,
      manners,
      coverage: this.#has('coverage') ? usual.coverage : undefined,
      explored,
      causes: causesOf([
        { title: 'manners', complaints: mannerComplaints(manners ?? []) },
        ...graded.map(complaining),
        {
          title: 'explore',
          complaints: dependencyComplaints(explored?.dependencies ?? [], execFor),
        },
      ]),
      runs: this.#runs,
      time: this.#time(),
      tests: usual.tests,
      isInterrupted: this.#isInterrupted,
      isPartial: !neededNames.every((name) => this.#has(name)),
      commandFor,
    }
  }

  #has(name: PaperName): boolean {
    return this.#names.includes(name)
  }

  #time(): string {
    const seconds = Math.max(Math.round((performance.now() - this.#startedAt) / 1_000), 1)
    return formatDuration(seconds * 1_000)
  }

  async #start(): Promise<Start> {
    const { comparing, excepted, options, strays } = this.#parts
    const witnesses: Witness[] = []
    const run = async (): Promise<RowRun> => {
      const result = await comparing.run([], undefined, async (sandbox) => {
        witnesses.push(
          await Witness.of(sandbox, { excepted, isMet: () => true, onMet() {}, onReset() {} }),
        )
      })
      if (result.command.end === 'stopped') throw new Interrupted()
      this.#runs++
      return result
    }
    const runs = await usualRuns({ run, strays }, jobsOf(options), options.junit).catch(
      inWordsOfExam,
    )
    // Runs that disturbed each other were done again.
    const seen = await Promise.all(witnesses.slice(-2).map((one) => one.testify()))
    return { runs, usual: usualOf(runs.runs, expectAsked(seen)) }
  }

  async #setPapers({ runs, usual }: Start): Promise<readonly GradedPaper[]> {
    const { jobs } = runs
    const all = papersOf(this.#names, usual)
    const list = all.filter((one) => missingFor(one, usual) === undefined)
    const sat: SatPaper[] = []
    const progress = this.#parts.progressOf('exam')
    const show = (): void => {
      const done = sat.length
      const estimate = done < jobs ? { eachMs: usual.ms } : {}
      progress.show({ done, left: list.length - done, jobs, unit: 'paper', ...estimate })
    }
    if (list.length > 0) show()
    const { plain, excepted } = this.#parts
    await new PaperRuns(plain, usual, excepted).all(list, jobs, (one) => {
      this.#runs++
      sat.push(one)
      show()
    })
    progress.clear()
    if (sat.length < list.length) this.#isInterrupted = true
    const graded = new Map(gradePapers(sat, usual).map((one) => [titleOf(one), one]))
    return all.map((one) => graded.get(titleOf(one)) ?? ungraded(one, missingFor(one, usual)))
  }

  async #explore({ runs: { runs, jobs } }: Start): Promise<Explored | undefined> {
    if (!this.#has('explore') || this.#isInterrupted) return undefined
    const { comparing, seed, choices, progressOf } = this.#parts
    const rows = new RowRuns(comparing)
    rows.prepare(runs, jobs)
    const explorer = new Explorer({
      strength: 2,
      seed,
      choices,
      tries: 'mattering',
      usual: runs,
      run: (row) => rows.run(row),
    })
    const progress = progressOf('exam: explore')
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

/** The papers without which a client has passed only in part. */
const neededNames: readonly PaperName[] = ['manners', ...runPaperNames]

/** Runs that write the same file follow each other. */
function jobsOf({ jobs, junit }: ExaminerOptions): number | undefined {
  return junit === undefined || junit.includes('{row}') ? jobs : 1
}

/** @param missing The operation that the client doesn't call; `undefined` for a paper that it came not to. */
function ungraded(paper: PaperOf, missing: string | undefined): GradedPaper {
  const nothing = { ...paper, suite: '', client: [], complaints: [] }
  if (missing === undefined) return { ...nothing, grade: 'not run', brief: '' }
  return { ...nothing, grade: 'not met', brief: `the client never calls ${missing}` }
}

/** Says of an exam what an exploration says of itself. */
function inWordsOfExam(error: unknown): never {
  if (!(error instanceof CliError)) throw error
  throw new CliError(
    error.message.replace(/^Cannot explore:/, 'Cannot examine the client:'),
    error.exitCode,
  )
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
