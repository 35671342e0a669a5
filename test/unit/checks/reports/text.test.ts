import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  cut,
  formatTable,
  markdownText,
  printable,
  shellQuoted,
  shellWord,
  wrap,
} from '../../../../src/checks/reports/text.ts'

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
    expect(markdownText('a\u202eb\nc')).toBe('a\\u202eb c')
  })
})

/** Those that every machine has, and what else is installed. */
const shells = [
  'bash',
  'sh',
  ...['dash', 'zsh'].filter((shell) => spawnSync(shell, ['-c', 'exit 0']).status === 0),
]

/** What runs commands, ends quotes, is lost, or turns a line of a terminal around. */
const hostileWords = [
  'plain',
  'a b',
  '',
  "it's",
  '"',
  '$(touch pwned)',
  '`touch pwned`',
  "'$(touch pwned)'",
  "\u0001'$(touch pwned)'",
  '; touch pwned #',
  '\n touch pwned\n',
  'a\nb',
  'ends\n\n',
  'a\r\nb\r',
  '\ttab',
  'a\u202eb\u2066c\u2029d',
  '\u0001\\1',
  '\u001b]0;title\u0007%s%n',
  '\u0080\u009b31m',
  '\\0101\\c\\n',
  '!touch!!',
  '\u0001!touch',
  '=ls',
  '--',
  '-e\u0001',
  '*',
  '~',
  '{row}',
  '[1-3]',
  'ü€😀',
]

describe.each([
  {
    name: 'shellWord()',
    quote: shellWord,
    read: (word: string) => word.split('\n').map(printable).join('\n'),
  },
  { name: 'shellQuoted()', quote: shellQuoted, read: (word: string) => word },
])('$name', ({ quote, read }) => {
  it.each(shells)('is read by $0 as the words that it was given, and runs nothing', (shell) => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-shell-'))
    const line = `printf '%s\\0' ${hostileWords.map(quote).join(' ')}`
    const env = { ...process.env, LC_ALL: 'C.UTF-8' }
    expect(execFileSync(shell, ['-c', line], { encoding: 'utf8', env, cwd: folder })).toBe(
      hostileWords.map((word) => `${read(word)}\0`).join(''),
    )
    expect(readdirSync(folder)).toEqual([])
    rmSync(folder, { recursive: true })
  })
})

describe('shellWord()', () => {
  it.each(hostileWords)('prints %j without a character that controls a terminal', (word) => {
    expect(shellWord(word).replaceAll('\n', '')).not.toMatch(
      /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u,
    )
  })
})

describe('shellQuoted()', () => {
  it('keeps the lines of a body', () => {
    expect(shellQuoted('{\n  "name": "Rex"\n}')).toBe(`'{\n  "name": "Rex"\n}'`)
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
