import { describe, expect, it } from 'vitest'
import { dictionary, list, oneOrMany } from '../../src/input/collections.ts'
import { duration } from '../../src/input/duration.ts'
import { readInput } from '../../src/input/schema.ts'
import { string } from '../../src/input/values.ts'

describe('list()', () => {
  const waits = list(duration)

  it('refuses a hole', () => {
    const holed: unknown[] = ['1s']
    holed[2] = '1s'
    expect(() => readInput(waits, holed, 'waits')).toThrow(/^Cannot set waits\[1\]: it is missing;/)
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
})
