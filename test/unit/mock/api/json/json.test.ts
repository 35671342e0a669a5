import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toInt64 } from '../../../../../src/mock/api/int64.ts'
import { parseJson } from '../../../../../src/mock/api/json.ts'
import { draws } from '../../../../kit/draws.ts'
import { Sometimes } from '../../../../kit/sometimes.ts'

/** The int64 that a number literal denotes, worked out in whole numbers alone; `undefined` for none. */
function exactInt64(literal: string): number | bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal)
  const [, sign = '', whole = '', decimals = '', exponent = '0'] = match ?? []
  const digits = BigInt(sign + whole + decimals)
  const shift = Number(exponent) - decimals.length
  if (shift >= 0) return toInt64(digits * 10n ** BigInt(shift))
  const divisor = 10n ** BigInt(-shift)
  return digits % divisor === 0n ? toInt64(digits / divisor) : undefined
}

describe('parseJson()', () => {
  it.each([
    { text: '9007199254740991', expected: 9007199254740991 },
    { text: '9007199254740992', expected: 9007199254740992n },
    { text: '9007199254740993', expected: 9007199254740993n },
    { text: '-9223372036854775808', expected: -9223372036854775808n },
    { text: '9223372036854775808', expected: 9223372036854775808n },
    { text: '9.223372036854775807e18', expected: 9223372036854775807n },
    { text: '0.9223372036854775807E+19', expected: 9223372036854775807n },
    { text: '922337203685477580700e-2', expected: 9223372036854775807n },
    { text: '9007199254740993.000', expected: 9007199254740993n },
    { text: '9007199254740993e0', expected: 9007199254740993n },
    { text: '1e2', expected: 100 },
    { text: '1.0', expected: 1 },
    { text: '0.5', expected: 0.5 },
    { text: '1.0000000000000002', expected: 1.0000000000000002 },
    { text: '9223372036854775807.5', expected: 2 ** 63 },
    { text: '1e400', expected: Number.POSITIVE_INFINITY },
  ])('reads the number $text as $expected', ({ text, expected }) => {
    expect(parseJson(text)).toBe(expected)
    expect(parseJson(`{"a":[ ${text} ]}`)).toEqual({ a: [expected] })
  })

  it('reads any number literal as the int64 that it denotes, or as none', () => {
    const digits = fc.stringMatching(/^\d{1,22}$/)
    const literal = fc
      .tuple(
        fc.constantFrom('', '-'),
        fc.stringMatching(/^(?:0|[1-9]\d{0,21})$/),
        fc.option(
          digits.map((decimals) => `.${decimals}`),
          { nil: '' },
        ),
        fc.option(
          fc.integer({ min: -30, max: 30 }).map((exponent) => `e${exponent}`),
          { nil: '' },
        ),
      )
      .map((parts) => parts.join(''))
    const sometimes = new Sometimes('a number', 'a large one', 'a fraction')
    fc.assert(
      fc.property(literal, (text) => {
        const exact = exactInt64(text)
        expect(toInt64(parseJson(text))).toBe(exact)
        sometimes.meet({
          'a number': typeof exact === 'number',
          'a large one': typeof exact === 'bigint',
          'a fraction': exact === undefined,
        })
      }),
      { numRuns: draws(400) },
    )
    sometimes.expectAllMet()
  })

  // Shrunk from the property above: JSON.parse rounds each of these to a safe integer.
  it.each(['1.0000000000000000001', '9007199254740990.9999', '0.99999999999999999', '1e-400'])(
    'does not take the fraction %s for an integer',
    (text) => {
      expect(toInt64(parseJson(text))).toBeUndefined()
    },
  )

  // The last digit tells a fraction from what is to be kept digit for digit.
  it.each([
    { text: '9007199254740993.5', integer: undefined },
    { text: '90071992547409935e-1', integer: undefined },
    { text: '9007199254740993.0', integer: 9_007_199_254_740_993n },
    { text: '90071992547409930e-1', integer: 9_007_199_254_740_993n },
  ])('reads $text as $integer', ({ text, integer }) => {
    expect(toInt64(parseJson(text))).toBe(integer)
  })

  it('leaves any string beside a large number as JSON.parse reads it, however it is escaped', () => {
    const unit = fc.nat(0xffff).map((code) => `\\u${code.toString(16).padStart(4, '0')}`)
    const escaped = fc
      .array(fc.oneof(unit, fc.constantFrom('1', 'n', 's', '\\"', '\\\\', '\\u0000', '-', 'a')))
      .map((parts) => parts.join(''))
    const sometimes = new Sometimes('an escaped quote', 'an escaped backslash')
    fc.assert(
      fc.property(escaped, (text) => {
        const [name, number] = parseJson(`["${text}",9007199254740993]`) as unknown[]
        expect(name).toBe(JSON.parse(`"${text}"`))
        expect(number).toBe(9007199254740993n)
        sometimes.meet({
          'an escaped quote': text.includes('\\"'),
          'an escaped backslash': text.includes('\\\\'),
        })
      }),
      { numRuns: draws(200) },
    )
    sometimes.expectAllMet()
  })

  it('leaves a number in quotes as it is, be it a name or a value', () => {
    const value = parseJson('{"9007199254740993" : 9007199254740993,"1e25":"9007199254740995"}')
    expect(value).toEqual({ '9007199254740993': 9007199254740993n, '1e25': '9007199254740995' })
  })

  it('keeps __proto__ a plain property', () => {
    const value = parseJson('{"__proto__":{"x":1},"id":9007199254740993}') as object
    expect(Object.keys(value)).toEqual(['__proto__', 'id'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect('x' in value).toBe(false)
  })

  it('takes the last of two properties with one name', () => {
    const text = '{"a":9007199254740993,"a":9007199254740995,"b":9007199254740993,"b":1}'
    expect(parseJson(text)).toEqual({ a: 9007199254740995n, b: 1 })
  })

  it.each([
    { what: 'digits', text: '1'.repeat(2 ** 20) },
    // A regular expression for strings ran out of stack in it (report of attacks, D13).
    { what: 'many more escapes', text: '\\n'.repeat(2 ** 24) },
    { what: 'backslashes', text: '\\\\'.repeat(2 ** 19) },
  ])('reads a long string of $what beside a large number', ({ text }) => {
    const [name, number] = parseJson(`["${text}",9007199254740993]`) as unknown[]
    expect(name === JSON.parse(`"${text}"`)).toBe(true)
    expect(number).toBe(9007199254740993n)
  })

  it.each([
    { text: '{"a":9007199254740993,"a":1}', value: { a: 1 } },
    { text: '{"a":9007199254740993,"a":9007199254740992}', value: { a: 9007199254740992n } },
    { text: '{"a":{"b":9007199254740993},"a":{"b":"x"}}', value: { a: { b: 'x' } } },
    { text: '{"a":[9007199254740993],"a":{}}', value: { a: {} } },
    {
      text: '{"a":{"0":9007199254740993},"a":[1,9007199254740993]}',
      value: { a: [1, 9007199254740993n] },
    },
    {
      text: '{"\\u0061":[{},[9007199254740993,{"x":[]}]]}',
      value: { a: [{}, [9007199254740993n, { x: [] }]] },
    },
  ])('finds the place of a large number in $text', ({ text, value }) => {
    expect(parseJson(text)).toEqual(value)
  })

  it('changes no object but the one that it reads', () => {
    parseJson('{"a":{"__proto__":{"polluted":9007199254740993}},"a":[]}')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  it('reads 10,000 large numbers', () => {
    const numbers = Array.from({ length: 10_000 }, (_, index) => 2n ** 53n + BigInt(index))
    expect(parseJson(`[${numbers.join(',')}]`)).toEqual(numbers)
  })

  it('reads a large number however deep it is', () => {
    let value = parseJson(`${'['.repeat(10_000)}9007199254740993${']'.repeat(10_000)}`)
    while (Array.isArray(value)) value = value[0]
    expect(value).toBe(9007199254740993n)
  })

  it.each([
    '',
    '{',
    '{"id":9007199254740993',
    '09007199254740993',
    '[9007199254740993,]',
    '[9007199254740993 9007199254740993]',
    '{9007199254740993:1}',
    '{ 9007199254740993 : 1 }',
    '[9007199254740993.]',
    '[9007199254740993, x]',
    'undefined',
  ])('throws a SyntaxError for %j, as JSON.parse does', (text) => {
    let expected = ''
    try {
      JSON.parse(text)
    } catch (error) {
      expected = String(error)
    }
    expect(expected).toContain('SyntaxError')
    expect(() => parseJson(text)).toThrow(SyntaxError)
    expect(() => parseJson(text)).toThrow(expected.replace('SyntaxError: ', ''))
  })
})
