import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { wholeSuite } from '../../checks/assumptions/observation.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import type { CoverageFragment } from '../../checks/coverage/coverage-report.ts'
import { mergeFragments } from '../../checks/coverage/covered.ts'
import { configurationOf, type GapValue } from '../../checks/replay/choices.ts'
import { printable } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { formatDuration } from '../../mock/input/values.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { CliError } from '../cli-error.ts'
import { expectPlace, writeFile } from '../files.ts'
import { acceptedFindings, type FindingsResult } from '../findings.ts'
import { type CheckName, type CheckOptions, checkNames } from '../options.ts'
import { type Exception, readConfigFile } from '../serve/serve-settings.ts'
import { report } from '../terminal.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import {
  type Assumptions,
  exploreSuite,
  type KnownAssumption,
  readKnown,
  runNotes,
} from './assumptions.ts'
import {
  execLine,
  isGreen,
  limitedTo,
  offeredChoices,
  outcomeOf,
  Progress,
  runBaseline,
  secondsText,
  shellLine,
} from './baseline.ts'
import { type CheckResult, causesOf, checkReport, outputFolder } from './check-report.ts'
import { conditionNames, conditions } from './conditions.ts'
import { readFragments, shortfalls } from './exercised.ts'
import {
  type Baseline,
  baselineOf,
  type ConditionRun,
  type DoneRun,
  type GradedCondition,
  gradeConditions,
  resentIn,
  titleOf,
} from './grade.ts'
import {
  type AbandonedRequest,
  collectFrom,
  observeRun,
  observeServer,
  type RunResult,
  watchAbandoned,
} from './observer.ts'
import {
  type ConfigurationRun,
  Interrupted,
  type Suite,
  type SuiteTask,
  withSuite,
} from './suite.ts'

type Task = SuiteTask<CheckOptions>

/**
 * Runs a command beside a sandbox, once or under further conditions, and reports what its client does wrong.
 *
 * @returns The exit code: that of a command that fails, or 128 plus the number of the signal that ended it.
 * @throws {@link CliError} with exit code 4 if there is something to fix, and 5 if there is nothing to check.
 */
export async function check(task: Task, stdout: NodeJS.WritableStream): Promise<number> {
  const { options, settings } = task
  const expected = {
    exceptions: (await readConfigFile(settings.config)).exceptions,
    known: await readKnown(options.baseline),
  }
  expectReportPlaces(options.report)
  const write = (result: CheckResult): void => {
    writeReports(checkReport(result), options, stdout, process.env)
  }
  const conclude = (result: CheckResult): number => {
    try {
      write(result)
    } catch (error) {
      // The exit code of the command comes first.
      if (result.first?.passed !== false || !(error instanceof CliError)) throw error
      report(printable(error.message))
    }
    return exitCodeOf(result)
  }
  if (options.from.length > 0) return conclude(await resultOfFolders(task, expected))
  const covering = { ...task, settings: { ...settings, coverage: true } }
  return await withSuite(covering, async (suite, server) => {
    return conclude(await new Check(task, { suite, server, expected }).run())
  })
}

/** Exceptions and known assumptions, which don't count. */
interface Expected {
  readonly exceptions: readonly Exception[]
  readonly known: readonly KnownAssumption[]
}

/** @throws {@link CliError} with the exit code, unless it is that of the command. */
function exitCodeOf(result: CheckResult): number {
  const { first, causes, coverage } = result
  if (first?.passed === false) return first.code
  if (result.problem !== undefined) throw new CliError(result.problem, 5)
  const rules = causes.filter(({ grade }) => grade === 'fix').map(({ what }) => what)
  const short = coverage === undefined ? [] : shortfalls(coverage, result.minCoverage)
  if (result.isInterrupted || rules.length + short.length === 0) return 0
  const reasons = [...(rules.length === 0 ? [] : [`fix ${rules.join(', ')}`]), ...short]
  throw new CliError(`Cannot accept the client: ${reasons.join('; ')}`, 4)
}

/** Results of the first run, or those in folders. */
type FirstResults = Pick<
  CheckResult,
  'first' | 'requests' | 'findingsResult' | 'coverage' | 'minCoverage'
>

