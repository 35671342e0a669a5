import {
  type Configuration,
  configurationOf,
  configurationText,
  type GapValue,
  hasAll,
} from '../../mock/api/gaps/configuration.ts'
import { type GapName, gapNames } from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import { smallerLists } from './smaller-lists.ts'

/** Result of a test, or of the suite as a whole. */
export type TestResult = 'passed' | 'failed'

/** Name of the result of the suite as a whole. */
export const wholeSuite = ''

/** Results of one run of a suite. */
export interface TestResults {
  /** Results by test; a test that is left out has no known result. */
  readonly results: ReadonlyMap<string, TestResult>
}

/** Gap values that make a test fail. */
export interface Dependency {
  /** Name of the test; {@link wholeSuite} if single tests aren't known. */
  readonly test: string
  readonly row: Configuration
}

/** Results of a search. */
export interface SearchResult {
  readonly dependencies: readonly Dependency[]
  /** Gaps at which each test passes with any value. */
  readonly unaffected: readonly GapName[]
  /** Tests that both passed and failed with the same gap values. */
  readonly unsteady: readonly string[]
  /** Whether all values were tried, and all failures explained. */
  readonly isComplete: boolean
}

/** Maximum number of runs. */
const maxRuns = 250

/** Number of times that a suite runs again with values that made a test fail, before they count as the cause. */
const confirmations = 2

/**
 * Searches for gap values that tests rely on: sets other values of all gaps at once, in as many runs as the gap with
 * most values has, then shrinks what makes a test fail (delta debugging). A search that an error ends keeps what it has
 * found.
 */
export class AssumptionSearch {
  readonly #choices: readonly GapValue[]
  readonly #runRow: (row: Configuration) => Promise<TestResults>
  /** Runs by their gap values, so that tests share them. */
  readonly #runs = new Map<string, Promise<TestResults>[]>()
  readonly #dependencies: Dependency[] = []
  readonly #unsteady = new Set<string>()
  #started = 0
  #isComplete = false

  /** @param runRow Runs the suite, which passes with the default values; may be called several times at once. */
  constructor(choices: readonly GapValue[], runRow: (row: Configuration) => Promise<TestResults>) {
    this.#choices = choices
    this.#runRow = runRow
  }

  /** @throws The error of a run, once all runs have ended. */
  async search(): Promise<void> {
    const rows = rowsOf(this.#choices)
    const runs = await settled(rows.map((row) => this.#run(row)))
    const tests = [...new Set(runs.flatMap(({ results }) => [...results.keys()]))]
    try {
      await settled(tests.map((test) => this.#searchTest(test, rows)))
      this.#isComplete = true
    } catch (error) {
      if (!(error instanceof TooManyRuns)) throw error
    }
  }

  /** Results so far. */
  get found(): SearchResult {
    // Tests are searched at the same time, so their order of discovery is chance.
    const dependencies = this.#dependencies.toSorted(
      (one, other) =>
        one.test.localeCompare(other.test) ||
        configurationText(one.row).localeCompare(configurationText(other.row)),
    )
    const affected = new Set(dependencies.flatMap(({ row }) => row.map(({ gap }) => gap)))
    const tried = new Set(this.#choices.map(({ gap }) => gap))
    return {
      dependencies,
      unaffected: this.#isComplete
        ? gapNames.filter((gap) => tried.has(gap) && !affected.has(gap))
        : [],
      unsteady: [...this.#unsteady].sort(),
      isComplete: this.#isComplete,
    }
  }

  /** Finds each smallest set of values in these rows that makes a test fail. */
  async #searchTest(test: string, rows: readonly Configuration[]): Promise<void> {
    const causes: Configuration[] = []
    const unexplained = (row: Configuration, cause: Configuration): Configuration =>
      hasAll(row, cause) ? row.filter(({ gap }) => !cause.some((one) => one.gap === gap)) : row
    for (const row of rows) {
      // Gaps with few values repeat them.
      let open = causes.reduce(unexplained, row)
      while (await this.#fails(test, open)) {
        // Another value of a gap that the test relies on is the likeliest cause.
        const likely = open.filter(({ gap }) => causes.flat().some((one) => one.gap === gap))
        const isLikely = await this.#fails(test, likely)
        const cause = await this.#smallest(test, isLikely ? likely : open)
        if (!isLikely && !(await this.#isConfirmed(test, cause))) {
          this.#unsteady.add(test)
          return
        }
        this.#dependencies.push({ test, row: cause })
        causes.push(cause)
        open = unexplained(open, cause)
      }
    }
  }

  async #smallest(test: string, row: Configuration): Promise<Configuration> {
    const search = smallerLists(row)
    let next = search.next()
    while (!next.done) next = search.next(await this.#fails(test, next.value))
    return next.value
  }

  /** Returns whether a test fails each time with these values, and passes once more without them. */
  async #isConfirmed(test: string, row: Configuration): Promise<boolean> {
    const again = Array.from({ length: confirmations }, (_, index) => this.#run(row, index + 1))
    const [usual, ...runs] = await settled([this.#run([]), ...again])
    return (
      usual?.results.get(test) !== 'failed' &&
      runs.every(({ results }) => results.get(test) === 'failed')
    )
  }

  async #fails(test: string, row: Configuration): Promise<boolean> {
    // The suite passes with the default values.
    if (row.length === 0 || this.#unsteady.has(test)) return false
    const run = await this.#run(row)
    return run.results.get(test) === 'failed'
  }

  /** @param time Number of earlier runs with the same values that don't count. */
  #run(row: Configuration, time = 0): Promise<TestResults> {
    const text = configurationText(row)
    const runs = this.#runs.get(text) ?? []
    this.#runs.set(text, runs)
    const known = runs[time]
    if (known !== undefined) return known
    if (this.#started >= maxRuns) return Promise.reject(new TooManyRuns())
    this.#started++
    const run = this.#runRow(configurationOf(row))
    runs[time] = run
    return run
  }
}

class TooManyRuns extends Error {
  override readonly name = 'TooManyRuns'
}

/** Returns rows in which every gap has another value; gaps with few values repeat them. */
function rowsOf(choices: readonly GapValue[]): readonly Configuration[] {
  const byGap = [...grouped(choices, ({ gap }) => gap).values()]
  const count = Math.max(0, ...byGap.map((own) => own.length))
  return Array.from({ length: count }, (_, index) =>
    configurationOf(byGap.flatMap((own) => own[index % own.length] ?? [])),
  )
}

/** Waits for all promises, even if one of them is rejected. */
async function settled<Value>(promises: readonly Promise<Value>[]): Promise<readonly Value[]> {
  await Promise.allSettled(promises)
  return await Promise.all(promises)
}
