import { describe, expect, it } from 'vitest'
import { cut } from '../../../src/cli/terminal/cut.ts'

describe('cut()', () => {
  it.each([
    { text: 'abcd', shown: 'abcd' },
    { text: 'abcde', shown: 'abc…' },
    { text: '🐱🐱🐱🐱🐱', shown: '🐱🐱🐱…' },
  ])('shows $text as $shown', ({ text, shown }) => {
    expect(cut(text, 4)).toBe(shown)
  })
})