/** Evaluates the fragments of all sandboxes. */
function evaluate(
  fragments: readonly CoverageFragment[],
  { options }: Task,
  { exceptions }: Expected,
): Omit<FirstResults, 'first'> {
  const findings: readonly Finding[] = fragments.flatMap((one) => one.findings)
  // Exceptions are about code, and not about a sandbox: real time counts.
  const findingsResult: FindingsResult = acceptedFindings(
    findings,
    { exceptions, failOn: options['fail-on'], all: options.all },
    Date.now(),
  )
  return {
    requests: fragments.reduce((sum, { requests }) => sum + requests, 0),
    findingsResult,
    coverage: mergeFragments(fragments),
    minCoverage: options['min-coverage'],
  }
}

/** @throws {@link CliError} for folders without results. */
async function resultOfFolders(task: Task, expected: Expected): Promise<CheckResult> {
  const evaluated = evaluate(await readFragments(task.options.from), task, expected)
  return {
    ...{ ...evaluated, first: undefined, conditions: [], assumptions: undefined },
    causes: causesOf({ ...evaluated, conditions: [], assumptions: undefined }, task.options),
    ...{ problem: undefined, conditionsNote: undefined, runs: 0, time: '', tests: 0 },
    isInterrupted: false,
    isWhole: task.options.all,
    commandFor: () => '',
  }
}

/** Time limit of a run as a multiple of the longest baseline run, and its minimum in milliseconds. */
const limits = { times: 3, minMs: 10_000 } as const

/** A run of one suite counts as one client, whatever its connections. */
const asOneClient = { oneClient: true } as const

/** Each copy of a suite counts as a client, even if their requests never overlap. */
const asSeveral = { oneClient: false } as const

const inProcess =
  'The tests use sandboxes in their own process. Failure conditions need a client that sends its requests to the address in PETSTORE_API_URL.'

/** Conditions that share a run. */
type Unit = readonly ConditionRun[]

/** Results of a unit, and the units to run for what it did not show. */
interface UnitResult {
  readonly done: readonly DoneRun[]
  readonly rest: readonly Unit[]
}

/** Runs a command beside a sandbox, then under conditions, one by one or several at a time, until it is interrupted. */
class Check {
  readonly #task: Task
  readonly #suite: Suite
  readonly #server: RunningServer
  readonly #expected: Expected
  /** Rules whose findings don't count. */
  readonly #excepted: ReadonlySet<string>
  readonly #choices: readonly GapValue[]
  readonly #startedAt = performance.now()
  readonly #names: readonly CheckName[]
  #runs = 0
  #tests = 0
  #isInterrupted = false

  constructor(
    task: Task,
    run: { readonly suite: Suite; readonly server: RunningServer; readonly expected: Expected },
  ) {
    this.#task = task
    this.#suite = run.suite
    this.#server = run.server
    this.#expected = run.expected
    const { exceptions } = run.expected
    const inForce = exceptions.filter(({ until }) => until === undefined || until > Date.now())
    this.#excepted = new Set(inForce.map(({ rule }) => rule))
    const { thorough } = task.options
    this.#choices = offeredChoices(task.settings, thorough ? 'all' : 'promised')
    this.#names = namesFor(task.options)
  }

