import { describe, expect, it } from 'vitest'
import {
  checkOptions,
  InputError,
  isRecord,
  parseOneOf,
  parseWhole,
  refuseUnknown,
  show,
} from '../../src/input/input-error.ts'

describe('InputError', () => {
  it('is a TypeError with a name of its own', () => {
    const error = new InputError('Cannot do it')
    expect(error).toBeInstanceOf(TypeError)
    expect(error.name).toBe('InputError')
  })

  it('says where in the data, or that it is all of it', () => {
    expect(new InputError('Cannot do it', ['pets', 3]).path).toEqual(['pets', 3])
    expect(new InputError('Cannot do it').path).toEqual([])
  })
})

describe('show()', () => {
  it.each([
    { value: 'a', text: '"a"' },
    { value: 'a\u0000b', text: '"a\\u0000b"' },
    { value: 'a"b\nc', text: '"a\\"b\\nc"' },
    { value: 1.5, text: '1.5' },
    { value: 9223372036854775807n, text: '9223372036854775807' },
    { value: null, text: 'null' },
    { value: undefined, text: 'undefined' },
    { value: [1, 2], text: 'an array of 2' },
    { value: { a: 1 }, text: 'an object' },
    { value: Object.create(null), text: 'an object' },
    { value: Symbol('a'), text: 'Symbol(a)' },
  ])('shows $text', ({ value, text }) => {
    expect(show(value)).toBe(text)
  })

  it.each([
    'a'.repeat(61),
    '"'.repeat(1_000_000),
    '\n'.repeat(70),
    10n ** 100n,
    () => 'a function whose text is rather longer than a message has room for, by far',
  ])('cuts what is long to 60 characters', (value) => {
    expect(show(value)).toHaveLength(60)
    expect(show(value)).toMatch(/\.\.\.$/)
  })
})

describe('isRecord()', () => {
  it.each([
    { value: {}, expected: true },
    { value: Object.create(null), expected: true },
    { value: [], expected: false },
    { value: null, expected: false },
    { value: 'a', expected: false },
    { value: undefined, expected: false },
  ])('says $expected of $value', ({ value, expected }) => {
    expect(isRecord(value)).toBe(expected)
  })
})

describe('refuseUnknown()', () => {
  it('lets through what is known', () => {
    expect(() => refuseUnknown({ a: 1 }, ['a', 'b'], 'the clock')).not.toThrow()
  })

  it.each(['c', '__proto__', 'toString'])(
    'names the property %s and those that there are',
    (name) => {
      const record = JSON.parse(`{"a":1,"${name}":2}`)
      expect(() => refuseUnknown(record, ['a', 'b'], 'the clock')).toThrow(
        new InputError(`Cannot set the clock: found "${name}"; use one of a, b`, [name]),
      )
    },
  )
})

describe('checkOptions()', () => {
  it('lets through an object of known options', () => {
    expect(() => checkOptions({ port: 0 }, ['port', 'host'], 'start the server')).not.toThrow()
  })

  it.each([null, [], 'port', 0])('refuses %j, which is no object of options', (options) => {
    expect(() => checkOptions(options, ['port'], 'start the server')).toThrow(
      new InputError(`Cannot start the server: found ${show(options)}; use an object of options`),
    )
  })

  it('names the option that there is not, and those that there are', () => {
    expect(() => checkOptions({ prot: 0 }, ['port', 'host'], 'start the server')).toThrow(
      new InputError('Cannot start the server: there is no option "prot"; use port, host'),
    )
  })
})

describe('parseOneOf()', () => {
  it('gives the name', () => {
    expect(parseOneOf('b', ['a', 'b'], 'the mode')).toBe('b')
  })

  it.each(['c', 'A', '', 1, ['a'], null, undefined])('refuses %j and lists the names', (value) => {
    expect(() => parseOneOf(value, ['a', 'b'], 'the mode')).toThrow(
      new InputError(`Cannot set the mode: found ${show(value)}; use one of a, b`),
    )
  })
})

describe('parseWhole()', () => {
  it.each([1, 5, 10])('gives %d', (value) => {
    expect(parseWhole(value, 1, 10, 'the limit')).toBe(value)
  })

  it.each([0, 11, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '5', 5n, null, undefined])(
    'refuses %s and names the bounds',
    (value) => {
      expect(() => parseWhole(value, 1, 10, 'the limit')).toThrow(
        new InputError(
          `Cannot set the limit: found ${show(value)}; use a whole number from 1 to 10`,
        ),
      )
    },
  )
})
