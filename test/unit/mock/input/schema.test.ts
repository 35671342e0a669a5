import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/mock/input/input-error.ts'
import { list, object, optional, withDefault } from '../../../../src/mock/input/object.ts'
import {
  described,
  hoisted,
  identity,
  named,
  readInput,
  readPart,
  ValidationError,
} from '../../../../src/mock/input/schema.ts'
import { duration, integer, string } from '../../../../src/mock/input/values.ts'

function errorOf(run: () => unknown): unknown {
  try {
    return run()
  } catch (thrown) {
    return thrown
  }
}

describe('readInput()', () => {
  const count = integer(1, 10)

  it('gives what was read', () => {
    expect(readInput(count, 5, 'count')).toBe(5)
  })

  it.each([
    { value: 'soon', found: 'found "soon"' },
    { value: 11, found: 'found 11' },
    { value: null, found: 'found null' },
    { value: undefined, found: 'required' },
  ])('rejects $value: what it is, what was found, what is accepted', ({ value, found }) => {
    expect(errorOf(() => readInput(count, value, 'count'))).toEqual(
      new InputError(
        `Cannot set count: ${found}; use a whole number from 1 to 10`,
        [],
        found === 'required' ? 'missing' : 'invalid-value',
      ),
    )
  })

  it('calls a value by its title, or else the options', () => {
    expect(() => readInput({ ...count, title: 'count' }, 0)).toThrow(/^Cannot set count: found 0;/)
    expect(() => readInput(count, 0)).toThrow(/^Cannot set the options: found 0;/)
  })

  it.each([
    { path: [], place: 'faults' },
    { path: ['ms'], place: 'faults.ms' },
    { path: [2], place: 'faults[2]' },
    { path: [2, 'ms', 0], place: 'faults[2].ms[0]' },
    { path: ['x-api-key'], place: 'faults.x-api-key' },
    { path: ['a b'], place: 'faults["a b"]' },
    { path: ['a.b', 'c'], place: 'faults["a.b"].c' },
    { path: [''], place: 'faults[""]' },
    { path: ['x'.repeat(61)], place: `faults["${'x'.repeat(56)}...]` },
    { path: ['a\nb'], place: 'faults["a\\nb"]' },
  ])('writes the place $path as code would: $place', ({ path, place }) => {
    const rejecting = {
      parse: () => {
        throw new ValidationError('found 5; use 6', path)
      },
    }
    const error = errorOf(() => readInput(rejecting, {}, 'faults'))
    expect(error).toMatchObject({ message: `Cannot set ${place}: found 5; use 6`, path })
  })

  it('calls a property of what has no name by its own', () => {
    expect(() => readInput(object({ port: count }), { port: 0 })).toThrow(/^Cannot set port: /)
  })

  it('lets any other error through as it is', () => {
    const bug = new RangeError('Cannot do it')
    const broken = {
      parse: () => {
        throw bug
      },
    }
    expect(errorOf(() => readInput(broken, {}))).toBe(bug)
    expect(errorOf(() => readPart('a', broken.parse))).toBe(bug)
  })
})

describe('asGiven()', () => {
  it('checks a value, and gives it in the form in which it is written', () => {
    const schema = identity(duration)
    expect(schema.parse(1_500)).toBe('1s500ms')
    expect(schema.encode(1_500)).toBe(1_500)
    expect(() => schema.parse('soon')).toThrow(ValidationError)
  })
})

const count = named('Count', integer(0, 5))

describe('hoisted()', () => {
  it('puts each named schema in one place, and refers to it', () => {
    const schema = object({ first: count, others: list(count) })
    expect(hoisted({ body: schema.jsonSchema() })).toEqual({
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
    expect(hoisted(schema.jsonSchema(), '#/$defs/')).toMatchObject({
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
    const { document, schemas } = hoisted(pair.jsonSchema())
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

  it('rejects two schemas with one name', () => {
    const schema = object({ one: count, other: named('Count', string) })
    expect(() => hoisted(schema.jsonSchema())).toThrow(
      'Cannot describe Count: two schemas have this name; use another',
    )
  })
})
