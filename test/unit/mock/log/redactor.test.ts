import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Redactor, redactAuthorization, redactKey } from '../../../../src/mock/log/redactor.ts'
import { Sometimes } from '../../../kit/sometimes.ts'

function redactorOf(keys: readonly string[]): Redactor {
  const redactor = new Redactor()
  for (const key of keys) redactor.add(key)
  return redactor
}

const anyKey = fc.stringMatching(/^[A-Za-z0-9\-._~+/]{6,60}={0,2}$/).map((text) => `~k${text}`)

function escaped(key: string, write: (hex: string) => string): string {
  return [...key].map((one) => write(one.charCodeAt(0).toString(16).padStart(2, '0'))).join('')
}

/** The ways in which a key is sent as such. */
const spellings: readonly ((key: string) => string)[] = [
  (key) => key,
  (key) => encodeURIComponent(key),
  (key) => escaped(key, (hex) => `%${hex}`),
  (key) => escaped(key, (hex) => `%${hex.toUpperCase()}`),
]

describe('Redactor', () => {
  it.each([
    { text: 'key free-key, free-key', keys: ['free-key'], shown: 'key free…, free…' },
    { text: 'a=free%2dkey&b=fre%65-key', keys: ['free-key'], shown: 'a=free…&b=free…' },
    { text: 'a=free-key%', keys: ['free-key'], shown: 'a=free…%' },
    { text: 'Bearer%20free-key', keys: ['free-key'], shown: 'Bearer%20free…' },
    { text: '{"a":"free-key"}', keys: ['free-key'], shown: '{"a":"free…"}' },
    { text: '%ab12cd34ef', keys: ['ab12cd34ef'], shown: '%ab12…' },
    { text: '%E2%80%93free-key%0a', keys: ['free-key'], shown: '%E2%80%93free…%0a' },
    { text: '%0a%66ree-key', keys: ['free-key'], shown: '%0afree…' },
    { text: 'http://me:free-key@host/', keys: ['free-key'], shown: 'http://me:free…@host/' },
    { text: '/v1/a/b-2/c-3', keys: ['a/b-2/c-3'], shown: '/v1/a/b-…' },
    { text: 'abcdef1hijkl', keys: ['abcdef1h', 'abcdef1hijkl'], shown: 'abcd…' },
    { text: 'abcd x', keys: ['abcdefgh', 'abcd'], shown: 'ab… x' },
    { text: 'a cat', keys: ['cat', ''], shown: 'a cat' },
    { text: 'the latest tests', keys: ['test'], shown: 'the latest tests' },
    { text: 'a test, tested', keys: ['test'], shown: 'a te…, tested' },
    { text: 'x9f3a-77b1y', keys: ['9f3a-77b1'], shown: 'x9f3a-77b1y' },
    { text: 'aXb1aXb1', keys: ['a.b.a.b.'], shown: 'aXb1aXb1' },
  ])('shows "$shown" for "$text"', ({ text, keys, shown }) => {
    expect(redactorOf(keys).hide(text)).toBe(shown)
  })

  it('shows no key, plain or percent-encoded, and all else as it was', () => {
    const sometimes = new Sometimes('several keys', 'another spelling')
    const anySpelling = fc.constantFrom(...spellings)
    fc.assert(
      fc.property(fc.uniqueArray(anyKey, { minLength: 1 }), anySpelling, (keys, spelling) => {
        const shown = redactorOf(keys).hide(`<${keys.map(spelling).join('> <')}>`)
        expect(shown).toBe(`<${keys.map(redactKey).join('> <')}>`)
        sometimes.meet({
          'several keys': keys.length > 1,
          'another spelling': keys.some((key) => spelling(key) !== key),
        })
      }),
    )
    sometimes.expectAllMet()
  })

  it('hides the token that was sent, known or not', () => {
    const redactor = redactorOf(['free-key'])
    expect(redactor.hide('x=not-a-key&y=free-key', 'not-a-key')).toBe('x=not-…&y=free…')
    expect(redactor.hide('x=a%20token', 'a%20token')).toBe('x=a%20…')
  })
})

describe('redactKey()', () => {
  it.each([
    { key: 'secret-key', shown: 'secr…' },
    { key: 'abcd', shown: 'ab…' },
    { key: 'a', shown: '…' },
  ])('shows $shown of $key', ({ key, shown }) => {
    expect(redactKey(key)).toBe(shown)
  })
})

describe('redactAuthorization()', () => {
  it.each([
    { value: 'Bearer secret-key', shown: 'Bearer secr…' },
    { value: 'Basic dXNlcjpzZWNyZXQta2V5', shown: 'Basic dXNl…' },
    { value: 'secret-key', shown: 'secr…' },
  ])('shows $shown of $value', ({ value, shown }) => {
    expect(redactAuthorization(value)).toBe(shown)
  })
})
