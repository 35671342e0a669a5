import { describe, expect, it } from 'vitest'
import { Explorer } from '../../../src/explore/suite/explorer.ts'
import { wholeSuite } from '../../../src/explore/suite/observation.ts'
import { type Row, rowOf, rowText } from '../../../src/explore/suite/row.ts'
import {
  exploreFlaky,
  exploreSimulated,
  promised,
  simulate,
  takeChoices,
} from '../../kit/simulated-suite.ts'

/** Suites that depend on two choices, and on a pair of two others, of 14 that matter. */
const dependent = Array.from({ length: 20 }, (_, index) => {
  const seed = index + 1
  const chosen = takeChoices(14, seed * 7919)
  const [one, two, three, four] = chosen
  if (one === undefined || two === undefined || three === undefined || four === undefined) {
    throw new Error('Cannot take choices: there are too few')
  }
  const gaps = new Set(chosen.map(({ gap }) => gap))
  const choices = promised.filter(({ gap }) => gaps.has(gap))
  return { seed, choices, single: rowOf([one]), other: rowOf([two]), pair: rowOf([three, four]) }
})

/** Writes what was found, in order. */
function found(dependencies: readonly { readonly test: string; readonly row: typeof promised }[]) {
  return dependencies.map(({ test, row }) => `${test}: ${rowText(row)}`).sort()
}

describe('Explorer', () => {
  it.each(dependent)(
    'names what each of 40 tests depends on within 40 runs (seed $seed)',
    async ({ seed, choices, single, other, pair }) => {
      const culprits = { 'test 3': [single], 'test 17': [other], 'test 30': [pair] }
      const result = await exploreSimulated({ choices, culprits, tests: 40 }, seed)
      expect(found(result.dependencies)).toEqual(
        [
          `test 17: ${rowText(other)}`,
          `test 3: ${rowText(single)}`,
          `test 30: ${rowText(pair)}`,
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
      const culprits = { '': [single, other, pair] }
      const result = await exploreSimulated({ choices, culprits, tests: 0 }, seed)
      expect(found(result.dependencies)).toEqual(
        [single, other, pair].map((row) => `: ${rowText(row)}`).sort(),
      )
      expect(result.runs).toBeLessThanOrEqual(54)
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
      for (const { seed, choices, single } of dependent.slice(0, 10)) {
        const culprits = { 'test 3': [single] }
        const { dependencies } = await exploreFlaky(
          { choices, culprits, tests },
          { test, share, seed },
        )
        const own = dependencies.filter((one) => one.test === test)
        wrong.push(...found(own).filter((one) => tests > 0 || one !== `: ${rowText(single)}`))
      }
      expect(wrong).toEqual([])
    },
  )

  it('says what it does not know yet when it is asked before its end', async () => {
    const [{ seed, choices, single } = { seed: 1, choices: promised, single: [] }] = dependent
    const suite = { choices, culprits: { 'test 3': [single] }, tests: 40 }
    const usual = [1, 2].map(() => simulate(suite, []))
    const run = async (row: Row) => await Promise.resolve(simulate(suite, row))
    const explorer = new Explorer({
      ...{ strength: 2, seed, choices: promised, tries: 'mattering' },
      ...{ usual, run },
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
})
