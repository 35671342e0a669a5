import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ApiError } from '../../src/contract/error.ts'
import { defaultGaps } from '../../src/contract/gaps.ts'
import { parseJson } from '../../src/contract/json.ts'
import { petJson, petSchema } from '../../src/contract/pet.ts'
import { parseNewPet } from '../../src/engine/operations/create-pet.ts'
import { InputError } from '../../src/input/input-error.ts'
import { readInput } from '../../src/input/schema.ts'

describe('parseNewPet()', () => {
  it('reads name, categoryId and status', () => {
    const pet = { name: 'Rex', categoryId: 1, status: 'sold' }
    expect(parseNewPet(pet, defaultGaps)).toEqual(pet)
  })

  it('leaves out a status that is not there', () => {
    expect(parseNewPet({ name: 'Rex', categoryId: 1 }, defaultGaps)).toEqual({
      name: 'Rex',
      categoryId: 1,
    })
  })

  it('drops properties that a new pet does not have', () => {
    const value = parseJson('{"name":"Rex","categoryId":1,"id":5,"__proto__":{"status":"sold"}}')
    expect(parseNewPet(value, defaultGaps)).toStrictEqual({ name: 'Rex', categoryId: 1 })
  })

  it('reads own properties only', () => {
    const value = Object.create({ name: 'Rex', categoryId: 1 }) as unknown
    expect(() => parseNewPet(value, defaultGaps)).toThrow(
      'Cannot use name: it is missing; send a string',
    )
  })

  it.each([
    { field: 'the pet', value: null, message: 'Cannot read the pet: found null' },
    { field: 'the pet', value: [], message: 'Cannot read the pet: found an array of 0' },
    { field: 'the pet', value: 'Rex', message: 'Cannot read the pet: found "Rex"' },
    {
      field: 'name',
      value: { categoryId: 1 },
      message: 'Cannot use name: it is missing; send a string',
    },
    {
      field: 'name',
      value: { name: 5, categoryId: 1 },
      message: 'Cannot use name: found 5; send a string',
    },
    {
      field: 'name',
      value: { name: null, categoryId: 1 },
      message: 'Cannot use name: found null; send a string',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex' },
      message: 'Cannot use categoryId: it is missing; send an integer (int64)',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex', categoryId: '1' },
      message:
        'Cannot use categoryId: found "1"; send an integer from -9223372036854775808 to 9223372036854775807',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex', categoryId: 1.5 },
      message: 'Cannot use categoryId: found 1.5; send an integer from',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex', categoryId: 2n ** 63n },
      message: 'Cannot use categoryId: found 9223372036854775808; send an integer from',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex', categoryId: Number.NaN },
      message: 'Cannot use categoryId: found a fraction; send an integer from',
    },
    {
      field: 'categoryId',
      value: { name: 'Rex', categoryId: Number.POSITIVE_INFINITY },
      message: 'Cannot use categoryId: found a number too large; send an integer from',
    },
    {
      field: 'status',
      value: { name: 'Rex', categoryId: 1, status: 'Sold' },
      message: 'Cannot use status: found "Sold"; send one of available, pending, sold',
    },
    {
      field: 'status',
      value: { name: 'Rex', categoryId: 1, status: null },
      message: 'Cannot use status: found null; send one of available, pending, sold',
    },
  ])('names $field, what was found and what would do: $message', ({ value, message }) => {
    expect(() => parseNewPet(value, defaultGaps)).toThrow(ApiError)
    expect(() => parseNewPet(value, defaultGaps)).toThrow(message)
  })
})

describe('petSchema', () => {
  it.each([
    { id: 7, expected: 7 },
    { id: '7', expected: 7 },
    { id: '9223372036854775807', expected: 9223372036854775807n },
    { id: -9223372036854775808n, expected: -9223372036854775808n },
  ])('reads the id $id, as a number or as text', ({ id, expected }) => {
    expect(petSchema.read({ id, name: 'Rex', categoryId: 1 }).id).toBe(expected)
  })

  it('reads a categoryId that is text', () => {
    const pet = petSchema.read({ id: 1, name: 'Rex', categoryId: '9007199254740993' })
    expect(pet.categoryId).toBe(9007199254740993n)
  })

  it('writes ids that not every tool keeps as text', () => {
    const pet = { id: 2n ** 63n - 1n, name: 'Rex', categoryId: 1, status: 'sold' } as const
    expect(petSchema.write(pet)).toEqual({ ...pet, id: '9223372036854775807' })
  })

  it.each([
    {
      value: null,
      message:
        'Cannot set pet: found null; use an object such as { "id": 1, "name": "Rex", "categoryId": 1 }',
    },
    {
      value: { name: 'Rex', categoryId: 1 },
      message: 'Cannot set pet.id: it is missing; use an integer from -9223372036854775808 to',
    },
    {
      value: { id: 'a', name: 'Rex', categoryId: 1 },
      message: 'Cannot set pet.id: found "a"; use an integer from',
    },
    {
      value: { id: 2 ** 53, name: 'Rex', categoryId: 1 },
      message: 'Cannot set pet.id: found 9007199254740992; use an integer from',
    },
    {
      value: { id: 1, name: 'Rex', categoryId: 'a' },
      message: 'Cannot set pet.categoryId: found "a"; use an integer from',
    },
    {
      value: { id: 1, name: 5, categoryId: 1 },
      message: 'Cannot set pet.name: found 5; use a string',
    },
    {
      value: { id: 1, name: 'Rex', categoryId: 1, status: null },
      message: 'Cannot set pet.status: found null; use one of available, pending, sold',
    },
    {
      value: { id: 1, name: 'Rex', categoryId: 1, tag: 'x' },
      message: 'Cannot set pet.tag: unknown property; use id, name, categoryId, status',
    },
  ])('refuses what is no pet: $message', ({ value, message }) => {
    expect(() => readInput(petSchema, value)).toThrow(InputError)
    expect(() => readInput(petSchema, value)).toThrow(message)
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
    fc.assert(
      fc.property(
        int64,
        int64,
        name,
        fc.constantFrom('available', 'sold'),
        (id, category, text, status) => {
          const pet = petSchema.read({ id, categoryId: category, name: text, status })
          expect(petSchema.read(parseJson(petJson(pet)))).toEqual(pet)
        },
      ),
    )
  })
})
