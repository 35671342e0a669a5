import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { smallestList } from '../../../src/explore/capture/replay-capture.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index)

describe('smallestList()', () => {
  it('finds exactly what it takes, in its order', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 60 }),
        fc.uniqueArray(fc.nat(59), { maxLength: 5 }),
        async (count, wanted) => {
          const needed = wanted.filter((one) => one < count).sort((one, other) => one - other)
          const shows = async (items: readonly number[]) =>
            needed.every((one) => items.includes(one))
          const found = await smallestList(numbers(count), shows, () => true)
          expect(found).toEqual({ items: needed, isSmallest: true })
        },
      ),
    )
  })

  it('leaves out what only another item made necessary', async () => {
    // Any two of the last three will do, or a pair that goes together.
    const shows = async (items: readonly number[]) =>
      items.filter((one) => one >= 6).length >= 2 || (items.includes(0) && items.includes(3))
    const { items } = await smallestList(numbers(9), shows, () => true)
    expect(items).toHaveLength(2)
  })

  it('says so when it is cut off', async () => {
    let tries = 0
    const shows = async () => ++tries > 1
    const { items, isSmallest } = await smallestList(numbers(8), shows, () => tries < 2)
    expect({ length: items.length, isSmallest, tries }).toEqual({
      length: 4,
      isSmallest: false,
      tries: 2,
    })
  })
})
