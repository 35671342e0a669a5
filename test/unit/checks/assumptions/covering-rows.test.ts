import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coveringRows } from '../../../../src/checks/assumptions/covering-rows.ts'
import { type Configuration, type GapValue, hasAll } from '../../../../src/checks/replay/choices.ts'
import { gapNames } from '../../../../src/mock/api/gaps.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

/** How many choices there are at each of some gaps, beside the baseline one. */
const anyCounts = (most: number) => fc.array(fc.nat({ max: 3 }), { maxLength: most })

/** Choices at gaps, numbered from 1. */
function choicesOf(counts: readonly number[]): GapValue[] {
  return counts.flatMap((count, index) =>
    Array.from({ length: count }, (_, at) => ({
      gap: gapNames[index] ?? 'listOrder',
      value: at + 1,
    })),
  )
}

/** What of the choices at so many gaps stands together in no row, such as `listOrder=1 banStatus=0`. */
function missingIn(
  rows: readonly Configuration[],
  choices: readonly GapValue[],
  strength: number,
): string[] {
  const gaps = [...new Set(choices.map(({ gap }) => gap))]
  const size = Math.min(strength, gaps.length)
  const present = rows.flatMap((row) => {
    const cells = gaps.map((gap) => [`${gap}=${row.find((one) => one.gap === gap)?.value ?? 0}`])
    return combined(cells, size)
  })
  const cells = gaps.map((gap) => {
    const own = choices.filter((one) => one.gap === gap)
    return [`${gap}=0`, ...own.map(({ value }) => `${gap}=${value}`)]
  })
  const known = new Set(present)
  return combined(cells, size).filter((tuple) => !known.has(tuple))
}

function combined(cells: readonly (readonly string[])[], size: number): string[] {
  if (size === 0) return ['']
  return cells.flatMap((own, index) => {
    const rests = combined(cells.slice(index + 1), size - 1)
    return own.flatMap((cell) => rests.map((rest) => `${cell} ${rest}`))
  })
}

describe('coveringRows()', () => {
  it.each([
    { strength: 2, most: 9 },
    { strength: 3, most: 7 },
  ] as const)('has every tuple of $strength choices in a row', ({ strength, most }) => {
    const sometimes = new Sometimes('more gaps than stand together')
    const property = fc.property(anyCounts(most), fc.nat(), (counts, seed) => {
      const choices = choicesOf(counts)
      const gaps = new Set(choices.map(({ gap }) => gap))
      sometimes.meet({ 'more gaps than stand together': gaps.size > strength })
      const rows = coveringRows({ choices, strength, seed, tried: [[]] })
      expect(missingIn([[], ...rows], choices, strength)).toEqual([])
      for (const row of rows) expect(hasAll(choices, row)).toBe(true)
    })
    fc.assert(property, { numRuns: draws(20) })
    sometimes.expectAllMet()
  })

  // The rows that covertable 2.5.2, another generator, needs for the same choices.
  it.each([
    { counts: [1, 1, 1], rows: 4 },
    { counts: [1, 1, 1, 1], rows: 6 },
    { counts: [1, 2, 3], rows: 12 },
    { counts: [2, 2, 2, 2], rows: 9 },
    { counts: [2, 2, 2, 2, 2], rows: 13 },
    { counts: [3, 3, 3, 3], rows: 19 },
    { counts: [1, 1, 2, 2, 3, 3], rows: 16 },
    { counts: [3, 2, 2, 1, 1, 1, 1], rows: 13 },
    { counts: [1, 1, 1, 1, 1, 1, 1], rows: 8 },
    { counts: [3, 3, 3, 3, 3, 3, 3], rows: 26 },
  ])('covers the pairs of $counts choices in $rows rows or one more', ({ counts, rows }) => {
    for (let seed = 1; seed <= draws(10); seed++) {
      const found = coveringRows({ choices: choicesOf(counts), strength: 2, seed, tried: [[]] })
      expect(found.length + 1).toBeLessThanOrEqual(rows + 1)
    }
  })

  it('makes the same rows of the same seed', () => {
    const options = { choices: choicesOf([2, 1, 1, 3, 2, 1]), strength: 2, seed: 7 } as const
    expect(coveringRows(options)).toEqual(coveringRows(options))
    expect(coveringRows({ ...options, seed: 8 })).not.toEqual(coveringRows(options))
  })

  it('covers all but what has a cause in rows without one', () => {
    const choices = choicesOf([1, 1, 2, 1, 2])
    const one = choices.filter(({ gap }) => gap === gapNames[0])
    const pair = choices.filter(
      ({ gap, value }) =>
        (gap === gapNames[2] && value === 2) || (gap === gapNames[4] && value === 1),
    )
    const rows = coveringRows({ choices, strength: 2, seed: 1, causes: [one, pair] })
    expect(rows.filter((row) => hasAll(row, one) || hasAll(row, pair))).toEqual([])
    const spoilt = [`${gapNames[0]}=1`, `${gapNames[2]}=2 ${gapNames[4]}=1`]
    const missing = missingIn(rows, choices, 2)
    expect(missing.filter((tuple) => !spoilt.some((text) => tuple.includes(text)))).toEqual([])
  })

  it('has nothing to cover without choices, and nothing that is covered', () => {
    expect(coveringRows({ choices: [], strength: 2, seed: 1 })).toEqual([])
    const choices = choicesOf([1])
    expect(coveringRows({ choices, strength: 2, seed: 1, tried: [[], choices] })).toEqual([])
  })
})
