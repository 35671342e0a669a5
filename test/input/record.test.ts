import { describe, expect, it } from 'vitest'
import { definedOf, isRecord, mapTable, namesOf } from '../../src/input/record.ts'

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

describe('namesOf()', () => {
  it('gives the names of a table in its order', () => {
    expect(namesOf({ b: 1, a: 2 })).toEqual(['b', 'a'])
  })
})

describe('mapTable()', () => {
  it('makes a table with the same names, in the same order', () => {
    const made = mapTable({ b: 1, a: 2 }, (name) => name.toUpperCase())
    expect(Object.entries(made)).toEqual([
      ['b', 'B'],
      ['a', 'A'],
    ])
  })
})

describe('definedOf()', () => {
  it('leaves out what is undefined, and nothing else', () => {
    const table = { a: undefined, b: null, c: 0, d: '' }
    expect(Object.entries(definedOf(table))).toEqual([
      ['b', null],
      ['c', 0],
      ['d', ''],
    ])
  })
})
