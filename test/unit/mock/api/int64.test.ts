import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareInt64, parseInt64, toInt64 } from '../../../../src/mock/api/int64.ts'
import { parseJson, toJson } from '../../../../src/mock/api/json.ts'
import { anyCharacter } from '../../../kit/any-character.ts'
import { draws } from '../../../kit/draws.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

describe('toInt64()', () => {
  it.each([
    { value: 0, expected: 0 },
    { value: -0, expected: 0 },
    { value: 9007199254740991, expected: 9007199254740991 },
    { value: 9007199254740991n, expected: 9007199254740991 },
    { value: 9007199254740992n, expected: 9007199254740992n },
    { value: -9007199254740992n, expected: -9007199254740992n },
    { value: 9223372036854775807n, expected: 9223372036854775807n },
    { value: -9223372036854775808n, expected: -9223372036854775808n },
  ])('brings $value into its one form, $expected', ({ value, expected }) => {
    expect(toInt64(value)).toBe(expected)
  })

  it.each([
    { value: 9007199254740992, why: 'a number that has lost digits' },
    { value: 9223372036854775808n, why: 'one more than int64 holds' },
    { value: -9223372036854775809n, why: 'one less than int64 holds' },
    { value: 1.5, why: 'a fraction' },
    { value: Number.NaN, why: 'no number' },
    { value: Number.POSITIVE_INFINITY, why: 'no integer' },
    { value: '1', why: 'a string' },
    { value: true, why: 'a boolean' },
    { value: null, why: 'null' },
  ])('has no form for $value, which is $why', ({ value }) => {
    expect(toInt64(value)).toBeUndefined()
  })
})

describe('parseInt64()', () => {
  it('reads every int64 digit for digit', () => {
    const sometimes = new Sometimes('an id beyond 2^53', 'a negative one')
    fc.assert(
      fc.property(int64, (id) => {
        expect(BigInt(parseInt64(String(id)) ?? 'none')).toBe(id)
        sometimes.meet({ 'an id beyond 2^53': id > 2n ** 53n, 'a negative one': id < 0 })
      }),
    )
    sometimes.expectAllMet()
  })

  it.each([
    { text: '007', expected: 7 },
    { text: '-0', expected: 0 },
    { text: `${'0'.repeat(20)}9223372036854775807`, expected: 9223372036854775807n },
  ])('reads $text as $expected', ({ text, expected }) => {
    expect(parseInt64(text)).toBe(expected)
  })

  it.each([
    '',
    '-',
    '+1',
    ' 1',
    '1 ',
    '1\n',
    '1.0',
    '1e2',
    '0x1',
    '1n',
    '١',
    '１',
    'NaN',
    '9223372036854775808',
    '-9223372036854775809',
    '9'.repeat(1000),
  ])('does not read %j', (text) => {
    expect(parseInt64(text)).toBeUndefined()
  })
})

describe('compareInt64()', () => {
  it('orders any two by value, whichever their forms', () => {
    const sometimes = new Sometimes('a number and a bigint', 'a lesser', 'a greater')
    fc.assert(
      fc.property(int64, fc.oneof(int64, fc.bigInt(-5n, 5n)), (left, right) => {
        const expected = left < right ? -1 : left > right ? 1 : 0
        expect(compareInt64(toInt64(left) ?? 0, toInt64(right) ?? 0)).toBe(expected)
        sometimes.meet({
          'a number and a bigint': typeof toInt64(left) !== typeof toInt64(right),
          'a lesser': expected < 0,
          'a greater': expected > 0,
        })
      }),
    )
    sometimes.expectAllMet()
  })
})

describe('toJson()', () => {
  it.each([
    { value: 9223372036854775807n, json: '9223372036854775807' },
    {
      value: { id: -9223372036854775808n, name: 'a"b' },
      json: '{"id":-9223372036854775808,"name":"a\\"b"}',
    },
    { value: [1, 'a', null, true, [2n]], json: '[1,"a",null,true,[2]]' },
    { value: { kept: 1, left: undefined }, json: '{"kept":1}' },
    { value: [undefined], json: '[null]' },
    { value: '\ud83d', json: '"\\ud83d"' },
    { value: { ['__proto__']: 1 }, json: '{"__proto__":1}' },
  ])('writes $json', ({ value, json }) => {
    expect(toJson(value)).toBe(json)
  })

  it('writes plain data as JSON.stringify does', () => {
    const sometimes = new Sometimes('an array', 'an object', 'a text to escape')
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const json = toJson(value)
        expect(json).toBe(JSON.stringify(value))
        sometimes.meet({
          'an array': json.startsWith('['),
          'an object': json.startsWith('{'),
          'a text to escape': json.includes('\\'),
        })
      }),
    )
    sometimes.expectAllMet()
  })

  it('writes what parseJson() reads back unchanged, int64 included', () => {
    const leaf = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.boolean(),
      fc.constant(null),
      int64.map((value) => toInt64(value)),
      fc
        .double({ noNaN: true })
        .filter((value) => !Number.isInteger(value) && Number.isFinite(value)),
    )
    const { data } = fc.letrec((tie) => ({
      data: fc.oneof(
        { depthSize: 'medium' },
        leaf,
        fc.array(tie('data'), { maxLength: 4 }),
        fc.dictionary(fc.string(), tie('data'), { maxKeys: 4 }),
      ),
    }))
    const sometimes = new Sometimes('a large integer', 'a large integer in an array')
    fc.assert(
      fc.property(data, (value) => {
        const json = toJson(value)
        expect(parseJson(json)).toEqual(value)
        const isLarge = /^[^"]*\d{17}/.test(json)
        sometimes.meet({
          'a large integer': isLarge,
          'a large integer in an array': isLarge && json.startsWith('['),
        })
      }),
      { numRuns: draws(300) },
    )
    sometimes.expectAllMet()
  })
})
