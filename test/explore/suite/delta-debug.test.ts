import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deltaDebug } from '../../../src/explore/suite/culprits.ts'

describe('deltaDebug()', () => {
  it('finds a part from which nothing can be left out', () => {
    const property = fc.property(
      fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 24 }).chain((whole) =>
        fc.record({
          whole: fc.constant(whole),
          culprits: fc.array(fc.subarray(whole, { minLength: 1 }), { minLength: 1, maxLength: 3 }),
        }),
      ),
      ({ whole, culprits }) => {
        const fails = (part: readonly number[]): boolean =>
          culprits.some((culprit) => culprit.every((one) => part.includes(one)))
        const { part, unknown } = deltaDebug(whole, fails)
        expect(unknown).toBeUndefined()
        expect(fails(part)).toBe(true)
        for (const one of part) expect(fails(part.filter((other) => other !== one))).toBe(false)
      },
    )
    fc.assert(property)
  })

  it('ends at what it would have to know', () => {
    const { unknown } = deltaDebug(['a', 'b', 'c', 'd'], (part) =>
      part.includes('a') && part.length === 2 ? undefined : true,
    )
    expect(unknown).toEqual(['a', 'b'])
  })
})
