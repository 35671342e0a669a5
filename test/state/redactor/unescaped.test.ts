import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasEscapes, unescaped } from '../../../src/state/redactor/unescaped.ts'

const lastEscape = /(?:%[\da-fA-F]{2}|\\u[\da-fA-F]{4}|\\x[\da-fA-F]{2}|\\[\\/])$/

/** What an escape stands for. */
function characterOf(written: string): string {
  const digits = /[\da-f]+$/i.exec(written)?.[0]
  return digits === undefined ? written.slice(-1) : String.fromCharCode(Number.parseInt(digits, 16))
}

/** Undoes escapes one by one, from the left, as soon as one is whole. */
function plainOf(text: string): { plain: string; places: number[] } {
  let plain = ''
  const places: number[] = []
  for (const [index, character] of text.split('').entries()) {
    plain += character
    places.push(index)
    for (;;) {
      const written = lastEscape.exec(plain)?.[0]
      if (written === undefined) break
      plain = plain.slice(0, -written.length) + characterOf(written)
      places.length -= written.length - 1
    }
  }
  places.push(text.length)
  return { plain, places }
}

/** Where escapes begin and end, and characters beside those that they are made of. */
const anyText = fc
  .array(
    fc.oneof(
      fc.constantFrom(...'%%%\\\\uUxX//0259afAF'),
      fc.constantFrom(...'gG:@`. é'),
      fc.constantFrom('%25', '%5c', '%75', '\\u00', '\\u0025', '\\x5C', '%30', '%66'),
    ),
    { maxLength: 40, size: 'max' },
  )
  .map((parts) => parts.join(''))

describe('unescaped()', () => {
  it('undoes each escape as soon as it is whole, and says where each character began', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(unescaped(text)).toEqual(plainOf(text))
        if (!hasEscapes(text)) expect(plainOf(text).plain).toBe(text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('gives a long text whole', () => {
    const text = 'abcdefghij'.repeat(1_000)
    expect(unescaped(text).plain).toBe(text)
  })
})
