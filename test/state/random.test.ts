import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mix, Random } from '../../src/state/random.ts'

function numbersOf(seed: number): number[] {
  const random = new Random(seed)
  return Array.from({ length: 5 }, () => random.next())
}

describe('Random', () => {
  it('gives the sequence of mulberry32, so that a seed means the same in any release', () => {
    expect(numbersOf(1).map((number) => number / 2 ** 32)).toEqual([
      0.6270739405881613, 0.002735721180215478, 0.5274470399599522, 0.9810509674716741,
      0.9683778982143849,
    ])
  })

  it('gives whole numbers of 32 bits, the same for the same seed', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const numbers = numbersOf(seed)
        expect(numbersOf(seed)).toEqual(numbers)
        for (const number of numbers) expect(number).toBe(number >>> 0)
      }),
    )
  })

  it('gives another sequence for another seed', () => {
    const firsts = new Set(Array.from({ length: 1_000 }, (_, seed) => numbersOf(seed).join()))
    expect(firsts.size).toBe(1_000)
  })
})

describe('mix()', () => {
  it('spreads the first numbers over 32 bits, no two alike', () => {
    const mixed = Array.from({ length: 10_000 }, (_, bits) => mix(bits + 1))
    expect(new Set(mixed).size).toBe(10_000)
    expect(mixed.filter((bits) => bits !== bits >>> 0)).toEqual([])
    expect(mixed.filter((bits) => bits >= 2 ** 31).length).toBeGreaterThan(4_500)
  })
})
