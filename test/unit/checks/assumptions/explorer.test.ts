import { describe, expect, it } from 'vitest'
import { type Exploration, Explorer } from '../../../../src/checks/assumptions/explorer.ts'
import {
  factName,
  type TestResult,
  type TestRun,
  wholeSuite,
} from '../../../../src/checks/assumptions/observation.ts'
import {
  type Configuration,
  configurationOf,
  configurationText,
  type GapValue,
  hasAll,
  otherValues,
  valueText,
} from '../../../../src/checks/replay/choices.ts'
import { defaultGaps, unpromisedGaps } from '../../../../src/mock/api/gaps.ts'
import { Random } from '../../../../src/mock/state/random.ts'
import { draws } from '../../../kit/draws.ts'

/** The choices that `check` tries. */
const promised: readonly GapValue[] = otherValues(defaultGaps).filter(
  ({ gap }) => !unpromisedGaps.includes(gap),
)

/** A suite that nothing runs. */
interface SimulatedSuite {
  /** The choices that matter to it. */
  readonly choices: readonly GapValue[]
  /** What makes its tests fail, by their names. */
  readonly causes: Readonly<Record<string, readonly Configuration[]>>
  /** How many tests there are in all; 0 for a suite whose tests aren't known. */
  readonly tests: number
  /** What a row has an effect of; by default all of it. */
  readonly effective?: (row: Configuration) => Configuration
}

