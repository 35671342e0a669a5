import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInWord, isOfWords, Secrets } from '../../../src/state/redactor/secrets.ts'

/** How many characters two texts begin with alike. */
function alike(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

const anySecret = fc.stringMatching(/^[ab]{4,9}$/)

describe('Secrets.begunAt()', () => {
  it('is how much of any of them begins at a place', () => {
    const anyPlace = fc.nat(12)
    const anySecrets = fc.uniqueArray(anySecret, { maxLength: 12 })
    fc.assert(
      fc.property(anySecrets, fc.stringMatching(/^[abc]{0,12}$/), anyPlace, (all, text, place) => {
        const secrets = new Secrets(all)
        const expected = Math.max(0, ...all.map((one) => alike(one, text.slice(place))))
        expect(secrets.begunAt(text, place)).toBe(expected)
        secrets.add('abababab')
        expect(secrets.begunAt(text, place)).toBe(
          Math.max(expected, alike('abababab', text.slice(place))),
        )
      }),
    )
  })
})

describe('Secrets.longestAt()', () => {
  function longestIn(all: readonly string[], text: string, at: number, isFree: boolean): number {
    const secrets = new Secrets(all)
    return secrets.longestAt(text, at, isFree, [secrets])
  }

  it('is the longest that stands at a place, whatever it is followed by', () => {
    fc.assert(
      fc.property(
        fc.array(anySecret, { maxLength: 9 }),
        fc.stringMatching(/^[ab]{0,9}$/),
        (all, text) => {
          // With a digit and eight characters, nobody has thought of them.
          const own = all.map((one) => `0000${one}`)
          const lengths = own
            .filter((one) => `0000${text}`.startsWith(one))
            .map(({ length }) => length)
          expect(longestIn(own, ` 0000${text}`, 1, false)).toBe(Math.max(0, ...lengths))
        },
      ),
    )
  })

  it.each([
    { text: 'test', isFree: true, length: 4 },
    { text: 'test', isFree: false, length: 0 },
    { text: 'test.', isFree: true, length: 4 },
    { text: 'tests', isFree: true, length: 0 },
    { text: 'testtest', isFree: true, length: 4 },
    { text: 'testother', isFree: true, length: 4 },
    { text: 'testothe', isFree: true, length: 0 },
    { text: 'tes', isFree: true, length: 0 },
  ])('is $length of "$text" for a word, where it is free: $isFree', ({ text, isFree, length }) => {
    expect(longestIn(['test', 'other'], text, 0, isFree)).toBe(length)
  })

  it.each([
    { secret: 'abcdefg', isWord: true },
    { secret: 'abcdef1', isWord: true },
    { secret: 'abcdefgh', isWord: true },
    { secret: 'my-api.key', isWord: true },
    { secret: 'abcdefg1', isWord: false },
    { secret: '-abcdefgh', isWord: false },
  ])('takes $secret for words: $isWord', ({ secret, isWord }) => {
    expect(longestIn([secret], `${secret}x`, 0, true)).toBe(isWord ? 0 : secret.length)
  })
})

describe('isOfWords()', () => {
  it('is so for letters and digits of ASCII, and for nothing else', () => {
    const codes = Array.from({ length: 0x200 }, (_, code) => code)
    const found = codes.filter(isOfWords).map((code) => String.fromCharCode(code))
    expect(found.join('')).toBe('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
    expect(isOfWords(Number.NaN)).toBe(false)
  })
})

describe('isInWord()', () => {
  it.each([
    { text: 'ab', at: 1, isIn: true },
    { text: 'ab', at: 0, isIn: false },
    { text: 'ab', at: 2, isIn: false },
    { text: '-b', at: 1, isIn: false },
    { text: 'a-', at: 1, isIn: false },
    { text: '%20b', at: 3, isIn: false },
    { text: '%2b', at: 2, isIn: true },
    { text: 'x%2ab', at: 5, isIn: false },
    { text: 'x%2ab', at: 4, isIn: false },
    { text: '\\nb', at: 2, isIn: false },
    { text: '\\ub', at: 2, isIn: false },
    { text: '\\qb', at: 2, isIn: true },
    { text: 'xnb', at: 2, isIn: true },
  ])('of "$text" at $at: $isIn', ({ text, at, isIn }) => {
    expect(isInWord(text, at)).toBe(isIn)
  })
})
