import { describe, expect, it } from 'vitest'
import { printable } from '../../../src/cli/terminal/printable.ts'

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
