import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { smallerLists } from '../../../../src/checks/assumptions/smaller-lists.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

/** Searches to its end. */
function smallest(
  all: readonly number[],
  shows: (items: readonly number[]) => boolean,
): readonly number[] {
  const search = smallerLists(all)
  let next = search.next()
  while (!next.done) next = search.next(shows(next.value))
  return next.value
}

describe('smallerLists()', () => {
  it('finds exactly what it takes, in its order', () => {
    const sometimes = new Sometimes('nothing needed', 'several needed')
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 }),
        fc.uniqueArray(fc.nat(59), { maxLength: 5 }),
        (count, wanted) => {
          const needed = wanted.filter((one) => one < count).sort((one, other) => one - other)
          const shows = (items: readonly number[]) => needed.every((one) => items.includes(one))
          expect(smallest(numbers(count), shows)).toEqual(needed)
          sometimes.meet({
            'nothing needed': needed.length === 0,
            'several needed': needed.length > 1,
          })
        },
      ),
    )
    sometimes.expectAllMet()
  })

  it('leaves nothing that can be left out, where several parts show it', () => {
    const sometimes = new Sometimes('several parts', 'a part that is smaller')
    const property = fc.property(
      fc.uniqueArray(fc.nat(99), { minLength: 1, maxLength: 24 }).chain((whole) =>
        fc.record({
          whole: fc.constant(whole),
          causes: fc.array(fc.subarray(whole, { minLength: 1 }), { minLength: 1, maxLength: 3 }),
        }),
      ),
      ({ whole, causes }) => {
        const shows = (part: readonly number[]): boolean =>
          causes.some((cause) => cause.every((one) => part.includes(one)))
        const part = smallest(whole, shows)
        expect(shows(part)).toBe(true)
        for (const one of part) expect(shows(part.filter((other) => other !== one))).toBe(false)
        sometimes.meet({
          'several parts': causes.length > 1,
          'a part that is smaller': part.length < whole.length,
        })
      },
    )
    fc.assert(property)
    sometimes.expectAllMet()
  })
})