  /** @throws {@link Interrupted} before there are any results. */
  async run(): Promise<CheckResult> {
    rmSync(outputFolder, { recursive: true, force: true })
    const isMore = this.#names.some((name) => name !== 'baseline')
    const { first, baseline, problem } = isMore ? await this.#start() : await this.#runAlone()
    const hasBaseline = this.#has('baseline')
    const silent =
      first.requests > 0
        ? undefined
        : 'Cannot check the client: no request reached a sandbox; send requests to the address in PETSTORE_API_URL, or use the fixtures for Vitest, Jest or Playwright'
    const further = baseline === undefined ? none : await this.#runMore(baseline)
    const shown = {
      ...{ ...first, conditions: further.conditions, assumptions: further.assumptions },
      findingsResult: hasBaseline ? first.findingsResult : undefined,
      coverage: hasBaseline ? first.coverage : undefined,
    }
    return {
      ...shown,
      causes: causesOf(shown, this.#task.options),
      problem: problem ?? silent ?? further.problem,
      conditionsNote: further.conditionsNote,
      runs: this.#runs,
      time: secondsText(performance.now() - this.#startedAt),
      tests: this.#tests,
      isInterrupted: this.#isInterrupted,
      isWhole: this.#task.options.all,
      commandFor: (names) => checkLine(this.#task, names),
    }
  }

  #has(name: CheckName): boolean {
    return this.#names.includes(name)
  }

  /** Runs the command once, beside the server's own sandbox. */
  async #runAlone(): Promise<StartResult> {
    const one = await this.#runPlain({ isShown: true, isAlone: true })
    this.#tests = [...one.run.results.keys()].filter((name) => name !== wholeSuite).length
    return { first: this.#firstOf(one), baseline: undefined, problem: undefined }
  }

  /** Runs the command twice, at once if possible, each time with a sandbox of its own. */
  async #start(): Promise<StartResult> {
    const all: PlainRun[] = []
    const { problem, ...runs } = await runBaseline(
      this.#suite,
      async (isFirst) => {
        const one = await this.#runPlain({ isShown: isFirst, isAlone: false })
        all.push(one)
        return one.run
      },
      this.#task.options,
    )
    this.#tests = runs.tests
    // Runs that interfered with each other were repeated.
    const [one, ...others] = runs.runs.flatMap(
      (run) => all.find((other) => other.run === run) ?? [],
    )
    if (one === undefined) throw new Error('Cannot evaluate a run: there is none')
    const green = [one, ...others].find(({ run }) => isGreen(run))
    const baseline = baselineOf(runs, [one.seen, ...others.map(({ seen }) => seen)])
    return {
      first: this.#firstOf(green ?? one),
      baseline: problem === undefined ? baseline : undefined,
      problem: green === undefined ? undefined : problem,
    }
  }

  /** Runs the command without any condition. */
  async #runPlain(how: {
    readonly isShown: boolean
    readonly isAlone: boolean
  }): Promise<PlainRun> {
    const clients = how.isAlone ? {} : asOneClient
    let resultOf: Awaited<ReturnType<typeof observeRun>> | undefined
    let collect: (() => Promise<readonly CoverageFragment[]>) | undefined
    let seen: RunResult | undefined
    let fragments: readonly CoverageFragment[] = []
    const [run] = await this.#suite.run([], {
      ...how,
      offered: how.isAlone ? [] : this.#choices,
      prepare: async (sandbox) => {
        collect = how.isAlone
          ? await observeServer(this.#server, clients)
          : async () => [await collectFrom(sandbox, clients)]
        resultOf = await observeRun(sandbox, { excepted: this.#excepted })
      },
      conclude: async () => {
        fragments = (await collect?.()) ?? []
        seen = await resultOf?.(asOneClient)
      },
    })
    this.#runs++
    if (seen === undefined) throw new Error('Cannot grade a run: its sandbox was not prepared')
    return { run, seen, fragments: [...fragments, ...run.fragments] }
  }

  #firstOf({ run, fragments }: PlainRun): FirstResults {
    const passed = isGreen(run)
    const { code } = run.command
    const first = {
      passed,
      code: code === 0 && !passed ? 1 : code,
      failure: passed ? '' : outcomeOf(run),
    }
    return { ...evaluate(fragments, this.#task, this.#expected), first }
  }

  /** Runs the requested checks beyond the baseline. */
  async #runMore(baseline: Baseline): Promise<FurtherResults> {
    const wanted = conditionNames.filter((name) => this.#has(name))
    const isServed = baseline.requests > 0
    try {
      return {
        conditions: isServed && wanted.length > 0 ? await this.#runConditions(baseline) : [],
        conditionsNote: isServed || wanted.length === 0 ? undefined : inProcess,
        ...(await this.#explore(baseline)),
      }
    } catch (error) {
      if (error instanceof CliError && error.exitCode === 5) {
        return { ...none, problem: error.message }
      }
      throw error
    }
  }

  async #runConditions(baseline: Baseline): Promise<readonly GradedCondition[]> {
    const { jobs, areDisturbed } = baseline
    const isAlone = areDisturbed || this.#task.options.jobs === 1
    const wanted = conditionNames
      .filter((name) => this.#has(name))
      .map((name): ConditionRun => {
        const isOfSuite = conditions[name].per === 'suite'
        return { name, operations: isOfSuite ? [] : [...baseline.operations].sort() }
      })
    const skipped = new Map<string, string>()
    for (const one of wanted) {
      const why = obstacle(one, baseline, isAlone)
      if (why !== undefined) skipped.set(one.name, why)
    }
    const able = wanted.filter(({ name }) => !skipped.has(name))
    const done: DoneRun[] = []
    const progress = new Progress(process.stderr, 'check')
    let left = 0
    const show = (): void => {
      const eachMs = done.length < jobs ? baseline.ms : undefined
      progress.show({ done: done.length, left, jobs, unit: 'condition', eachMs })
    }
    const atOnce = limitedTo(jobs)
    const run = async (unit: Unit): Promise<void> => {
      const result = await atOnce(() => this.#runUnit(unit, baseline))
      done.push(...result.done)
      left += result.rest.flat().length - unit.length
      show()
      await Promise.all(result.rest.map(run))
    }
    const runAll = async (units: readonly Unit[]): Promise<void> => {
      left = units.flat().length
      if (left > 0) show()
      await Promise.all(units.map(run))
    }
    const isLater = ({ name }: ConditionRun): boolean => {
      const { afterRetry, impliedBy } = conditions[name]
      return able.some((one) => afterRetry.includes(one.name) || impliedBy.includes(one.name))
    }
    await runAll(unitsOf(able.filter((one) => !isLater(one))))
    const implied: GradedCondition[] = []
    const later = able.filter(isLater).filter((one) => {
      if (this.#isInterrupted) return false
      const { afterRetry, impliedBy } = conditions[one.name]
      const shown = shownBy(impliedBy, done, baseline)
      if (shown !== undefined) {
        implied.push({ ...ungraded(one, `no other than ${impliedBy.join(', ')}`), grade: shown })
        return false
      }
      const isRetried =
        afterRetry.length === 0 ||
        done.some((run) => afterRetry.includes(run.name) && hasRetried(run, baseline))
      if (isRetried) return true
      skipped.set(one.name, `the client retries nothing after ${afterRetry.join(', ')}`)
      return false
    })
    await runAll(unitsOf(later))
    progress.clear()
    const graded = [...gradeConditions(done, baseline, keepOutput), ...implied]
    return wanted.flatMap((one) => {
      const own = graded.filter(({ name }) => name === one.name)
      return own.length > 0 ? own : [ungraded(one, skipped.get(one.name))]
    })
  }

  /** Runs the suite under conditions that share a run; what it doesn't show is left to runs with fewer conditions. */
  async #runUnit(unit: Unit, baseline: Baseline): Promise<UnitResult> {
    const nothing = { done: [], rest: [] }
    if (this.#isInterrupted) return nothing
    let done: readonly DoneRun[]
    try {
      done = await this.#runOnce(unit, baseline)
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      this.#isInterrupted = true
      return nothing
    }
    const [only, ...others] = done
    if (only === undefined) return nothing
    const isGood = gradeConditions(done, baseline).every(
      ({ complaints }) => complaints.length === 0,
    )
    const isPassing = only.runs.every(isGreen)
    if (others.length > 0) {
      // Any of several conditions may have made a test fail.
      return isGood && isPassing ? { done, rest: [] } : { done: [], rest: unit.map((one) => [one]) }
    }
    const { name, operations } = only
    if (operations.length < 2 || (isGood && isPassing)) return { done, rest: [] }
    const singly = operations.map((operation): Unit => [{ name, operations: [operation] }])
    const met = operations.filter((operation) => metIn(only, operation) > 0)
    if (!isGood || met.length === 0) return { done: [], rest: singly }
    const unmet = operations.filter((operation) => !met.includes(operation))
    return {
      done: [{ ...only, operations: met }],
      rest: unmet.length === 0 ? [] : [[{ name, operations: unmet }]],
    }
  }

  async #runOnce(unit: Unit, baseline: Baseline): Promise<readonly DoneRun[]> {
    const rows = unit.map(({ name }) => conditions[name])
    const copies = Math.max(...rows.map((one) => one.copies))
    const moreMs = rows.reduce((sum, one) => sum + one.moreMs, 0)
    // A client waits once for each operation.
    const waits = rows.some(({ isSilent }) => isSilent)
      ? unit.reduce((sum, { operations }) => sum + operations.length - 1, 0)
      : 0
    const limitMs =
      this.#task.options.timeout ??
      Math.max(baseline.ms * limits.times, limits.minMs) * copies + waits * limits.minMs + moreMs
    const parts = unit.flatMap((one) =>
      partsOf(one).map((operation) => ({ name: one.name, operation })),
    )
    let resultOf: Awaited<ReturnType<typeof observeRun>> | undefined
    let seen: RunResult | undefined
    let stopWatching: ReturnType<typeof watchAbandoned> | undefined
    let abandoned: readonly AbandonedRequest[] = []
    const runs = await this.#suite.run(configurationOf(rows.flatMap(({ gaps }) => gaps)), {
      limitMs,
      copies,
      prepare: async (sandbox, path) => {
        const set = (): void => {
          for (const { name, operation } of parts) {
            conditions[name].set(sandbox, { operation, requests: baseline.requests })
          }
        }
        resultOf = await observeRun(sandbox, {
          excepted: this.#excepted,
          conditions: parts.map(({ name, operation }) => ({
            title: partTitle(name, operation),
            isMet: (request) =>
              (operation === undefined || request.operation === operation) &&
              conditions[name].isMet(request),
            onMet: () => conditions[name].afterwards?.(sandbox),
          })),
          onReset: set,
        })
        set()
        if (rows.some(({ isSilent }) => isSilent)) stopWatching = watchAbandoned(path)
      },
      onEnd: (at) => {
        abandoned = stopWatching?.(at) ?? []
      },
      conclude: async () => {
        seen = await resultOf?.(copies === 1 ? asOneClient : asSeveral)
      },
    })
    this.#runs += runs.length
    if (seen === undefined) throw new Error('Cannot grade a run: its sandbox was not prepared')
    const result = seen
    return unit.map(({ name, operations }) => {
      const titles = partsOf({ name, operations }).map((operation) => partTitle(name, operation))
      const met = titles.reduce((sum, title) => sum + (result.met.get(title) ?? 0), 0)
      return { name, operations, runs, seen: result, met, abandoned }
    })
  }

  async #explore(baseline: Baseline): Promise<Pick<FurtherResults, 'assumptions' | 'problem'>> {
    if (this.#isInterrupted || !this.#has('assumptions')) {
      return { assumptions: undefined, problem: undefined }
    }
    const isAlone = this.#names.length === 1
    const { settings, options } = this.#task
    const strength = options.strength ?? (options.thorough ? 2 : 1)
    const { found, slow, problem, isInterrupted } = await exploreSuite(
      this.#suite,
      baseline,
      {
        strength: strength === 3 ? 3 : strength === 2 ? 2 : 1,
        seed: settings.seed,
        choices: this.#choices,
        tries: options.thorough ? 'all' : 'relevantValues',
      },
      new Progress(process.stderr, 'check'),
    )
    this.#isInterrupted = isInterrupted
    this.#runs += found.runs - baseline.runs.length
    const why = isInterrupted ? undefined : problem?.message
    const assumptions: Assumptions = {
      found,
      tests: baseline.tests,
      known: this.#expected.known,
      notes: runNotes(baseline.areDisturbed, slow, this.#suite.strays()),
      problem: why,
      isInterrupted,
      grade: isAlone ? 'fix' : 'review',
      commandFor: (row) => execLine(this.#task, row),
    }
    return { assumptions, problem: isAlone ? why : undefined }
  }
}

/** Run without any condition, and the requests to its sandboxes. */
interface PlainRun {
  readonly run: ConfigurationRun
  readonly seen: RunResult
  readonly fragments: readonly CoverageFragment[]
}

/** Result of the runs without any condition. */
interface StartResult {
  readonly first: FirstResults
  /** Baseline for further runs; `undefined` if there are none. */
  readonly baseline: Baseline | undefined
  readonly problem: string | undefined
}

/** Results of the runs beyond the first. */
type FurtherResults = Pick<CheckResult, 'conditions' | 'assumptions' | 'problem' | 'conditionsNote'>

const none: FurtherResults = {
  conditions: [],
  assumptions: undefined,
  problem: undefined,
  conditionsNote: undefined,
}

/**
 * Lists the requested checks.
 *
 * @throws {@link CliError} if no check is left.
 */
function namesFor({ full, assumptions, only, skip }: CheckOptions): readonly CheckName[] {
  const isFull = full || only !== undefined || skip.length > 0
  const requested: readonly CheckName[] = isFull
    ? (only ?? checkNames)
    : assumptions
      ? ['assumptions']
      : ['baseline']
  const names = checkNames.filter((name) => requested.includes(name) && !skip.includes(name))
  if (names.length > 0) return names
  throw new CliError('Cannot check the client: no check is left; change --only or --skip', 2)
}

/** Groups conditions into units: those that a good client passes share a run. */
function unitsOf(runs: readonly ConditionRun[]): readonly Unit[] {
  const harmless = runs.filter(({ name }) => conditions[name].isHarmless)
  const alone = runs.filter((one) => !harmless.includes(one)).map((one): Unit => [one])
  return harmless.length === 0 ? alone : [...alone, harmless]
}

/** Returns the operations of a condition; one that is `undefined` for a condition of the suite. */
function partsOf({ operations }: ConditionRun): readonly (OperationName | undefined)[] {
  return operations.length === 0 ? [undefined] : operations
}

/** Returns the name of a condition of one operation, or of the suite. */
function partTitle(name: ConditionRun['name'], operation: OperationName | undefined): string {
  return titleOf({ name, operations: operation === undefined ? [] : [operation] })
}

function metIn({ name, seen }: DoneRun, operation: OperationName): number {
  return seen.met.get(partTitle(name, operation)) ?? 0
}

/** Returns whether the client has retried a request. */
function hasRetried({ name, seen }: DoneRun, baseline: Baseline): boolean {
  return resentIn(seen, baseline, conditions[name].copies).size > 0
}

/** Returns the common grade of conditions; `undefined` if there is a complaint, or if one did not run. */
function shownBy(
  names: readonly string[],
  done: readonly DoneRun[],
  baseline: Baseline,
): 'passed' | 'info' | undefined {
  const own = gradeConditions(
    done.filter(({ name }) => names.includes(name)),
    baseline,
  )
  const isWhole = names.every((name) => own.some((one) => one.name === name))
  if (names.length === 0 || !isWhole) return undefined
  if (own.some(({ complaints }) => complaints.length > 0)) return undefined
  return own.every(({ grade }) => grade === 'passed') ? 'passed' : 'info'
}

/** Writes a shell command that runs some checks again in the same way. */
export function checkLine(
  task: Pick<Task, 'given' | 'words'> & {
    readonly options: Pick<CheckOptions, 'jobs' | 'junit' | 'timeout'>
  },
  names: readonly string[],
): string {
  const { jobs, junit, timeout } = task.options
  const isFirst = names.every((name) => name === 'baseline')
  return shellLine('check', task, [
    ...(junit === undefined ? [] : ['--junit', junit]),
    ...(jobs === undefined ? [] : ['--jobs', String(jobs)]),
    ...(timeout === undefined ? [] : ['--timeout', formatDuration(timeout)]),
    ...(isFirst ? [] : ['--only', names.join(',')]),
  ])
}

/**
 * Returns why a condition would show nothing about the client; `undefined` if it can show something.
 *
 * @param isAlone Whether the suite can't run several times at once.
 */
function obstacle(
  { name, operations: own }: ConditionRun,
  { operations, isOfPage }: Baseline,
  isAlone: boolean,
): string | undefined {
  const { needs, copies, per } = conditions[name]
  if (needs === 'page') return isOfPage ? undefined : 'no page of another origin calls the API'
  if (needs !== 'any' && !operations.has(needs)) return `the client never calls ${needs}`
  if (per === 'operation' && own.length === 0) return 'the client calls no operation'
  return copies > 1 && isAlone ? 'the suite cannot run several times at once' : undefined
}

/** @param why Reason why it would show nothing; `undefined` for a condition that was interrupted. */
function ungraded(run: ConditionRun, why: string | undefined): GradedCondition {
  return {
    ...run,
    grade: why === undefined ? 'not-run' : 'not-triggered',
    summary: why ?? '',
    suite: '',
    failure: undefined,
    output: undefined,
    client: [],
    complaints: [],
  }
}

/** Saves the output of a run if a file can be written. */
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
