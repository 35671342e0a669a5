import { describe, expect, it } from 'vitest'
import {
  InputError,
  NotFoundError,
  show,
  wholeText,
} from '../../../../src/mock/input/input-error.ts'

describe('InputError', () => {
  it('is a TypeError with a name of its own', () => {
    const error = new InputError('Cannot do it')
    expect(error).toBeInstanceOf(TypeError)
    expect(error.name).toBe('InputError')
  })

  it('says where in the input, or that it is the whole', () => {
    expect(new InputError('Cannot do it', ['pets', 3]).path).toEqual(['pets', 3])
    expect(new InputError('Cannot do it').path).toEqual([])
  })
})

describe('NotFoundError', () => {
  it('is an InputError with a name of its own', () => {
    const error = new NotFoundError('Cannot find it')
    expect(error).toBeInstanceOf(InputError)
    expect(error.name).toBe('NotFoundError')
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
    { value: new Date(5), text: 'the date 5' },
    { value: Symbol('a'), text: 'Symbol(a)' },
    { value: () => 1, text: 'a function' },
  ])('shows $text', ({ value, text }) => {
    expect(show(value)).toBe(text)
  })

  it.each(['a'.repeat(61), '"'.repeat(1_000_000), '\n'.repeat(70), 10n ** 100n])(
    'cuts what is long to 60 characters',
    (value) => {
      expect(show(value)).toHaveLength(60)
      expect(show(value)).toMatch(/\.\.\.$/)
    },
  )

  it('cuts no character in half', () => {
    for (let length = 0; length < 4; length++) {
      expect(show('x'.repeat(length) + '🐢'.repeat(60)).isWellFormed()).toBe(true)
    }
  })
})

describe('wholeText()', () => {
  it.each([0, 7, 999, 1_000, 1_474, 99_999, 86_400_000])('writes %i as English does', (count) => {
    expect(wholeText(count)).toBe(count.toLocaleString('en'))
  })
})
