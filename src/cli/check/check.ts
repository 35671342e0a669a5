import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { wholeSuite } from '../../checks/assumptions/assumption-search.ts'
import type { CoverageFragment } from '../../checks/coverage/coverage-report.ts'
import { mergeFragments } from '../../checks/coverage/covered.ts'
import { printable, secondsText } from '../../checks/reports/text.ts'
import type { OperationName } from '../../mock/api/endpoints.ts'
import { formatDuration } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import { conditionVariable, mostSandboxes } from '../../sandbox/conditions.ts'
import type { RunningServer } from '../../server/start-server.ts'
import { CliError } from '../cli-error.ts'
import { expectPlace, writeFile } from '../files.ts'
import { acceptedFindings } from '../findings.ts'
import { type CheckName, type CheckOptions, checkNames } from '../options.ts'
import { type Exception, readConfigFile } from '../serve/config-file.ts'
import { report } from '../terminal.ts'
import { expectReportPlaces, writeReports } from '../write-reports.ts'
import { type Assumptions, searchAssumptions, triedValues } from './assumptions.ts'
import {
  execLine,
  isGreen,
  limitedTo,
  missingText,
  outcomeOf,
  Progress,
  runBaseline,
  shellLine,
} from './baseline.ts'
import { type CheckResult, checkReport, failingNames, outputFolder } from './check-report.ts'
import { conditionNames, conditions, mostRetried } from './conditions.ts'
import { readFragments, shortfalls } from './exercised.ts'
import {
  type Baseline,
  baselineOf,
  type ChosenCondition,
  type GradedCondition,
  gradeCondition,
  type TriedCondition,
} from './grade.ts'
import { itemsOf, type KnownItems, readKnown, staleItems } from './items.ts'
import {
  type AbandonedRequest,
  type ClientBehaviour,
  collectFrom,
  observeRun,
  observeServer,
  watchAbandoned,
  withOwnSandboxes,
} from './observer.ts'
import { resultComplaints } from './results.ts'
import { Interrupted, type Suite, type SuiteRun, type SuiteTask, withSuite } from './suite.ts'

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
  const conclude = (result: CheckResult): number => {
    try {
      writeReports(checkReport(result), options, stdout, process.env)
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

/** Exceptions and known items, which don't count. */
interface Expected {
  readonly exceptions: readonly Exception[]
  readonly known: KnownItems
}

/** @throws {@link CliError} with the exit code, unless it is that of the command. */
function exitCodeOf(result: CheckResult): number {
  const { first, stale, coverage } = result
  if (first?.passed === false) return first.code
  if (result.problem !== undefined) throw new CliError(result.problem, 5)
  const names = failingNames(result)
  const short = coverage === undefined ? [] : shortfalls(coverage, result.minCoverage)
  const reasons = [
    ...(names.length === 0 ? [] : [`fix ${names.join(', ')}`]),
    ...(stale.length === 0 ? [] : [`write the baseline again, without ${stale.join(', ')}`]),
    ...short,
  ]
  if (result.isInterrupted || reasons.length === 0) return 0
  throw new CliError(`Cannot accept the client: ${reasons.join('; ')}`, 4)
}

/** Evaluates the fragments of all sandboxes. */
function evaluate(
  fragments: readonly CoverageFragment[],
  { options }: Task,
  { exceptions }: Expected,
) {
  const findings = fragments.flatMap((one) => one.findings)
  const coverage = mergeFragments(fragments)
  const failOn = options['fail-on']
  return {
    requests: fragments.reduce((sum, { requests }) => sum + requests, 0),
    // Exceptions are about code, and not about a sandbox: real time counts.
    findingsResult: acceptedFindings(
      findings,
      { exceptions, failOn, all: options.all },
      Date.now(),
    ),
    coverage,
    exercised: coverage,
    minCoverage: options['min-coverage'],
    failOn,
    hasBaseline: options.baseline !== undefined,
    isWhole: options.all,
  }
}

/** @throws {@link CliError} for folders without results. */
async function resultOfFolders(task: Task, expected: Expected): Promise<CheckResult> {
  const evaluated = evaluate(await readFragments(task.options.from), task, expected)
  const { findings } = evaluated.findingsResult
  const items = itemsOf({ findings, first: [], ...none }, expected.known)
  return {
    ...{ ...evaluated, ...none, items, first: undefined },
    stale: staleItems(expected.known, items, ['baseline']),
    ...{ runs: 0, time: '', tests: 0, isInterrupted: false },
    commandFor: () => '',
  }
}

/** Time limit of a run as a multiple of the longest baseline run, and its minimum in milliseconds. */
const limits = { times: 3, minMs: 10_000 } as const

/** A run of one suite counts as one client, whatever its connections. */
const asOneClient = { oneClient: true } as const

/** Each copy of a suite counts as a client, even if their requests never overlap. */
const asSeveral = { oneClient: false } as const

const outOfReach =
  'The tests use sandboxes that failure conditions cannot reach. Use the fixtures or createSandbox(), or send requests to the address in PETSTORE_API_URL.'

/** Runs a command beside a sandbox, then under conditions, several at a time, until it is interrupted. */
class Check {
  readonly #task: Task
  readonly #suite: Suite
  readonly #server: RunningServer
  readonly #expected: Expected
  /** Rules whose findings don't count. */
  readonly #excepted: ReadonlySet<string>
  readonly #startedAt = performance.now()
  readonly #names: readonly CheckName[]
  /** Coverage of the runs under conditions. */
  readonly #fragments: CoverageFragment[] = []
  #runs = 0
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
    this.#names = namesFor(task.options)
  }

  /** @throws {@link Interrupted} before there are any results. */
  async run(): Promise<CheckResult> {
    rmSync(outputFolder, { recursive: true, force: true })
    const isMore = this.#names.some((name) => name !== 'baseline')
    const { shown, tests, baseline, problem } = isMore
      ? await this.#runTwice()
      : await this.#runAlone()
    const { run, seen, fragments } = shown
    const evaluated = evaluate(fragments, this.#task, this.#expected)
    const hasBaseline = this.#names.includes('baseline')
    const further = baseline === undefined ? none : await this.#runMore(baseline)
    const { known } = this.#expected
    const items = itemsOf(
      {
        findings: hasBaseline ? evaluated.findingsResult.findings : [],
        first: hasBaseline ? resultComplaints([run], seen) : [],
        ...further,
      },
      known,
    )
    const silent =
      evaluated.requests > 0
        ? undefined
        : 'Cannot check the client: no request reached a sandbox; send requests to the address in PETSTORE_API_URL, or use the fixtures for Vitest, Jest or Playwright'
    return {
      ...{ ...evaluated, ...further, items, tests },
      ...(hasBaseline ? {} : { findingsResult: undefined, coverage: undefined }),
      exercised: hasBaseline ? mergeFragments([...fragments, ...this.#fragments]) : undefined,
      first: firstRunOf(run),
      stale: this.#isInterrupted ? [] : staleItems(known, items, this.#names),
      problem: problem ?? silent ?? further.problem,
      runs: this.#runs,
      time: secondsText(performance.now() - this.#startedAt),
      isInterrupted: this.#isInterrupted,
      commandFor: (names) => checkLine(this.#task, names),
    }
  }

  /** Runs the command once, beside the server's own sandbox. */
  async #runAlone(): Promise<StartResult> {
    const shown = await this.#runPlain({ isShown: true, isAlone: true })
    const names = [...shown.run.results.keys()].filter((name) => name !== wholeSuite)
    const { junit } = this.#task.options
    const isMissing = junit !== undefined && isGreen(shown.run) && !shown.run.hasTests
    const problem = isMissing ? `Cannot read test results: ${missingText(junit)}` : undefined
    return { shown, tests: names.length, baseline: undefined, problem }
  }

  /** Runs the command twice, at once if possible, each time with a sandbox of its own. */
  async #runTwice(): Promise<StartResult> {
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
    // Runs that interfered with each other were repeated.
    const [one, ...others] = runs.runs.flatMap(
      (run) => all.find((other) => other.run === run) ?? [],
    )
    if (one === undefined) throw new Error('Cannot evaluate a run: there is none')
    const green = [one, ...others].find(({ run }) => isGreen(run))
    const baseline = {
      ...baselineOf(runs, [one.seen, ...others.map(({ seen }) => seen)]),
      isServed: [one, ...others].some(({ served }) => served > 0),
    }
    return {
      shown: green ?? one,
      tests: runs.tests,
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
    let seen: ClientBehaviour | undefined
    let fragments: readonly CoverageFragment[] = []
    const [run] = await this.#suite.run([], {
      ...how,
      ...(how.isAlone
        ? {}
        : { ownSandboxes: conditionVariable(undefined, { operation: undefined, requests: 0 }) }),
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
    const whole = withOwnSandboxes(seen, [run], { excepted: this.#excepted })
    return {
      ...{ run, seen: whole, served: seen.requests },
      fragments: [...fragments, ...run.fragments],
    }
  }

  /** Runs the requested checks beyond the baseline. */
  async #runMore(baseline: Baseline): Promise<FurtherResults> {
    const wanted = conditionNames.filter((name) => this.#names.includes(name))
    const isSeen = baseline.requests > 0
    const runs = isSeen ? conditionRuns(wanted, baseline) : []
    const graded = runs.length === 0 ? [] : await this.#runConditions(runs, baseline)
    const assumptions = await this.#findAssumptions(baseline)
    const isAlone = this.#names.length === 1
    return {
      conditions: graded,
      conditionsNote: isSeen || wanted.length === 0 ? undefined : outOfReach,
      assumptions,
      problem: isAlone ? assumptions?.problem : undefined,
    }
  }

  /** Runs each condition that can show something, several at a time. */
  async #runConditions(
    runs: readonly ChosenCondition[],
    baseline: Baseline,
  ): Promise<readonly GradedCondition[]> {
    const { jobs, areDisturbed } = baseline
    // Those that may wait for longest begin first, while others work.
    const inOrder = runs.toSorted(
      (one, other) => moreMsOf(other, baseline) - moreMsOf(one, baseline),
    )
    const isAlone = areDisturbed || this.#task.options.jobs === 1
    const progress = new Progress(process.stderr, 'check')
    const obstacles = new Map(runs.map((one) => [one, obstacle(one, baseline, isAlone)]))
    let left = runs.filter((one) => obstacles.get(one) === undefined).length
    let done = 0
    const show = (): void => {
      const eachMs = done < jobs ? baseline.ms : undefined
      progress.show({ done, left, jobs, unit: 'condition', eachMs })
    }
    if (left > 0) show()
    const atOnce = limitedTo(baseline)
    const graded = await Promise.all(
      inOrder.map(async (one): Promise<GradedCondition> => {
        const why = obstacles.get(one)
        if (why !== undefined) return ungraded(one, 'not-met', why)
        const result = await atOnce(() => this.#runCondition(one, baseline))
        if (result === undefined) return ungraded(one, 'not-run', 'interrupted')
        done++
        left--
        show()
        return gradeCondition(result, baseline, keepOutput)
      }),
    )
    progress.clear()
    return runs.flatMap((one) => graded[inOrder.indexOf(one)] ?? [])
  }

  /** Runs the suite under a condition; returns `undefined` once the check was interrupted. */
  async #runCondition(
    one: ChosenCondition,
    baseline: Baseline,
  ): Promise<TriedCondition | undefined> {
    if (this.#isInterrupted) return undefined
    const { copies, gaps, isSilent, ...condition } = conditions[one.name]
    const { operation } = one
    const limitMs =
      this.#task.options.timeout ??
      Math.max(baseline.ms * limits.times, limits.minMs) * copies + moreMsOf(one, baseline)
    const clients = copies === 1 ? asOneClient : asSeveral
    let resultOf: Awaited<ReturnType<typeof observeRun>> | undefined
    let seen: ClientBehaviour | undefined
    let stopWatching: ReturnType<typeof watchAbandoned> | undefined
    let abandoned: readonly AbandonedRequest[] = []
    let collect: (() => Promise<CoverageFragment>) | undefined
    const setup = { operation, requests: baseline.requests }
    const isMet = (request: RequestView): boolean =>
      (operation === undefined || request.operation === operation) && condition.isMet(request)
    try {
      const runs = await this.#suite.run(gaps, {
        ownSandboxes: conditionVariable(one.name, setup),
        limitMs,
        copies,
        prepare: async (sandbox, path) => {
          const set = (): void => condition.set(sandbox, { ...setup, sandboxes: 1 })
          collect = () => collectFrom(sandbox, clients)
          resultOf = await observeRun(sandbox, {
            excepted: this.#excepted,
            isMet,
            onMet: () => condition.afterwards?.(sandbox),
            onReset: set,
            onFreeze: () => condition.onFreeze?.(sandbox),
          })
          set()
          if (isSilent) stopWatching = watchAbandoned(path)
        },
        onEnd: (at) => {
          abandoned = stopWatching?.(at) ?? []
        },
        conclude: async () => {
          seen = await resultOf?.(clients)
          const fragment = await collect?.()
          if (fragment !== undefined) this.#fragments.push(fragment)
        },
      })
      this.#fragments.push(...runs.flatMap(({ fragments }) => fragments))
      this.#runs += runs.length
      if (seen === undefined) throw new Error('Cannot grade a run: its sandbox was not prepared')
      const whole = withOwnSandboxes(seen, runs, { excepted: this.#excepted, isMet })
      return { ...one, runs, seen: whole, abandoned }
    } catch (error) {
      if (!(error instanceof Interrupted)) throw error
      this.#isInterrupted = true
      return undefined
    }
  }

  async #findAssumptions(baseline: Baseline): Promise<Assumptions | undefined> {
    if (this.#isInterrupted || !this.#names.includes('assumptions')) return undefined
    const found = await searchAssumptions(this.#suite, baseline, {
      values: triedValues(this.#task.settings),
      grade: this.#names.length === 1 ? 'fix' : 'review',
      progress: new Progress(process.stderr, 'check'),
      commandFor: (row) => execLine(this.#task, row),
    })
    this.#isInterrupted = found.isInterrupted
    this.#runs += found.runs
    return found
  }
}

/** Run without any condition, and the requests to its sandboxes. */
interface PlainRun {
  readonly run: SuiteRun
  readonly seen: ClientBehaviour
  /** Number of requests to the sandbox of the check. */
  readonly served: number
  readonly fragments: readonly CoverageFragment[]
}

/** Result of the runs without any condition. */
interface StartResult {
  readonly shown: PlainRun
  readonly tests: number
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

function firstRunOf(run: SuiteRun): CheckResult['first'] {
  const passed = isGreen(run)
  const { code } = run.command
  return {
    passed,
    code: code === 0 && !passed ? 1 : code,
    failure: passed ? '' : outcomeOf(run),
  }
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

/** Lists conditions, those of operations once for each operation that the suite calls. */
function conditionRuns(
  names: readonly ChosenCondition['name'][],
  { operations }: Baseline,
): readonly ChosenCondition[] {
  const called: readonly OperationName[] = [...operations].sort()
  return names.flatMap((name): readonly ChosenCondition[] =>
    conditions[name].per === 'suite'
      ? [{ name, operation: undefined }]
      : called.map((operation) => ({ name, operation })),
  )
}

/** Returns the time that a run under a condition may take beyond the usual limit, in milliseconds. */
function moreMsOf({ name }: ChosenCondition, { requests, isServed }: Baseline): number {
  const { moreMs, isLasting } = conditions[name]
  const waits = isLasting ? Math.min(requests, mostRetried) : 1
  return moreMs * (isServed ? waits : mostSandboxes)
}

/** Writes a shell command that runs some checks again in the same way; without names, all of them. */
export function checkLine(
  task: Pick<Task, 'given' | 'words'> & {
    readonly options: Pick<CheckOptions, 'jobs' | 'junit' | 'timeout'>
  },
  names?: readonly string[],
): string {
  const { jobs, junit, timeout } = task.options
  const isFirst = names?.every((name) => name === 'baseline')
  return shellLine('check', task, [
    ...(names === undefined ? ['--full'] : []),
    ...(junit === undefined ? [] : ['--junit', junit]),
    ...(jobs === undefined ? [] : ['--jobs', String(jobs)]),
    ...(timeout === undefined ? [] : ['--timeout', formatDuration(timeout)]),
    ...(names === undefined || isFirst ? [] : ['--only', names.join(',')]),
  ])
}

/**
 * Returns why a condition would show nothing about the client; `undefined` if it can show something.
 *
 * @param isAlone Whether the suite can't run several times at once.
 */
function obstacle(
  { name }: ChosenCondition,
  { operations, isServed }: Baseline,
  isAlone: boolean,
): string | undefined {
  const { needs, copies, isSilent } = conditions[name]
  if (!isServed && (copies > 1 || isSilent)) {
    const why = isSilent ? 'no server sees how long a client waits' : 'each test has its own'
    return `the tests use sandboxes in their own process, where ${why}`
  }
  if (needs !== undefined && !operations.has(needs)) return `the client never calls ${needs}`
  return copies > 1 && isAlone ? 'the suite cannot run several times at once' : undefined
}

function ungraded(
  run: ChosenCondition,
  state: 'not-met' | 'not-run',
  summary: string,
): GradedCondition {
  return {
    ...{ ...run, state, summary, suite: '', client: [], complaints: [] },
    ...{ failure: undefined, output: undefined },
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
