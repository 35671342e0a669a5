import { grouped } from '../../mock/input/record.ts'
import { type GapName, gapNames } from '../../mock/spec/gaps.ts'
import {
  type Configuration,
  configurationOf,
  configurationText,
  type GapValue,
  hasAll,
  valueText,
} from '../replay/choices.ts'
import { coveringRows } from './covering-rows.ts'
import { confirmationRuns, confirmed, type FailureSearch, isolateFailure } from './culprits.ts'
import { gapsOf, type ObservedRun, TestHistory, type TestRun, wholeSuite } from './observation.ts'

/** Runs a suite under a row. */
export type RunRow = (row: Configuration) => Promise<TestRun>

/** How a suite is explored. */
export interface ExplorerOptions {
  /** 1 tries other values of all gaps at once; 2 and 3 try so many of them in every combination. */
  readonly strength: 1 | 2 | 3
  /** Repeats the same rows. */
  readonly seed: number
  /** The choices that may be tried. */
  readonly choices: readonly GapValue[]
  /** Whether all of them are, or only those that can change a reply. */
  readonly tries: 'all' | 'relevantValues'
  /** The runs at the baseline choices. */
  readonly baseline: readonly TestRun[]
  /** Is called for several rows at once. */
  readonly run: RunRow
}

/** A set of choices that makes a test fail. */
export interface Dependency {
  /** {@link wholeSuite} where single tests aren't known. */
  readonly test: string
  readonly row: Configuration
}

/** What is known of a suite. */
export interface Exploration {
  readonly runs: number
  readonly dependencies: readonly Dependency[]
  /** Choices under which a client waits for longer, as it should, than its test does. */
  readonly slower: readonly Dependency[]
  /** The gaps at which other choices can't change any reply to the suite. */
  readonly irrelevant: readonly GapName[]
  /** The gaps at which the suite is content with any choice. */
  readonly unaffected: readonly GapName[]
  /** The gaps that matter, and of which it isn't known yet: choices are still to be tried, or under suspicion. */
  readonly open: readonly GapName[]
  /** Tests that failed once and passed another time under the same choices. */
  readonly unsteady: readonly string[]
  /** Tests that failed for a reason that wasn't found. */
  readonly unexplained: readonly string[]
}

/** Tests that fail for the same. */
interface TestGroup {
  readonly culprits: readonly Configuration[]
  /** The gaps that matter to each of them, where that is known. */
  readonly gaps: readonly (ReadonlySet<GapName> | undefined)[]
}

/** How many rows are decided on at once; those depend on what came before, and not on how many run at a time. */
const roundRows = 12

/** How many runs there are at most: a suite that needs more is beyond help. */
const mostRuns = 400

/** How often the same row may run. */
const mostRepeats = 3

/** How often it may where it shows whether what was found holds. */
const mostDoubts = 8

/** Explores a suite, round by round: rows that cover what is new, and rows that tell why tests failed. */
export class Explorer {
  readonly #options: ExplorerOptions
  readonly #observations: ObservedRun[]
  #planned: Configuration[] = []
  #underWay = 0
  /** What the planned rows are for. */
  #plannedFor = ''

  constructor(options: ExplorerOptions) {
    this.#options = options
    this.#observations = options.baseline.map((run) => ({ ...run, row: [] }))
  }

  /** How many rows are to come, as far as can be seen. */
  get left(): number {
    return this.#planned.length + this.#underWay
  }

  get runs(): number {
    return this.#observations.length
  }

