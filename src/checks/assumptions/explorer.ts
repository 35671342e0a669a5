import { type GapName, gapNames } from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import {
  type Configuration,
  configurationOf,
  configurationText,
  type GapValue,
  hasAll,
  valueText,
} from '../replay/choices.ts'
import { coveringRows } from './covering-rows.ts'
import {
  confirmationRuns,
  confirmed,
  type FailureSearch,
  isolateFailure,
} from './failure-search.ts'
import { gapsOf, type ObservedRun, TestHistory, type TestRun, wholeSuite } from './observation.ts'

/** Runs a suite with the gap values of a row. */
export type RunRow = (row: Configuration) => Promise<TestRun>

/** Options of an exploration. */
export interface ExplorerOptions {
  /** 1 tries other values of all gaps at once; 2 and 3 try every combination of values at that many gaps. */
  readonly strength: 1 | 2 | 3
  /** Random seed: the same seed returns the same rows. */
  readonly seed: number
  /** Gap values to try. */
  readonly choices: readonly GapValue[]
  /** Whether to try all of them, or only those that can change a response. */
  readonly tries: 'all' | 'relevantValues'
  /** Runs at the baseline values. */
  readonly baseline: readonly TestRun[]
  /** Called for several rows at once. */
  readonly run: RunRow
}

/** Gap values that make a test fail. */
export interface Dependency {
  /** Name of the test; {@link wholeSuite} if single tests aren't known. */
  readonly test: string
  readonly row: Configuration
}

/** Results of an exploration. */
export interface Exploration {
  readonly runs: number
  readonly dependencies: readonly Dependency[]
  /** Gap values with which a client correctly waits for longer than its test does. */
  readonly slower: readonly Dependency[]
  /** Gaps at which other values can't change any response to the suite. */
  readonly irrelevant: readonly GapName[]
  /** Gaps at which the suite passes with any value. */
  readonly unaffected: readonly GapName[]
  /** Gaps that change responses but have no result yet: values are untried, or candidates for a failure. */
  readonly open: readonly GapName[]
  /** Tests that both failed and passed with the same gap values. */
  readonly unsteady: readonly string[]
  /** Tests whose failure has no known cause. */
  readonly unexplained: readonly string[]
}

/** Tests with the same causes. */
interface TestGroup {
  readonly causes: readonly Configuration[]
  /** Gaps that change responses to each test; `undefined` if that isn't known. */
  readonly gaps: readonly (ReadonlySet<GapName> | undefined)[]
}

/** Number of rows in a round: the next round depends on its results, and not on how many rows run at a time. */
const roundRows = 12

/** Maximum number of runs. */
const maxRuns = 400

/** Maximum number of runs of the same row. */
const maxRepeats = 3

/** Maximum number of runs of a row that confirms a cause. */
const maxConfirmations = 8

/** Explores a suite, round by round: runs rows that cover new values, and rows that show why tests failed. */
export class Explorer {
  readonly #options: ExplorerOptions
  readonly #observations: ObservedRun[]
  #planned: Configuration[] = []
  #underWay = 0
  /** Fingerprint of the plan's inputs. */
  #plannedFor = ''

  constructor(options: ExplorerOptions) {
    this.#options = options
    this.#observations = options.baseline.map((run) => ({ ...run, row: [] }))
  }

  /** Estimated number of rows left to run. */
  get left(): number {
    return this.#planned.length + this.#underWay
  }

  get runs(): number {
    return this.#observations.length
  }

