import { defaultGaps, unpromisedGaps } from '../../src/contract/gaps.ts'
import { type GapChoice, hasAll, otherChoices, type Row } from '../../src/explore/choices.ts'
import { type Exploration, Explorer } from '../../src/explore/suite/explorer.ts'
import { type SuiteRun, type TestResult, wholeSuite } from '../../src/explore/suite/observation.ts'
import { Random } from '../../src/state/random.ts'

/** The choices that `explore` tries. */
export const promised: readonly GapChoice[] = otherChoices(defaultGaps).filter(
  ({ gap }) => !unpromisedGaps.includes(gap),
)

/** A suite that nothing runs. */
export interface SimulatedSuite {
  /** The choices that matter to it. */
  readonly choices: readonly GapChoice[]
  /** What makes its tests fail, by their names. */
  readonly culprits: Readonly<Record<string, readonly Row[]>>
  /** How many tests there are in all; 0 for a suite whose tests aren't known. */
  readonly tests: number
  /** What a row has an effect of; by default all of it. */
  readonly effective?: (row: Row) => Row
}

/** Runs a simulated suite under a row. */
export function simulate(suite: SimulatedSuite, row: Row): SuiteRun {
  const { choices, culprits, tests, effective = (all: Row) => all } = suite
  const failing = Object.keys(culprits).filter((test) =>
    culprits[test]?.some((culprit) => hasAll(row, culprit)),
  )
  const known = { mattering: choices, effective: effective(row) }
  if (tests === 0) {
    return { ...known, results: new Map([[wholeSuite, failing.length > 0 ? 'failed' : 'passed']]) }
  }
  const names = Array.from({ length: tests }, (_, index) => `test ${index}`)
  const results = names.map((name): [string, TestResult] => [
    name,
    failing.includes(name) ? 'failed' : 'passed',
  ])
  return { ...known, results: new Map(results) }
}

/** Explores a simulated suite. */
export async function exploreSimulated(
  suite: SimulatedSuite,
  seed: number,
  strength: 2 | 3 = 2,
): Promise<Exploration> {
  return await exploreRuns((row) => simulate(suite, row), { seed, strength })
}

/** Explores a simulated suite of which one test fails by chance, too, though not in the first two runs. */
export async function exploreFlaky(
  suite: SimulatedSuite,
  { test, share, seed }: { readonly test: string; readonly share: number; readonly seed: number },
): Promise<Exploration> {
  const random = new Random(seed * 31_357)
  let runs = 0
  return await exploreRuns(
    (row) => {
      const run = simulate(suite, row)
      runs++
      if (runs <= 2 || random.next() % 100 >= share * 100) return run
      return { ...run, results: new Map([...run.results, [test, 'failed']]) }
    },
    { seed, strength: 2 },
  )
}

/** Explores whatever a function makes of a row. */
export async function exploreRuns(
  run: (row: Row) => SuiteRun,
  { seed, strength }: { readonly seed: number; readonly strength: 2 | 3 },
): Promise<Exploration> {
  const explorer = new Explorer({
    strength,
    seed,
    choices: promised,
    tries: 'mattering',
    baseline: [run([]), run([])],
    run: async (row) => run(row),
  })
  while (await explorer.round());
  return explorer.found
}

/** Takes choices at random, each of another gap. */
export function takeChoices(count: number, seed: number): GapChoice[] {
  const random = new Random(seed)
  const gaps = [...new Set(promised.map(({ gap }) => gap))]
    .map((gap) => ({ gap, key: random.next() }))
    .sort((one, other) => one.key - other.key)
  return gaps.slice(0, count).flatMap(({ gap }) => {
    const own = promised.filter((one) => one.gap === gap)
    return own[random.next() % own.length] ?? []
  })
}
