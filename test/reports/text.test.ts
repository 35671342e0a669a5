import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import {
  cut,
  formatTable,
  markdownText,
  printable,
  shellWord,
  wrap,
} from '../../src/reports/text.ts'

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
    const turning = [0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e]
    const isolating = [0x2066, 0x2067, 0x2068, 0x2069]
    for (let unit = 0; unit <= 0xffff; unit++) {
      const character = String.fromCharCode(unit)
      const digits = unit.toString(16)
      const isLong = [...turning, ...isolating].includes(unit)
      const short = /\p{Cc}/u.test(character) ? `a\\x${digits.padStart(2, '0')}z` : `a${character}z`
      expect(printable(`a${character}z`)).toBe(isLong ? `a\\u${digits.padStart(4, '0')}z` : short)
    }
  })
})

describe('markdownText()', () => {
  it('keeps the order of a text', () => {
    expect(markdownText('a\u202eb\nc')).toBe('a&#92;u202eb c')
  })
})

describe('shellWord()', () => {
  it.each([
    {
      shell: 'bash',
      words: ['a b', "it's", '$(id)', 'a\nb', 'a\u202eb', "\u0001'\\1", '', 'plain'],
    },
    { shell: 'sh', words: ['a b', "it's", '$(id)', '`id`', '"', '', 'plain', '*', '~'] },
  ])('is read by $shell as the word that it was', ({ shell, words }) => {
    const line = `printf '%s\\0' ${words.map(shellWord).join(' ')}`
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8', env })).toBe(
      words.map((word) => `${word}\0`).join(''),
    )
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
