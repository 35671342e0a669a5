import { describe, expect, it } from 'vitest'
import { list } from '../../src/input/collections.ts'
import { hoisted } from '../../src/input/hoisted.ts'
import { object, optional, withDefault } from '../../src/input/object.ts'
import { described, named } from '../../src/input/schema.ts'
import { string, whole } from '../../src/input/values.ts'

const count = named('Count', whole(0, 5))

describe('hoisted()', () => {
  it('puts each named schema in one place, and refers to it', () => {
    const schema = object({ first: count, others: list(count) })
    expect(hoisted({ body: schema.describe() })).toEqual({
      document: {
        body: {
          type: 'object',
          properties: {
            first: { $ref: '#/components/schemas/Count' },
            others: { type: 'array', items: { $ref: '#/components/schemas/Count' } },
          },
          required: ['first', 'others'],
          additionalProperties: false,
        },
      },
      schemas: { Count: { type: 'integer', minimum: 0, maximum: 5 } },
    })
  })

  it('leaves what is said of a place at the place', () => {
    const schema = object({
      least: described('The least.', count),
      most: withDefault(count, 5),
    })
    expect(hoisted(schema.describe(), '#/$defs/')).toMatchObject({
      document: {
        properties: {
          least: { $ref: '#/$defs/Count', description: 'The least.' },
          most: { $ref: '#/$defs/Count', default: 5 },
        },
      },
      schemas: { Count: { type: 'integer', minimum: 0, maximum: 5 } },
    })
  })

  it('hoists the named parts of named schemas', () => {
    const pair = named('Pair', object({ one: count, other: optional(count) }))
    const { document, schemas } = hoisted(pair.describe())
    expect(document).toEqual({ $ref: '#/components/schemas/Pair' })
    expect(Object.keys(schemas)).toEqual(['Count', 'Pair'])
    expect(schemas.Pair).toMatchObject({
      properties: { one: { $ref: '#/components/schemas/Count' } },
    })
  })

  it('leaves all else as it is', () => {
    const document = { a: [1, null, 'text', { b: true }], 'x-other': {} }
    expect(hoisted(document)).toEqual({ document, schemas: {} })
  })

  it('refuses two schemas with one name', () => {
    const schema = object({ one: count, other: named('Count', string) })
    expect(() => hoisted(schema.describe())).toThrow(
      'Cannot describe Count: two schemas have this name; use another',
    )
  })
})