/** Runs a simulated suite under a row. */
function simulate(suite: SimulatedSuite, row: Configuration): TestRun {
  const { choices, causes, tests, effective = (all: Configuration) => all } = suite
  const failing = Object.keys(causes).filter((test) =>
    causes[test]?.some((cause) => hasAll(row, cause)),
  )
  const known = { relevantValues: choices, effective: effective(row) }
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
async function exploreSimulated(
  suite: SimulatedSuite,
  seed: number,
  strength: 1 | 2 | 3 = 2,
): Promise<Exploration> {
  return await exploreRuns((row) => simulate(suite, row), { seed, strength })
}

/** Explores a simulated suite of which one test fails by chance, too, though not in the first two runs. */
async function exploreFlaky(
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
async function exploreRuns(
  run: (row: Configuration) => TestRun,
  { seed, strength }: { readonly seed: number; readonly strength: 1 | 2 | 3 },
): Promise<Exploration> {
  const explorer = new Explorer({
    strength,
    seed,
    choices: promised,
    tries: 'relevantValues',
    baseline: [run([]), run([])],
    run: async (row) => run(row),
  })
  while (await explorer.round());
  return explorer.found
}

/** Takes choices at random, each of another gap. */
function takeChoices(count: number, seed: number): GapValue[] {
  const random = new Random(seed)
  const gaps = [...new Set(promised.map(({ gap }) => gap))]
    .map((gap) => ({ gap, key: random.next() }))
    .sort((one, other) => one.key - other.key)
  return gaps.slice(0, count).flatMap(({ gap }) => {
    const own = promised.filter((one) => one.gap === gap)
    return own[random.next() % own.length] ?? []
  })
}

/** Suites that depend on two choices, and on a pair of two others, of 14 that matter. */
const dependent = Array.from({ length: draws(3) }, (_, index) => {
  const seed = index + 1
  const chosen = takeChoices(14, seed * 7919)
  const [one, two, three, four] = chosen
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error('Cannot take choices: there are too few')
  }
  const gaps = new Set(chosen.map(({ gap }) => gap))
  const choices = promised.filter(({ gap }) => gaps.has(gap))
  return {
    seed,
    choices,
    single: configurationOf([one]),
    other: configurationOf([two]),
    pair: configurationOf([three, four]),
  }
})

/** Writes what was found, in order. */
function found(dependencies: readonly { readonly test: string; readonly row: typeof promised }[]) {
  return dependencies.map(({ test, row }) => `${test}: ${configurationText(row)}`).sort()
}

describe('Explorer', () => {
  it.each(dependent)(
    'names what each of 40 tests depends on within 40 runs (seed $seed)',
    async ({ seed, choices, single, other, pair }) => {
      const causes = { 'test 3': [single], 'test 17': [other], 'test 30': [pair] }
      const result = await exploreSimulated({ choices, causes, tests: 40 }, seed)
      expect(found(result.dependencies)).toEqual(
        [
          `test 17: ${configurationText(other)}`,
          `test 3: ${configurationText(single)}`,
          `test 30: ${configurationText(pair)}`,
        ].sort(),
      )
      expect(result.runs).toBeLessThanOrEqual(40)
      expect(result).toMatchObject({ unsteady: [], unexplained: [] })
    },
  )

  // Rows that fail for one reason hide others, so it takes more of them than where each test is known.
  it.each(dependent)(
    'names what a suite depends on whose tests are not known (seed $seed)',
    async ({ seed, choices, single, other, pair }) => {
      const causes = { '': [single, other, pair] }
      const result = await exploreSimulated({ choices, causes, tests: 0 }, seed)
      expect(found(result.dependencies)).toEqual(
        [single, other, pair].map((row) => `: ${configurationText(row)}`).sort(),
      )
      // All pairs of two gaps with five values each take 25 runs alone.
      expect(result.runs).toBeLessThanOrEqual(64)
      expect(result).toMatchObject({ unsteady: [], unexplained: [] })
    },
  )

  it.each([
    { tests: 40, test: 'test 9', share: 0.1 },
    { tests: 40, test: 'test 9', share: 0.5 },
    { tests: 0, test: wholeSuite, share: 0.1 },
    { tests: 0, test: wholeSuite, share: 0.5 },
  ])(
    'blames no choice for a test that fails by chance ($share of the runs, of $tests tests)',
    async (given) => {
      const { tests, test, share } = given
      const wrong: string[] = []
      for (const { seed, choices, single } of dependent) {
        const causes = { 'test 3': [single] }
        const { dependencies } = await exploreFlaky(
          { choices, causes, tests },
          { test, share, seed },
        )
        const own = dependencies.filter((one) => one.test === test)
        wrong.push(
          ...found(own).filter((one) => tests > 0 || one !== `: ${configurationText(single)}`),
        )
      }
      expect(wrong).toEqual([])
    },
  )

  describe('with other values of all gaps at once', () => {
    it.each(dependent)('needs at most six runs where all tests pass (seed $seed)', async (row) => {
      const { seed, choices } = row
      const most = Math.max(
        ...choices.map((one) => choices.filter(({ gap }) => gap === one.gap).length),
      )
      const result = await exploreSimulated({ choices, causes: {}, tests: 5 }, seed, 1)
      expect(result).toMatchObject({ runs: 2 + most, dependencies: [], open: [], unsteady: [] })
      expect(result.runs).toBeLessThanOrEqual(6)
      expect(result.unaffected).toHaveLength(new Set(choices.map(({ gap }) => gap)).size)
    })

    it.each(dependent)('names each value that a test relies on (seed $seed)', async (row) => {
      const { seed, choices, single, other } = row
      const causes = { 'test 3': [single], 'test 17': [other] }
      const result = await exploreSimulated({ choices, causes, tests: 40 }, seed, 1)
      expect(found(result.dependencies)).toEqual(
        [`test 17: ${configurationText(other)}`, `test 3: ${configurationText(single)}`].sort(),
      )
    })

    it.each(dependent)('names pairs that occur together (seed $seed)', async (row) => {
      const { seed, choices } = row
      const firsts = choices.filter(
        (one, index) => choices.findIndex(({ gap }) => gap === one.gap) === index,
      )
      const both = configurationOf(firsts.slice(3, 5))
      const causes = { 'test 30': [both] }
      const result = await exploreSimulated({ choices, causes, tests: 40 }, seed, 1)
      expect(found(result.dependencies)).toEqual([`test 30: ${configurationText(both)}`])
    })
  })

  it('says what it does not know yet when it is asked before its end', async () => {
    const [{ seed, choices, single } = { seed: 1, choices: promised, single: [] }] = dependent
    const suite = { choices, causes: { 'test 3': [single] }, tests: 40 }
    const baseline = [1, 2].map(() => simulate(suite, []))
    const run = async (row: Configuration) => await Promise.resolve(simulate(suite, row))
    const explorer = new Explorer({
      ...{ strength: 2, seed, choices: promised, tries: 'relevantValues' },
      ...{ baseline, run },
    })
    const gaps = new Set(choices.map(({ gap }) => gap))
    expect(new Set(explorer.found.open)).toEqual(gaps)
    expect(explorer.found.unaffected).toEqual([])
    await explorer.round()
    // It has failed, and each of many choices may be why.
    expect(explorer.found).toMatchObject({ dependencies: [], unexplained: ['test 3'] })
    for (const { gap } of single) expect(explorer.found.open).toContain(gap)
    while (await explorer.round());
    expect(explorer.found).toMatchObject({ open: [], unexplained: [] })
    expect(explorer.found.unaffected).toHaveLength(gaps.size - 1)
  })

  describe('of five tests of which it knows what matters to each', () => {
    const common = ['quotaWindow', 'reportedWindow', 'errorCodes', 'countedRequests']
    const gapsOfTests: Readonly<Record<string, readonly string[]>> = {
      'app.test.ts > lists': [...common, 'listOrder', 'unknownQuery', 'duplicateQuery'],
      'app.test.ts > shows': [...common, 'deprecatedSince', 'deprecationHeaders', 'sunsetTime'],
      'app.test.ts > adds': [...common, 'defaultStatus', 'idSequence', 'unknownProperties'],
      'app.test.ts > edits': [...common, 'nullStatus', 'nonCanonicalIntegers', 'trailingSlash'],
      'app.test.ts > waits': [
        ...[...common, 'retryAfterFormat', 'retryAfterPadding'],
        ...['banAfter', 'banDuration', 'banStatus', 'errorPrecedence'],
      ],
    }
    const waiting = 'app.test.ts > waits'
    const chosen = (...texts: readonly string[]): Configuration =>
      promised.filter((one) => texts.includes(valueText(one)))
    const different = chosen('retryAfterFormat=http-date')
    const slowing = chosen(
      ...['retryAfterPadding=5s', 'banAfter=0'],
      ...['quotaWindow=sliding', 'quotaWindow=first-request'],
    )

    /** The client reads no date; and it waits for as long as it is told to, which the test does not. */
    function run(row: Configuration): TestRun {
      const isDifferent = hasAll(row, different)
      const isSlower = slowing.some((one) => hasAll(row, [one]))
      const wait = { longestMs: isSlower ? 60_000 : 2_000, openMs: isSlower ? 60_000 : 0 }
      const tests = Object.entries(gapsOfTests)
      const relevantValues = (gaps: readonly string[]) =>
        promised.filter(({ gap }) => gaps.includes(gap))
      return {
        results: new Map(
          tests.map(([test]) => [
            test,
            test === waiting && (isDifferent || isSlower) ? 'failed' : 'passed',
          ]),
        ),
        relevantValues: relevantValues(tests.flatMap(([, gaps]) => gaps)),
        effective: row,
        facts: new Map(
          tests.map(([test, gaps]) => [
            factName(test.replace('app.test.ts > ', '')),
            {
              relevantValues: relevantValues(gaps),
              effective: row.filter(({ gap }) => gaps.includes(gap)),
              waits:
                test === waiting
                  ? { ...wait, areKept: !isDifferent }
                  : { longestMs: 0, openMs: 0, areKept: true },
            },
          ]),
        ),
      }
    }

    it.each([1, 2, 3, 4, 5])('tells slower from different, in 50 runs (seed %i)', async (seed) => {
      const { dependencies, slower, runs, unsteady, open } = await exploreRuns(run, {
        seed,
        strength: 2,
      })
      expect(found(dependencies)).toEqual(found([{ test: waiting, row: different }]))
      expect(found(slower)).toEqual(found(slowing.map((one) => ({ test: waiting, row: [one] }))))
      expect({ unsteady, open }).toEqual({ unsteady: [], open: [] })
      expect(runs).toBeLessThanOrEqual(50)
    })
  })
})
