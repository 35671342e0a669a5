import { describe, expect, it } from 'vitest'
import { wrap } from '../../../src/cli/terminal/wrap.ts'

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
