import { describe, expect, it } from 'vitest'
import { dictionary, list, oneOrMany } from '../../src/input/collections.ts'
import { duration } from '../../src/input/duration.ts'
import { object } from '../../src/input/object.ts'
import { readInput } from '../../src/input/schema.ts'
import { string } from '../../src/input/values.ts'

const second = { type: 'string' }

describe('list()', () => {
  const waits = list(duration)

  it('reads and writes each item', () => {
    expect(waits.read(['1s', 5])).toEqual([1_000, 5])
    expect(waits.write([1_000, 5])).toEqual(['1s', '5ms'])
    expect(waits.read([])).toEqual([])
  })

  it('refuses what is no array, and an item with its place', () => {
    expect(() => readInput(waits, { length: 1 }, 'waits')).toThrow(
      /^Cannot set waits: found an object; use an array, each item milliseconds, or a duration/,
    )
    expect(() => readInput(waits, ['1s', 'soon'], 'waits')).toThrow(
      /^Cannot set waits\[1\]: found "soon"; use milliseconds/,
    )
  })

  it('refuses a hole', () => {
    const holed: unknown[] = ['1s']
    holed[2] = '1s'
    expect(() => readInput(waits, holed, 'waits')).toThrow(/^Cannot set waits\[1\]: it is missing;/)
  })

  it('is described by its items', () => {
    expect(list(string).describe()).toEqual({ type: 'array', items: second })
  })
})

describe('oneOrMany()', () => {
  const names = oneOrMany(string)

  it('reads and writes one, or an array of them', () => {
    expect([names.read('a'), names.read(['a', 'b'])]).toEqual(['a', ['a', 'b']])
    expect([names.write('a'), names.write(['a'])]).toEqual(['a', ['a']])
  })

  it('refuses with the place of the item', () => {
    expect(() => readInput(names, 5, 'names')).toThrow('Cannot set names: found 5; use a string')
    expect(() => readInput(names, ['a', 5], 'names')).toThrow(
      'Cannot set names[1]: found 5; use a string',
    )
    expect(names.use).toBe('a string, or an array of them')
  })

  it('is described as either', () => {
    expect(names.describe()).toEqual({ anyOf: [second, { type: 'array', items: second }] })
  })
})

describe('dictionary()', () => {
  const waits = dictionary(duration)

  it('reads and writes properties of any name', () => {
    const value = JSON.parse('{"a":"1s","__proto__":5}')
    expect(Object.entries(waits.read(value))).toEqual([
      ['a', 1_000],
      ['__proto__', 5],
    ])
    expect(waits.write({ a: 1_000 })).toEqual({ a: '1s' })
  })

  it('refuses what is no object, and a property with its place', () => {
    expect(() => readInput(waits, [], 'waits')).toThrow(
      /^Cannot set waits: found an array of 0; use an object, each property milliseconds/,
    )
    expect(() => readInput(object({ waits }), { waits: { a: 'soon' } })).toThrow(
      /^Cannot set waits\.a: found "soon"/,
    )
  })

  it('is described by its properties', () => {
    expect(dictionary(string).describe()).toEqual({ type: 'object', additionalProperties: second })
  })
})
