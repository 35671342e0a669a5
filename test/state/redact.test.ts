import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redactor, redactKey } from '../../src/state/redact.ts'

describe('redactKey()', () => {
  it.each([
    { key: 'secret-key', shown: 'secr…' },
    { key: 'abcd', shown: 'ab…' },
    { key: 'a', shown: '…' },
  ])('shows $shown of $key', ({ key, shown }) => {
    expect(redactKey(key)).toBe(shown)
  })
})

/** What is to be shown, found in the plainest way: every key at every place. */
function shownOf(text: string, keys: readonly string[]): string {
  let shown = ''
  let hiddenTo = 0
  for (let index = 0; index < text.length; index++) {
    const lengths = keys
      .filter((key) => key.length >= 4 && text.startsWith(key, index))
      .map((key) => key.length)
    const length = Math.max(0, ...lengths)
    if (length > 0 && index >= hiddenTo) shown += redactKey(text.slice(index, index + length))
    hiddenTo = Math.max(hiddenTo, index + length)
    if (index >= hiddenTo) shown += text.charAt(index)
  }
  return shown
}

/** Ways of writing a character that is hidden all the same. */
const spellings: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hexOf(character)}`,
  (character) => `%${hexOf(character).toUpperCase()}`,
  (character) => `%2525${hexOf(character)}`,
  (character) => `\\u00${hexOf(character)}`,
  (character) => (character === '/' ? '\\/' : character),
]

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16)
}

const fewCharacters = fc.stringMatching(/^[ab/]{1,8}$/)

describe('Redactor', () => {
  it.each([
    { text: 'key free-key, free-key', keys: ['free-key'], shown: 'key free…, free…' },
    { text: 'free-keyfree-key', keys: ['free-key'], shown: 'free…free…' },
    { text: 'a=free%2dkey&b=fre%65-key', keys: ['free-key'], shown: 'a=free…&b=free…' },
    { text: 'a=%66%72%65%65%2D%6b%65%79', keys: ['free-key'], shown: 'a=free…' },
    { text: 'a=free%252dkey%', keys: ['free-key'], shown: 'a=free…%' },
    { text: '{"a":"\\u0066ree-key\\n"}', keys: ['free-key'], shown: '{"a":"free…\\n"}' },
    { text: 'x%20a.b+c/d=', keys: ['a.b+c/d='], shown: 'x%20a.b+…' },
    { text: 'abcdefghijkl', keys: ['abcdef', 'abcdefghijkl'], shown: 'abcd…' },
    { text: 'abcdefghijkl', keys: ['abcdef', 'defghijkl'], shown: 'abc…' },
    { text: 'abcdx', keys: ['abcdefgh', 'abcd'], shown: 'ab…x' },
    { text: '%61bcde', keys: ['abcdef', 'abcde'], shown: 'ab…' },
    { text: 'a cat', keys: ['cat', ''], shown: 'a cat' },
    { text: 'aXb', keys: ['a.b.'], shown: 'aXb' },
    { text: '\u00e1bcd', keys: ['abcd'], shown: '\u00e1bcd' },
  ])('shows $text as $shown', ({ text, keys, shown }) => {
    expect(new Redactor(keys).hide(text)).toBe(shown)
  })

  it.each([
    { text: 'token-of-a-key', also: 'token-of-a-key', shown: 'toke…' },
    { text: 'a%2db%2dc', also: 'a%2db-c', shown: 'a-…' },
    { text: '\u00e4bcde', also: '\u00e4bcde', shown: '\u00e4b…' },
    { text: 'abc', also: 'abc', shown: 'abc' },
    { text: '\u0080abc', also: 'abc\u0080', shown: '\u0080abc' },
  ])('hides $also too where it is sent, so that $text is $shown', ({ text, also, shown }) => {
    expect(new Redactor(['of-a', 'b-cd']).hide(text, also)).toBe(shown)
  })

  it('hides every key at every place, however each character is written', () => {
    fc.assert(
      fc.property(
        fc.array(fewCharacters, { maxLength: 5 }),
        fc.stringMatching(/^[ab/]{0,40}$/),
        fc.infiniteStream(fc.constantFrom(...spellings)),
        (keys, text, spelling) => {
          const redactor = new Redactor(keys)
          expect(redactor.hide(text)).toBe(shownOf(text, keys))
          const [key = ''] = keys
          const written = [...text].map((character) => spelling.next().value(character)).join('')
          const escapedKey = [...key].map((character) => spelling.next().value(character)).join('')
          if (key.length >= 4) expect(redactor.hide(escapedKey)).toBe(redactKey(key))
          expect(redactor.hide(written).match(/…/g)).toEqual(shownOf(text, keys).match(/…/g))
        },
      ),
    )
  })

  it('takes no longer for many keys than for one', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key-${index}-of-many`)
    const redactor = new Redactor(keys)
    const text = '%41key-19999-of-many '.repeat(3_000)
    expect(redactor.hide(text)).toBe('%41key-… '.repeat(3_000))
  })
})
