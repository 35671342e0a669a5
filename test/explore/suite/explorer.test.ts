import { describe, expect, it } from 'vitest'
import { rowOf, rowText } from '../../../src/explore/suite/row.ts'
import { exploreSimulated, promised, takeChoices } from '../../kit/simulated-suite.ts'

/** Suites that lean on two choices, and on a pair of two others, of 14 that matter. */
const leaning = Array.from({ length: 20 }, (_, index) => {
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
  it.each(leaning)(
    'names what each of 40 tests leans on within 40 runs (seed $seed)',
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
  it.each(leaning)(
    'names what a suite leans on whose tests are not known (seed $seed)',
    async ({ seed, choices, single, other, pair }) => {
      const culprits = { '': [single, other, pair] }
      const result = await exploreSimulated({ choices, culprits, tests: 0 }, seed)
      expect(found(result.dependencies)).toEqual(
        [single, other, pair].map((row) => `: ${rowText(row)}`).sort(),
      )
      expect(result.runs).toBeLessThanOrEqual(43)
      expect(result).toMatchObject({ unsteady: [], unexplained: [] })
    },
  )
})