  /**
   * Runs the next rows; returns whether there were any.
   *
   * @throws The error of a run, once all runs have ended.
   */
  async round(): Promise<boolean> {
    if (this.#isFutile) return false
    const searches = this.#searches()
    this.#plan(searches)
    const rows = this.#nextRows(searches)
    if (rows.length === 0 || this.#observations.length >= maxRuns) return false
    this.#underWay = rows.length
    const runs = await Promise.allSettled(rows.map((row) => this.#options.run(row)))
    this.#underWay = 0
    // Results are added in the order of the rows, so that the same suite is always explored the same way.
    for (const [index, run] of runs.entries()) {
      if (run.status === 'fulfilled') {
        this.#observations.push({ ...run.value, row: rows[index] ?? [] })
      }
    }
    for (const run of runs) if (run.status === 'rejected') throw run.reason
    return true
  }

  /** Results so far. */
  get found(): Exploration {
    const searches = this.#searches()
    const found = [...searches].flatMap(([test, one]) =>
      confirmed(one, [...searches.values()]).map((row) => {
        return { test, row, isSlower: one.history.isSlowedBy(row, one.causes) }
      }),
    )
    const dependencies = (areSlower: boolean): Dependency[] =>
      found.filter(({ isSlower }) => isSlower === areSlower).map(({ test, row }) => ({ test, row }))
    const dependent = new Set(found.flatMap(({ row }) => row.map(({ gap }) => gap)))
    const offered = new Set(this.#options.choices.map(({ gap }) => gap))
    const relevantValues = new Set(this.#relevant().map(({ gap }) => gap))
    const open = this.#openGaps([...searches.values()].flatMap(unexplainedOf))
    const independent = gapNames.filter((gap) => relevantValues.has(gap) && !dependent.has(gap))
    const having = (isHaving: (one: FailureSearch) => boolean): string[] =>
      [...searches].flatMap(([test, one]) => (isHaving(one) ? [test] : []))
    return {
      runs: this.runs,
      dependencies: dependencies(false),
      slower: dependencies(true),
      irrelevant: gapNames.filter((gap) => offered.has(gap) && !relevantValues.has(gap)),
      unaffected: independent.filter((gap) => !open.has(gap)),
      open: independent.filter((gap) => open.has(gap)),
      unsteady: having(({ history }) => history.isUnsteady),
      unexplained: having((one) => unexplainedOf(one).length > 0),
    }
  }

  /**
   * Returns the gaps with untried values, and those in rows with an unexplained failure.
   *
   * @param unexplained Rows with an unexplained failure.
   */
  #openGaps(unexplained: readonly Configuration[]): ReadonlySet<GapName> {
    const seen = new Set(this.#observations.flatMap(({ row }) => row.map(valueText)))
    const untried = this.#relevant().filter((one) => !seen.has(valueText(one)))
    return new Set([...untried, ...unexplained.flat()].map(({ gap }) => gap))
  }

  /** Whether the suite has one result only, which also fails at the baseline values. */
  get #isFutile(): boolean {
    const [only, ...others] = this.#tests
    return only !== undefined && others.length === 0 && this.#historyOf(only).failsAsUsual
  }

  #historyOf(test: string): TestHistory {
    return new TestHistory(this.#observations, test)
  }

  /** Names of all tests, in the order of the suite. */
  get #tests(): readonly string[] {
    return [...new Set(this.#observations.flatMap(({ results }) => [...results.keys()]))]
  }

  /** Searches for the causes of each test that has failed. */
  #searches(): ReadonlyMap<string, FailureSearch> {
    const hasFailed = (test: string): boolean =>
      this.#observations.some(({ results }) => results.get(test) === 'failed')
    const failed = this.#tests.filter(hasFailed)
    return new Map(failed.map((test) => [test, isolateFailure(this.#historyOf(test))]))
  }

  /** Returns the gap values that can change a response. */
  #relevant(): readonly GapValue[] {
    const { choices, tries } = this.#options
    if (tries === 'all') return choices
    // All values of a gap: one of them may change what the client sends, and so make others change a response.
    const relevantValues = new Set(
      this.#observations.flatMap((one) =>
        [...one.relevantValues, ...one.effective].map(({ gap }) => gap),
      ),
    )
    return choices.filter(({ gap }) => relevantValues.has(gap))
  }

  /** Plans the rows that cover new values, unless the plan's inputs are as before. */
  #plan(searches: ReadonlyMap<string, FailureSearch>): void {
    const { strength, seed } = this.#options
    const choices = this.#relevant()
    const groups = this.#groupsOfTests(searches)
    const known = groups.map(({ causes, gaps }) => [
      causes.map(configurationText),
      gaps.map((some) => some && [...some]),
    ])
    const plannedFor = JSON.stringify([choices.map(valueText), known])
    if (plannedFor === this.#plannedFor) return
    this.#plannedFor = plannedFor
    this.#planned = []
    for (const [index, { causes, gaps }] of groups.entries()) {
      const isWanted = (some: readonly GapName[]): boolean =>
        gaps.some((own) => own === undefined || some.every((gap) => own.has(gap)))
      if (index === 0 && strength === 1) this.#planned.push(...this.#rowsOfAll(choices, causes))
      // The first group gets combinations; every group gets each single value.
      for (const size of index === 0 && strength > 1 ? ([strength, 1] as const) : ([1] as const)) {
        const tried = [...this.#observations.map(({ row }) => row), ...this.#planned]
        const options = { choices, strength: size, seed, tried, causes, isWanted }
        this.#planned.push(...coveringRows(options))
      }
    }
  }

  /** Returns rows without a cause in which every gap has another value; gaps with few values repeat them. */
  #rowsOfAll(
    choices: readonly GapValue[],
    causes: readonly Configuration[],
  ): readonly Configuration[] {
    const byGap = [...grouped(choices, ({ gap }) => gap).values()]
    const count = Math.max(0, ...byGap.map((own) => own.length))
    const rows = Array.from({ length: count }, (_, index) =>
      configurationOf(byGap.flatMap((own) => own[index % own.length] ?? [])),
    )
    return rows.filter(
      (row) => this.#runsOf(row) === 0 && !causes.some((cause) => hasAll(row, cause)),
    )
  }

  /**
   * Groups tests by their causes, those with the fewest first, with the gaps that change responses to each test. The
   * first group is explored in combinations; the others get each value without their causes.
   */
  #groupsOfTests(searches: ReadonlyMap<string, FailureSearch>): readonly TestGroup[] {
    const known = new Map<
      string,
      { causes: readonly Configuration[]; gaps: TestGroup['gaps'][number][] }
    >()
    const tests = this.#tests
    const isTraced = tests.some((test) => this.#historyOf(test).isTraced)
    for (const test of tests) {
      const causes = searches.get(test)?.causes ?? []
      // The suite as a whole depends on the same gaps as its tests.
      if (test === wholeSuite && isTraced && causes.length === 0) continue
      const text = causes.map(configurationText).sort().join(' ')
      const { gaps = [] } = known.get(text) ?? {}
      known.set(text, { causes, gaps: [...gaps, gapsOf(this.#observations, test)] })
    }
    return [...known.values()].sort((one, other) => one.causes.length - other.causes.length)
  }

  #nextRows(searches: ReadonlyMap<string, FailureSearch>): Configuration[] {
    const rows = new Map<string, Configuration>()
    for (const one of searches.values()) {
      if (!this.#isDue(one)) continue
      for (const probe of one.probes) rows.set(configurationText(probe), probe)
    }
    const probes = [...rows.values()].filter((row) => this.#runsOf(row) < maxRepeats)
    probes.push(...this.#confirmations(searches, probes))
    // If tests aren't told apart, many rows would fail for a cause that the search hasn't found yet.
    const isEarly = probes.length > 0 || this.runs === this.#options.baseline.length
    const room = isEarly && this.#tests.length === 1 ? roundRows / 2 : roundRows
    const planned = this.#planned.splice(0, Math.max(room - probes.length, 0))
    const next = [...probes.slice(0, roundRows), ...planned]
    if (this.#planned.length > 0) return next
    return [...next, ...this.#untestedValues(next).slice(0, Math.max(room - next.length, 0))]
  }

  /** Returns the rows that confirm causes, apart from those that run as probes. */
  #confirmations(
    searches: ReadonlyMap<string, FailureSearch>,
    probes: readonly Configuration[],
  ): readonly Configuration[] {
    const planned = new Set(probes.map(configurationText))
    // The number of runs is limited, since the result of a test may stay unknown.
    return confirmationRuns([...searches.values()]).filter(
      (row) => !planned.has(configurationText(row)) && this.#runsOf(row) < maxConfirmations,
    )
  }

  /** Whether a probe should run now, or planned rows may show as much. */
  #isDue({ history, candidates }: FailureSearch): boolean {
    if (this.#planned.length === 0 || candidates <= 2 || this.#tests.length === 1) return true
    return history.failed.length > 2 * (history.passes - this.#options.baseline.length)
  }

  #runsOf(row: Configuration): number {
    const text = configurationText(row)
    return this.#observations.filter((one) => configurationText(one.row) === text).length
  }

  /**
   * Returns rows for relevant values that have had no effect in any row so far, beside values with which they have one.
   *
   * @param next Rows that run first.
   */
  #untestedValues(next: readonly Configuration[]): Configuration[] {
    const effective = new Set(this.#observations.flatMap((one) => one.effective.map(valueText)))
    return this.#relevant()
      .filter((one) => !effective.has(valueText(one)) && !next.some((row) => hasAll(row, [one])))
      .flatMap((one) => {
        const beside = this.#observations
          .filter(({ relevantValues }) =>
            relevantValues.some((other) => valueText(other) === valueText(one)),
          )
          .toSorted((first, second) => first.row.length - second.row.length)[0]
        if (beside === undefined) return []
        const row = configurationOf([...beside.row.filter(({ gap }) => gap !== one.gap), one])
        return this.#runsOf(row) === 0 ? [row] : []
      })
  }
}

/** Returns the rows in which a test has failed for a reason that the search hasn't found yet. */
function unexplainedOf({ history, causes, probes }: FailureSearch): readonly Configuration[] {
  if (probes.length === 0) return []
  const rows = history.failed.map(({ row }) => row)
  return rows.filter((row) => !causes.some((cause) => hasAll(row, cause)))
}
