import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../../src/mock/api/json.ts'
import { petJson, petSchema } from '../../../../src/mock/api/pet.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

describe('petSchema', () => {
  it.each([
    { id: 7, expected: 7 },
    { id: '7', expected: 7 },
    { id: '9223372036854775807', expected: 9223372036854775807n },
    { id: -9223372036854775808n, expected: -9223372036854775808n },
  ])('reads the id $id, as a number or as text', ({ id, expected }) => {
    expect(petSchema.parse({ id, name: 'Rex', categoryId: 1 }).id).toBe(expected)
  })

  it('reads a categoryId that is text', () => {
    const pet = petSchema.parse({ id: 1, name: 'Rex', categoryId: '9007199254740993' })
    expect(pet.categoryId).toBe(9007199254740993n)
  })

  it('writes ids that not every tool keeps as text', () => {
    const pet = { id: 2n ** 63n - 1n, name: 'Rex', categoryId: 1, status: 'sold' } as const
    expect(petSchema.encode(pet)).toEqual({ ...pet, id: '9223372036854775807' })
  })
})

describe('petJson()', () => {
  it('writes the fields in the order of the spec', () => {
    expect(petJson({ status: 'sold', categoryId: 2n ** 53n, name: 'a"b', id: 1 })).toBe(
      '{"id":1,"name":"a\\"b","categoryId":9007199254740992,"status":"sold"}',
    )
  })

  it('writes no status where there is none', () => {
    expect(petJson({ id: 1, name: 'Rex', categoryId: 1 })).toBe(
      '{"id":1,"name":"Rex","categoryId":1}',
    )
  })

  it('writes what petSchema reads back unchanged', () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })
    const name = fc.string({ unit: fc.nat(0xffff).map((code) => String.fromCharCode(code)) })
    const sometimes = new Sometimes('an id beyond 2^53', 'a lone surrogate')
    fc.assert(
      fc.property(
        int64,
        int64,
        name,
        fc.constantFrom('available', 'sold'),
        (id, category, text, status) => {
          const pet = petSchema.parse({ id, categoryId: category, name: text, status })
          expect(petSchema.parse(parseJson(petJson(pet)))).toEqual(pet)
          sometimes.meet({
            'an id beyond 2^53': typeof pet.id === 'bigint',
            'a lone surrogate': !text.isWellFormed(),
          })
        },
      ),
    )
    sometimes.expectAllMet()
  })
})
