import { make } from 'covertable'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coveringRows, type Levels } from '../../../src/explore/suite/covering-rows.ts'

/** Some factors with their levels. */
const anyLevels = (most: number) => fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: most })

/** Which of some combinations of levels stand in no row. */
function missingIn(rows: readonly Levels[], levels: Levels, strength: number): string[] {
  const size = Math.min(strength, levels.length)
  const inRow = (row: Levels): string[] => {
    const single = row.map((level) => [level])
    return tuplesIn(single, size)
  }
  const present = new Set(rows.flatMap(inRow))
  const all = levels.map((count) => Array.from({ length: count }, (_, level) => level))
  return tuplesIn(all, size).filter((tuple) => !present.has(tuple))
}

/** Writes all tuples of levels that can be taken from some factors, such as `0:1 3:0`. */
function tuplesIn(levels: readonly Levels[], size: number, from = 0): string[] {
  if (size === 0) return ['']
  return levels.flatMap((own, factor) => {
    if (factor < from) return []
    const rests = tuplesIn(levels, size - 1, factor + 1)
    return own.flatMap((level) => rests.map((rest) => `${factor}:${level} ${rest}`))
  })
}

describe('coveringRows()', () => {
  it.each([
    { strength: 2, most: 9 },
    { strength: 3, most: 7 },
  ] as const)('has every tuple of $strength levels in a row', ({ strength, most }) => {
    const property = fc.property(anyLevels(most), fc.nat(), (levels, seed) => {
      const usual = levels.map(() => 0)
      const rows = coveringRows({ levels, strength, seed, tried: [usual] })
      expect(missingIn([usual, ...rows], levels, strength)).toEqual([])
      for (const row of rows) expect(row.every((at, index) => at < (levels[index] ?? 0))).toBe(true)
    })
    fc.assert(property, { numRuns: 20 })
  })

  it('needs at most one row more than covertable, the usual row included', () => {
    const property = fc.property(
      fc.array(fc.integer({ min: 2, max: 4 }), { minLength: 2, maxLength: 7 }),
      fc.nat(),
      (levels, seed) => {
        const rows = coveringRows({ levels, strength: 2, seed, tried: [levels.map(() => 0)] })
        const factors = levels.map((count) => Array.from({ length: count }, (_, level) => level))
        expect(rows.length + 1).toBeLessThanOrEqual(make(factors).length + 1)
      },
    )
    fc.assert(property, { numRuns: 20 })
  })

  it('makes the same rows of the same seed', () => {
    const options = { levels: [3, 2, 2, 4, 3, 2], strength: 2, seed: 7 } as const
    expect(coveringRows(options)).toEqual(coveringRows(options))
    expect(coveringRows({ ...options, seed: 8 })).not.toEqual(coveringRows(options))
  })

  it('covers all but the tuples with a culprit in rows without one', () => {
    const levels = [2, 2, 3, 2, 3]
    const culprits = [
      [{ factor: 0, level: 1 }],
      [
        { factor: 2, level: 2 },
        { factor: 4, level: 1 },
      ],
    ]
    const rows = coveringRows({ levels, strength: 2, seed: 1, culprits })
    const isSpoilt = (row: Levels): boolean => row[0] === 1 || (row[2] === 2 && row[4] === 1)
    expect(rows.filter(isSpoilt)).toEqual([])
    const missing = missingIn(rows, levels, 2)
    expect(missing.filter((tuple) => !/^0:1|2:2 4:1/.test(tuple))).toEqual([])
  })

  it('has nothing to cover without factors, and nothing that is covered', () => {
    expect(coveringRows({ levels: [], strength: 2, seed: 1 })).toEqual([])
    expect(coveringRows({ levels: [1, 1], strength: 2, seed: 1, tried: [[0, 0]] })).toEqual([])
  })
})
