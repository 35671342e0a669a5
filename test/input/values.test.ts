import { describe, expect, it } from 'vitest'
import { readInput, type Schema } from '../../src/input/schema.ts'
import {
  anyThat,
  either,
  flag,
  nameIn,
  nullable,
  number,
  oneOf,
  string,
  text,
  whole,
} from '../../src/input/values.ts'

const code = text({ use: 'two capitals', pattern: /^[A-Z]+$/, most: 2 })
const share = number('a number above 0, at most 1', { exclusiveMinimum: 0, maximum: 1 })
const part = number('a number from 0 to 1', { minimum: 0, maximum: 1 })

interface Row {
  readonly what: string
  readonly schema: Schema<unknown, unknown>
  readonly good: readonly unknown[]
  readonly bad: readonly unknown[]
  readonly use: string
  readonly json: object
}

const rows: readonly Row[] = [
  {
    what: 'text()',
    schema: text(),
    good: ['a', ' ', '\n', '5'],
    bad: ['', 5, null, undefined, ['a']],
    use: 'a non-empty string',
    json: { type: 'string', minLength: 1 },
  },
  {
    what: 'text() with a rule',
    schema: code,
    good: ['A', 'AB'],
    bad: ['', 'a', 'ABC', 'A\n', 5],
    use: 'two capitals',
    json: { type: 'string', minLength: 1, maxLength: 2, pattern: '^[A-Z]+$' },
  },
  {
    what: 'string',
    schema: string,
    good: ['', 'a'],
    bad: [5, null, undefined, Object('a')],
    use: 'a string',
    json: { type: 'string' },
  },
  {
    what: 'whole()',
    schema: whole(1, 10),
    good: [1, 5, 10],
    bad: [0, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined],
    use: 'a whole number from 1 to 10',
    json: { type: 'integer', minimum: 1, maximum: 10 },
  },
  {
    what: 'number() with a least',
    schema: part,
    good: [0, 0.5, 1],
    bad: [-0.1, 1.1, Number.NaN, '0.5', null],
    use: 'a number from 0 to 1',
    json: { type: 'number', minimum: 0, maximum: 1 },
  },
  {
    what: 'number() above one',
    schema: share,
    good: [0.1, 1],
    bad: [0, 1.1, Number.NaN, '1', null],
    use: 'a number above 0, at most 1',
    json: { type: 'number', exclusiveMinimum: 0, maximum: 1 },
  },
  {
    what: 'flag',
    schema: flag,
    good: [true, false],
    bad: ['true', 1, null, undefined],
    use: 'true or false',
    json: { type: 'boolean' },
  },
  {
    what: 'oneOf() names',
    schema: oneOf(['a', 'b']),
    good: ['a', 'b'],
    bad: ['c', 'A', '', 1, ['a'], null, undefined],
    use: 'one of a, b',
    json: { type: 'string', enum: ['a', 'b'] },
  },
  {
    what: 'oneOf() a single name',
    schema: oneOf(['a']),
    good: ['a'],
    bad: ['b'],
    use: '"a"',
    json: { type: 'string', enum: ['a'] },
  },
  {
    what: 'oneOf() numbers',
    schema: oneOf([429, 403]),
    good: [429, 403],
    bad: ['429', 404, null],
    use: 'one of 429, 403',
    json: { enum: [429, 403] },
  },
  {
    what: 'nameIn()',
    schema: nameIn({ a: 1, b: 2 }),
    good: ['a', 'b'],
    bad: ['toString', 'c'],
    use: 'one of a, b',
    json: { type: 'string', enum: ['a', 'b'] },
  },
  {
    what: 'nullable()',
    schema: nullable(whole(1, 2)),
    good: [1, null],
    bad: [0, undefined, 'null'],
    use: 'a whole number from 1 to 2',
    json: { anyOf: [{ type: 'integer', minimum: 1, maximum: 2 }, { type: 'null' }] },
  },
  {
    what: 'either()',
    schema: either(whole(1, 2), oneOf(['never'])),
    good: [1, 'never'],
    bad: [0, 'always', null, undefined],
    use: 'a whole number from 1 to 2, or "never"',
    json: {
      anyOf: [
        { type: 'integer', minimum: 1, maximum: 2 },
        { type: 'string', enum: ['never'] },
      ],
    },
  },
  {
    what: 'anyThat()',
    schema: anyThat('a Map', (found) => found instanceof Map, { type: 'object' }),
    good: [new Map()],
    bad: [{}, null, undefined],
    use: 'a Map',
    json: { type: 'object' },
  },
]

describe.each(rows)('$what', ({ schema, good, bad, use, json }) => {
  it('gives what it takes as it is, read and written', () => {
    for (const value of good) {
      expect(schema.read(value)).toBe(value)
      expect(schema.write(value)).toBe(value)
    }
  })

  it('refuses all else, saying what would do', () => {
    for (const value of bad) {
      expect(() => readInput(schema, value, 'it')).toThrow(
        value === undefined
          ? `Cannot set it: it is missing; use ${use}`
          : new RegExp(`^Cannot set it: found .+; use ${use}`),
      )
    }
  })

  it('is described by a JSON Schema', () => {
    expect(schema.describe()).toEqual(json)
  })
})

describe('fromText', () => {
  it.each([
    { schema: whole(1, 9), text: '5', value: 5 },
    { schema: whole(1, 9), text: '-5', value: -5 },
    { schema: whole(1, 9), text: '1e3', value: 1_000 },
    { schema: share, text: '0.5', value: 0.5 },
    { schema: share, text: ' 0.5', value: ' 0.5' },
    { schema: flag, text: '1', value: true },
    { schema: flag, text: '0', value: false },
    { schema: flag, text: 'true', value: true },
    { schema: flag, text: 'false', value: false },
    { schema: flag, text: 'no', value: 'no' },
    { schema: oneOf([429, 403]), text: '403', value: 403 },
    { schema: oneOf([429, 403]), text: '404', value: '404' },
    { schema: nullable(whole(1, 9)), text: '5', value: 5 },
    { schema: either(whole(1, 9), oneOf(['never'])), text: '5', value: 5 },
    { schema: either(whole(1, 9), oneOf(['never'])), text: 'never', value: 'never' },
  ])('turns "$text" into $value', ({ schema, text, value }) => {
    expect(schema.fromText?.(text)).toBe(value)
  })

  it('is absent where a text stands for itself', () => {
    expect([string.fromText, text().fromText, oneOf(['a']).fromText]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })
})

describe('oneOf()', () => {
  it('tells its choices', () => {
    expect(oneOf(['a', 'b']).choices).toEqual(['a', 'b'])
  })
})

describe('either()', () => {
  it('takes no bug of a schema for a refusal', () => {
    const broken = anyThat('nothing', (_found: unknown): _found is string => {
      throw new RangeError('broken')
    })
    expect(() => either(broken, string).read('a')).toThrow('broken')
  })
})
