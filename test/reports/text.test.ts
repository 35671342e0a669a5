import { describe, expect, it } from 'vitest'
import { cut, formatTable, printable, wrap } from '../../src/reports/text.ts'

describe('formatTable()', () => {
  it('lays cells out in columns, numbers to the right', () => {
    const rows = [
      ['Key', 'Per day', ''],
      ['free-key', '1,000', ''],
      ['pro', '10,000', 'expired'],
    ]
    expect(formatTable(rows, '  ').split('\n')).toEqual([
      '  Key       Per day',
      '  free-key    1,000',
      '  pro        10,000  expired',
    ])
  })

  it('sets only columns of whole numbers to the right, whatever stands over them', () => {
    const rows = [
      ['id', 'spec', 'name'],
      ['-9223372036854775808', '2', '12'],
      ['7', '4.1', 'Bella'],
      ['', '8', ''],
    ]
    expect(formatTable(rows).split('\n')).toEqual([
      '                  id  spec  name',
      '-9223372036854775808  2     12',
      '                   7  4.1   Bella',
      '                      8',
    ])
  })

  it('knows how wide a terminal shows a text', () => {
    const rows = [
      ['猫🐱', '|'],
      ['e\u0301', '|'],
      ['👨‍👩‍👧', '|'],
      ['four', '|'],
    ]
    expect(formatTable(rows).split('\n')).toEqual([
      '猫🐱  |',
      'e\u0301     |',
      '👨‍👩‍👧    |',
      'four  |',
    ])
  })

  it('gives nothing for no rows', () => {
    expect(formatTable([])).toBe('')
  })
})

describe('wrap()', () => {
  it.each([
    { text: '', lines: [''] },
    { text: 'one two', lines: ['one two'] },
    { text: 'one two three', lines: ['one two', 'three'] },
    { text: 'unbreakable two', lines: ['unbreakable', 'two'] },
    { text: 'a unbreakable', lines: ['a', 'unbreakable'] },
  ])('breaks "$text" at blanks', ({ text, lines }) => {
    expect(wrap(text, 8)).toEqual(lines)
  })
})

describe('printable()', () => {
  it('escapes control characters, and nothing else', () => {
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit)
      const escaped = `a\\x${unit.toString(16).padStart(2, '0')}z`
      const expected = /\p{Cc}/u.test(character) ? escaped : `a${character}z`
      expect(printable(`a${character}z`)).toBe(expected)
    }
  })
})

describe('cut()', () => {
  it.each([
    { text: 'abcd', shown: 'abcd' },
    { text: 'abcde', shown: 'abc…' },
    { text: '🐱🐱🐱🐱🐱', shown: '🐱🐱🐱…' },
  ])('shows $text as $shown', ({ text, shown }) => {
    expect(cut(text, 4)).toBe(shown)
  })
})
