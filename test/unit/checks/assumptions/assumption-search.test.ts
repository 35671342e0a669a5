import { describe, expect, it } from 'vitest'
import {
  AssumptionSearch,
  type SearchResult,
  type TestResult,
  type TestResults,
  wholeSuite,
} from '../../../../src/checks/assumptions/assumption-search.ts'
import {
  type Configuration,
  configurationText,
  type GapValue,
  hasAll,
  otherValues,
} from '../../../../src/mock/api/gaps/configuration.ts'
import { defaultGaps, unpromisedGaps } from '../../../../src/mock/api/gaps.ts'
import { grouped } from '../../../../src/mock/input/record.ts'
import { Random } from '../../../../src/mock/state/random.ts'
import { draws } from '../../../kit/draws.ts'

/** The values that `check` tries. */
const values: readonly GapValue[] = otherValues(defaultGaps).filter(
  ({ gap }) => !unpromisedGaps.includes(gap),
)

/** Number of values of the gap with most of them. */
const most = Math.max(...[...grouped(values, ({ gap }) => gap).values()].map((own) => own.length))

/** Values of gaps, in the order of the gaps. */
function valuesAt(...gaps: readonly string[]): Configuration {
  return values.filter(({ gap }) => gaps.includes(gap))
}

function value(gap: string, index = 0): Configuration {
  return valuesAt(gap).slice(index, index + 1)
}

/** What makes tests fail, by their names; the suite as a whole is the name `''`. */
type Causes = Readonly<Record<string, readonly Configuration[]>>

function resultsOf(causes: Causes, row: Configuration): ReadonlyMap<string, TestResult> {
  return new Map(
    Object.entries(causes).map(([test, own]) => [
      test,
      own.some((cause) => hasAll(row, cause)) ? 'failed' : 'passed',
    ]),
  )
}

/** Searches for the assumptions of a simulated suite. */
async function searchIn(
  run: (row: Configuration) => ReadonlyMap<string, TestResult>,
): Promise<SearchResult & { readonly runs: number }> {
  let runs = 0
  const search = new AssumptionSearch(values, async (row): Promise<TestResults> => {
    runs++
    return { results: run(row) }
  })
  await search.search()
  return { ...search.found, runs }
}

function found({ dependencies }: SearchResult): readonly string[] {
  return dependencies.map(({ test, row }) => `${test}: ${configurationText(row)}`)
}

describe('AssumptionSearch', () => {
  it('takes as many runs as the gap with most values has, if all tests pass', async () => {
    const result = await searchIn((row) => resultsOf({ a: [], b: [] }, row))
    expect(result).toMatchObject({ runs: most, dependencies: [], unsteady: [], isComplete: true })
    expect(result.unaffected).toEqual([...new Set(values.map(({ gap }) => gap))])
  })

  it('names each value that a test relies on, and sees every value of a gap', async () => {
    const causes = {
      'adds a pet': [value('defaultStatus'), value('defaultStatus', 1), value('defaultStatus', 2)],
      lists: [value('listOrder', 1)],
      passes: [],
    }
    const result = await searchIn((row) => resultsOf(causes, row))
    expect(found(result)).toEqual([
      'adds a pet: defaultStatus=none',
      'adds a pet: defaultStatus=pending',
      'adds a pet: defaultStatus=sold',
      'lists: listOrder=shuffled',
    ])
    expect(result.unaffected).not.toContain('listOrder')
  })

  it('tries the other values of a gap alone once one of them has made a test fail (T11)', async () => {
    const one = { a: [value('trailingSlash')] }
    const all = { a: valuesAt('trailingSlash').map((each) => [each]) }
    const { runs: few } = await searchIn((row) => resultsOf(one, row))
    const { runs: many } = await searchIn((row) => resultsOf(all, row))
    // For each of the others: the value alone, and the row without it.
    expect(many - few).toBeLessThanOrEqual(2 * (valuesAt('trailingSlash').length - 1))
  })

  it('names values that fail only together', async () => {
    const pair = [...value('banStatus'), ...value('listOrder')]
    const causes = { a: [pair], b: [value('errorCodes')] }
    const result = await searchIn((row) => resultsOf(causes, row))
    expect(found(result)).toEqual([
      'a: listOrder=id-descending,banStatus=403',
      'b: errorCodes=UPPER_CASE',
    ])
  })

  it.each(Array.from({ length: draws(5) }, (_, index) => ({ seed: index + 1 })))(
    'finds three causes of a suite whose tests are not known, in fifty runs (seed $seed)',
    async ({ seed }) => {
      const random = new Random(seed * 7919)
      const gaps = [...grouped(values, ({ gap }) => gap).values()]
      const own = gaps
        .map((choices) => ({ choices, key: random.next() }))
        .sort((one, other) => one.key - other.key)
        .slice(0, 3)
        .map(({ choices }) => choices.slice(0, 1))
      const result = await searchIn((row) => resultsOf({ [wholeSuite]: own }, row))
      expect([...found(result)].sort()).toEqual(
        own.map((row) => `: ${configurationText(row)}`).sort(),
      )
      expect(result.runs).toBeLessThanOrEqual(50)
    },
  )

  it.each(Array.from({ length: draws(10) }, (_, index) => ({ seed: index + 1 })))(
    'blames no value for a test that fails in one of ten runs (seed $seed)',
    async ({ seed }) => {
      const random = new Random(seed * 31_357)
      const result = await searchIn((row) => {
        const flaky = random.next() % 10 === 0 ? 'failed' : 'passed'
        return new Map([...resultsOf({ a: [value('idSequence')] }, row), ['flaky', flaky]])
      })
      expect(found(result)).toEqual(['a: idSequence=large'])
    },
  )

  it('says that a test is flaky that fails once', async () => {
    let runs = 0
    const result = await searchIn(() => new Map([['a', runs++ === 0 ? 'failed' : 'passed']]))
    expect(result).toMatchObject({ dependencies: [], unsteady: ['a'], isComplete: true })
  })

  it('keeps what it has found when a run ends it with an error', async () => {
    const search = new AssumptionSearch(values, async (row) => {
      if (row.length < 5) throw new Error('Interrupted')
      return { results: resultsOf({ a: [value('banStatus')] }, row) }
    })
    await expect(search.search()).rejects.toThrow('Interrupted')
    expect(search.found).toEqual({
      dependencies: [],
      unaffected: [],
      unsteady: [],
      isComplete: false,
    })
  })

  it('ends after 250 runs, and says so', async () => {
    // Each of many tests needs runs of its own.
    const tests = values.flatMap((one, index) =>
      values.slice(index + 1).map((other): [string, readonly Configuration[]] => {
        return [`${index} ${other.gap}=${other.value}`, one.gap === other.gap ? [] : [[one, other]]]
      }),
    )
    const result = await searchIn((row) => resultsOf(Object.fromEntries(tests), row))
    expect(result).toMatchObject({ runs: 250, isComplete: false, unaffected: [] })
  })
})