  /**
   * Runs the next rows; returns whether there were any.
   *
   * @throws What a run throws, once all have ended.
   */
  async round(): Promise<boolean> {
    if (this.#isFutile) return false
    const hunts = this.#hunts()
    this.#plan(hunts)
    const rows = this.#nextRows(hunts)
    if (rows.length === 0 || this.#observations.length >= mostRuns) return false
    this.#underWay = rows.length
    const runs = await Promise.allSettled(rows.map((row) => this.#options.run(row)))
    this.#underWay = 0
    // In the order of the rows, so that the same suite is explored the same way.
    for (const [index, run] of runs.entries()) {
      if (run.status === 'fulfilled') {
        this.#observations.push({ ...run.value, row: rows[index] ?? [] })
      }
    }
    for (const run of runs) if (run.status === 'rejected') throw run.reason
    return true
  }

  /** What is known so far. */
  get found(): Exploration {
    const hunts = this.#hunts()
    const found = [...hunts].flatMap(([test, one]) =>
      confirmed(one, [...hunts.values()]).map((row) => {
        return { test, row, isSlower: one.evidence.isSlowedBy(row, one.causes) }
      }),
    )
    const dependencies = (areSlower: boolean): Dependency[] =>
      found.filter(({ isSlower }) => isSlower === areSlower).map(({ test, row }) => ({ test, row }))
    const guilty = new Set(found.flatMap(({ row }) => row.map(({ gap }) => gap)))
    const offered = new Set(this.#options.choices.map(({ gap }) => gap))
    const relevantValues = new Set(this.#relevant().map(({ gap }) => gap))
    const open = this.#openGaps([...hunts.values()].flatMap(unexplainedOf))
    const innocent = gapNames.filter((gap) => relevantValues.has(gap) && !guilty.has(gap))
    const having = (isHaving: (one: FailureSearch) => boolean): string[] =>
      [...hunts].flatMap(([test, one]) => (isHaving(one) ? [test] : []))
    return {
      runs: this.runs,
      dependencies: dependencies(false),
      slower: dependencies(true),
      irrelevant: gapNames.filter((gap) => offered.has(gap) && !relevantValues.has(gap)),
      unaffected: innocent.filter((gap) => !open.has(gap)),
      open: innocent.filter((gap) => open.has(gap)),
      unsteady: having(({ evidence }) => evidence.isUnsteady),
      unexplained: having((one) => unexplainedOf(one).length > 0),
    }
  }

  /**
   * The gaps of which not all choices were tried, or that stand in rows of which it isn't known why a test failed.
   *
   * @param unexplained These rows.
   */
  #openGaps(unexplained: readonly Configuration[]): ReadonlySet<GapName> {
    const seen = new Set(this.#observations.flatMap(({ row }) => row.map(valueText)))
    const untried = this.#relevant().filter((one) => !seen.has(valueText(one)))
    return new Set([...untried, ...unexplained.flat()].map(({ gap }) => gap))
  }

  /** Whether all that is known of the suite is one result, which comes and goes without any choice. */
  get #isFutile(): boolean {
    const [only, ...others] = this.#tests
    return only !== undefined && others.length === 0 && this.#evidenceOf(only).failsAsUsual
  }

  #evidenceOf(test: string): TestHistory {
    return new TestHistory(this.#observations, test)
  }

  /** All tests, in the order of the suite. */
  get #tests(): readonly string[] {
    return [...new Set(this.#observations.flatMap(({ results }) => [...results.keys()]))]
  }

  /** Why each test fails that has failed once. */
  #hunts(): ReadonlyMap<string, FailureSearch> {
    const hasFailed = (test: string): boolean =>
      this.#observations.some(({ results }) => results.get(test) === 'failed')
    const failed = this.#tests.filter(hasFailed)
    return new Map(failed.map((test) => [test, isolateFailure(this.#evidenceOf(test))]))
  }

  /** The choices that can change a reply. */
  #relevant(): readonly GapValue[] {
    const { choices, tries } = this.#options
    if (tries === 'all') return choices
    // All choices of a gap, since what a client asks under one of them may make another matter.
    const relevantValues = new Set(
      this.#observations.flatMap((one) =>
        [...one.relevantValues, ...one.effective].map(({ gap }) => gap),
      ),
    )
    return choices.filter(({ gap }) => relevantValues.has(gap))
  }

  /** Plans the rows that cover what is to be seen together, anew if that has changed. */
  #plan(hunts: ReadonlyMap<string, FailureSearch>): void {
    const { strength, seed } = this.#options
    const choices = this.#relevant()
    const groups = this.#groupsOfTests(hunts)
    const known = groups.map(({ culprits, gaps }) => [
      culprits.map(configurationText),
      gaps.map((some) => some && [...some]),
    ])
    const plannedFor = JSON.stringify([choices.map(valueText), known])
    if (plannedFor === this.#plannedFor) return
    this.#plannedFor = plannedFor
    this.#planned = []
    for (const [index, { culprits, gaps }] of groups.entries()) {
      const isWanted = (some: readonly GapName[]): boolean =>
        gaps.some((own) => own === undefined || some.every((gap) => own.has(gap)))
      if (index === 0 && strength === 1) this.#planned.push(...this.#rowsOfAll(choices, culprits))
      // For the first combinations, and for all each choice.
      for (const size of index === 0 && strength > 1 ? ([strength, 1] as const) : ([1] as const)) {
        const tried = [...this.#observations.map(({ row }) => row), ...this.#planned]
        const options = { choices, strength: size, seed, tried, culprits, isWanted }
        this.#planned.push(...coveringRows(options))
      }
    }
  }

  /** The rows in which each gap has another value, but for those with a culprit; a gap of few values repeats them. */
  #rowsOfAll(
    choices: readonly GapValue[],
    culprits: readonly Configuration[],
  ): readonly Configuration[] {
    const byGap = [...grouped(choices, ({ gap }) => gap).values()]
    const count = Math.max(0, ...byGap.map((own) => own.length))
    const rows = Array.from({ length: count }, (_, index) =>
      configurationOf(byGap.flatMap((own) => own[index % own.length] ?? [])),
    )
    return rows.filter(
      (row) => this.#runsOf(row) === 0 && !culprits.some((culprit) => hasAll(row, culprit)),
    )
  }

  /**
   * The culprits of each test, once for all tests that have the same, the fewest first, and the gaps that matter to each of
   * these tests. For the first, combinations are tried; for the others each choice, without their culprits.
   */
  #groupsOfTests(hunts: ReadonlyMap<string, FailureSearch>): readonly TestGroup[] {
    const known = new Map<
      string,
      { culprits: readonly Configuration[]; gaps: TestGroup['gaps'][number][] }
    >()
    const tests = this.#tests
    const isTraced = tests.some((test) => this.#evidenceOf(test).isTraced)
    for (const test of tests) {
      const culprits = hunts.get(test)?.causes ?? []
      // What matters to the suite as a whole is what matters to its tests.
      if (test === wholeSuite && isTraced && culprits.length === 0) continue
      const text = culprits.map(configurationText).sort().join(' ')
      const { gaps = [] } = known.get(text) ?? {}
      known.set(text, { culprits, gaps: [...gaps, gapsOf(this.#observations, test)] })
    }
    return [...known.values()].sort((one, other) => one.culprits.length - other.culprits.length)
  }

  #nextRows(hunts: ReadonlyMap<string, FailureSearch>): Configuration[] {
    const rows = new Map<string, Configuration>()
    for (const one of hunts.values()) {
      if (!this.#isDue(one)) continue
      for (const probe of one.probes) rows.set(configurationText(probe), probe)
    }
    const probes = [...rows.values()].filter((row) => this.#runsOf(row) < mostRepeats)
    probes.push(...this.#doubts(hunts, probes))
    // Many rows of a suite whose tests aren't known would fail for what is being looked for, or is still unknown.
    const isEarly = probes.length > 0 || this.runs === this.#options.baseline.length
    const room = isEarly && this.#tests.length === 1 ? roundRows / 2 : roundRows
    const planned = this.#planned.splice(0, Math.max(room - probes.length, 0))
    const next = [...probes.slice(0, roundRows), ...planned]
    if (this.#planned.length > 0) return next
    return [...next, ...this.#stragglers(next).slice(0, Math.max(room - next.length, 0))]
  }

  /** The rows that show whether what was found holds, beside other probes. */
  #doubts(
    hunts: ReadonlyMap<string, FailureSearch>,
    probes: readonly Configuration[],
  ): readonly Configuration[] {
    const planned = new Set(probes.map(configurationText))
    // Where it isn't known how a test ended, more runs needn't tell.
    return confirmationRuns([...hunts.values()]).filter(
      (row) => !planned.has(configurationText(row)) && this.#runsOf(row) < mostDoubts,
    )
  }

  /** Whether a probe is worth a run now: rows that are planned anyway may tell as much. */
  #isDue({ evidence, suspects }: FailureSearch): boolean {
    if (this.#planned.length === 0 || suspects <= 2 || this.#tests.length === 1) return true
    return evidence.failed.length > 2 * (evidence.passes - this.#options.baseline.length)
  }

  #runsOf(row: Configuration): number {
    const text = configurationText(row)
    return this.#observations.filter((one) => configurationText(one.row) === text).length
  }

  /**
   * Rows for the choices that had no effect in any row so far, though they matter beside some others.
   *
   * @param next Rows that run first.
   */
  #stragglers(next: readonly Configuration[]): Configuration[] {
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

/** The rows in which a test has failed for a reason that isn't known, and is looked for. */
function unexplainedOf({ evidence, causes, probes }: FailureSearch): readonly Configuration[] {
  if (probes.length === 0) return []
  const rows = evidence.failed.map(({ row }) => row)
  return rows.filter((row) => !causes.some((culprit) => hasAll(row, culprit)))
}
