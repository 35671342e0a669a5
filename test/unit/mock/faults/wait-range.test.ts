import { describe, expect, it } from 'vitest'
import { waitRange } from '../../../../src/mock/faults/fault-rules.ts'
import { duration } from '../../../../src/mock/input/values.ts'

const range = waitRange(duration)

describe('waitRange()', () => {
  it.each([
    { given: 5, read: [5, 5], written: '5ms' },
    { given: '1s-3s', read: [1_000, 3_000], written: ['1s', '3s'] },
    { given: ['1s', 3_000], read: [1_000, 3_000], written: ['1s', '3s'] },
    { given: [7, 7], read: [7, 7], written: '7ms' },
  ])('reads $given as $read, and writes $written', ({ given, read, written }) => {
    expect(range.parse(given)).toEqual(read)
    expect(range.encode(range.parse(given))).toEqual(written)
  })

  it('takes no bug of a schema for a rejection', () => {
    const broken = waitRange({
      ...duration,
      parse() {
        throw new RangeError('broken')
      },
    })
    expect(() => broken.parse(5)).toThrow('broken')
  })
})
