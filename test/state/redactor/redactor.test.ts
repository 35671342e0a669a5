import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { redactKey } from '../../../src/state/redact.ts'
import { Redactor } from '../../../src/state/redactor/redactor.ts'
import { Secrets } from '../../../src/state/redactor/secrets.ts'
import { unescaped } from '../../../src/state/redactor/unescaped.ts'

/** Makes what hides keys; some of them may come in an index. */
function redactorOf(keys: readonly string[], inIndex: readonly string[] = []): Redactor {
  const redactor = new Redactor([new Secrets(inIndex)])
  for (const key of keys) redactor.add(key)
  return redactor
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16)
}

/** Ways of writing a character that are undone. */
const spellings: readonly ((character: string) => string)[] = [
  (character) => character,
  (character) => `%${hexOf(character)}`,
  (character) => `%${hexOf(character).toUpperCase()}`,
  (character) => `%2525${hexOf(character)}`,
  (character) => `\\u00${hexOf(character)}`,
  (character) => `\\u00${hexOf(character).toUpperCase()}`,
  (character) => `\\\\u00${hexOf(character)}`,
  (character) => `%5cu00${hexOf(character)}`,
  (character) => `%5C%5C%7500${hexOf(character)}`,
  (character) => `\\u0025${hexOf(character)}`,
  (character) => `\\x${hexOf(character)}`,
  (character) => (character === '/' ? '\\/' : character),
]

describe('Redactor', () => {
  it.each([
    { text: 'key free-key, free-key', keys: ['free-key'], shown: 'key free…, free…' },
    { text: 'free-keyfree-key', keys: ['free-key'], shown: 'free…free…' },
    { text: 'a=free%2dkey&b=fre%65-key', keys: ['free-key'], shown: 'a=free…&b=free…' },
    { text: 'a=%66%72%65%65%2D%6b%65%79', keys: ['free-key'], shown: 'a=free…' },
    { text: 'a=%66%72%65%65%2D%6B%65%79', keys: ['free-key'], shown: 'a=free…' },
    { text: 'a=free%252dkey%', keys: ['free-key'], shown: 'a=free…%' },
    { text: '{"a":"\\u0066ree-key\\n"}', keys: ['free-key'], shown: '{"a":"free…\\n"}' },
    { text: '{"a":"\\nfree-key\\t"}', keys: ['free-key'], shown: '{"a":"\\nfree…\\t"}' },
    { text: '"\\\\free-key"', keys: ['free-key'], shown: '"\\\\free…"' },
    { text: '%25aabbcc %25aabbcc-dd', keys: ['aabbcc-dd'], shown: '%25aabbcc %25aabb…' },
    { text: '\\xaabbcc', keys: ['aabbcc'], shown: '\\xaab…' },
    { text: '%E2%80%93free-key', keys: ['free-key'], shown: '%E2%80%93free…' },
    { text: 'http://me:free-key@host/', keys: ['free-key'], shown: 'http://me:free…@host/' },
    { text: '/v1/a/b-2/c-3', keys: ['a/b-2/c-3'], shown: '/v1/a/b-…' },
    { text: '%ab12cd34ef', keys: ['ab12cd34ef'], shown: '%ab12…' },
    { text: 'x%20a.b+c/d9=', keys: ['a.b+c/d9='], shown: 'x%20a.b+…' },
    { text: 'abcdef1hijkl', keys: ['abcdef1h', 'abcdef1hijkl'], shown: 'abcd…' },
    { text: 'abcdef1hijkl', keys: ['abcdef1h', 'def1hijkl'], shown: 'abcd…' },
    { text: 'abcdx', keys: ['abcdefgh', 'abcd'], shown: 'abcdx' },
    { text: 'abcd x', keys: ['abcdefgh', 'abcd'], shown: 'ab… x' },
    { text: 'a cat', keys: ['cat', ''], shown: 'a cat' },
    { text: 'aXb', keys: ['a.b.'], shown: 'aXb' },
    { text: '\u00e1bcd', keys: ['abcd'], shown: '\u00e1bcd' },
  ])('shows $text as $shown', ({ text, keys, shown }) => {
    expect(redactorOf(keys).hide(text)).toBe(shown)
  })

  it.each([
    { text: 'a sugar-free-keyboard', key: 'free-key' },
    { text: 'carefree-key', key: 'free-key' },
    { text: 'the latest testing', key: 'test' },
    { text: 'test1', key: 'test' },
    { text: 'id=abc1234', key: 'abc123' },
  ])('leaves other words alone: $text', ({ text, key }) => {
    expect(redactorOf([key]).hide(text)).toBe(text)
    expect(redactorOf([]).hide(text, key)).toBe(text)
    expect(redactorOf([key]).hide(`${text} ${key}.`)).toBe(`${text} ${redactKey(key)}.`)
  })

  it('hides the same whichever of the keys come in an index', () => {
    const parts = fc.constantFrom(
      'amber',
      'velvet-otter',
      'otter',
      'q7-11x',
      'b-cd',
      'abcdef1h',
      'k3y=',
    )
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(parts, fc.boolean()), { selector: ([key]) => key }),
        fc.array(fc.oneof(parts, fc.constantFrom('-', 'x', '...', ' ', '%2d', 'am', 'ott'))),
        (keys, text) => {
          const [inIndex, beside] = [true, false].map((is) =>
            keys.filter(([, isInIndex]) => isInIndex === is).map(([key]) => key),
          )
          const all = redactorOf(keys.map(([key]) => key))
          expect(redactorOf(beside ?? [], inIndex).hide(text.join(''))).toBe(
            all.hide(text.join('')),
          )
        },
      ),
      { numRuns: 2_000 },
    )
  })

  it('hides a key that nobody has thought of within other words, too', () => {
    const key = 'sandbox-3f2b9c1a'
    expect(redactorOf([key]).hide(`x${key}y`)).toBe('xsand…y')
  })

  it.each([
    { text: (key: string) => btoa(`${key}:`) },
    { text: (key: string) => btoa(`user:${key}`) },
    { text: (key: string) => btoa(`u:${key}`) },
    { text: (key: string) => btoa(`me:${key}`) },
    { text: (key: string) => encodeURIComponent(btoa(`me:${key}`)) },
    { text: (key: string) => JSON.stringify({ auth: `Basic ${btoa(`user:${key}`)}` }) },
    { text: (key: string) => btoa(`\u00e4:${key}~`).replaceAll('+', '-').replaceAll('/', '_') },
  ])('hides keys in base64, at each of its places: $text', ({ text }) => {
    for (const key of ['free-key', 'a~key~of~tildes', 'sandbox-3f2b9c1a']) {
      const shown = redactorOf([key]).hide(text(key))
      expect(shown).toContain('…')
      // Of the key no more than its abbreviation can be read, and a digit that it shares with what stands beside it.
      const digits = redactorOf([key]).hide(text(key)).length
      expect(digits).toBeLessThan(text(key).length - key.length + 4)
    }
  })

  it.each([
    { text: 'body sandbox-3f2b…', shown: 'body sand…' },
    { text: '"sandbox-3f2b9c... is', shown: '"sand… is' },
    { text: 'limit=sandbox-3f2b9c1a…', shown: 'limit=sand…' },
    { text: 'sand… sandbox…', shown: 'sand… san…' },
    { text: 'a sandwich... a sand...', shown: 'a sandwich... a sand...' },
    { text: '"%73andbox-3f%32... is', shown: '"sand… is' },
    { text: '"%73andbox-3f%3... is', shown: '"sand… is' },
    { text: '"s\\u0061ndbox-3f\\u00…', shown: '"sand…' },
  ])('hides what is left of a key that was cut: $text', ({ text, shown }) => {
    const redactor = redactorOf(['sandbox-3f2b9c1a', 'other'])
    expect(redactor.hide(text)).toBe(shown)
    expect(redactor.hide(redactor.hide(text))).toBe(redactor.hide(text))
  })

  it.each([
    { text: 'token-of-a-key', also: 'token-of-a-key', shown: 'toke…' },
    { text: 'a%2db%2dc', also: 'a%2db-c', shown: 'a-…' },
    { text: '\u00e4bcde', also: '\u00e4bcde', shown: '\u00e4b…' },
    { text: '\u732b\u732b\u732b\u732b', also: '\u732b\u732b\u732b\u732b', shown: '\u732b\u732b…' },
    { text: 'abc', also: 'abc', shown: 'abc' },
    { text: '\u0080abc', also: 'abc\u0080', shown: '\u0080abc' },
    { text: 'free-key', also: 'free', shown: 'free…' },
  ])('hides $also too where it is sent, so that $text is $shown', ({ text, also, shown }) => {
    const redactor = redactorOf(['of-a', 'b-cd', 'free-key'])
    expect(redactor.hide(text, also)).toBe(shown)
    // It is forgotten with the next text.
    expect(redactor.hide('also-sent-before', 'x')).toBe('also-sent-before')
  })

  it('hides a secret that comes later', () => {
    const redactor = redactorOf(['free-key'])
    expect(redactor.hide('late-key late…')).toBe('late-key late…')
    redactor.add('late-key')
    redactor.add('late-key')
    expect(redactor.hide('late-key late-k…')).toBe('late… lat…')
  })

  it('hides every key, however each character is written', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9\-._~+/]{4,20}$/),
        fc.infiniteStream(fc.constantFrom(...spellings)),
        (key, spelling) => {
          const written = [...key].map((character) => spelling.next().value(character)).join('')
          expect(redactorOf([key]).hide(`<${written}>`)).toBe(`<${redactKey(key)}>`)
          expect(redactorOf([]).hide(`<${written}>`, key)).toBe(`<${redactKey(key)}>`)
        },
      ),
    )
  })

  it('shows no more than its abbreviation of a key that is cut, however each character is written', () => {
    fc.assert(
      fc.property(
        // Without dots, which could be those of the cut.
        fc.stringMatching(/^[a-z0-9\-_~+/]{10,20}$/),
        fc.infiniteStream(fc.constantFrom(...spellings)),
        fc.nat(),
        fc.constantFrom('…', '...'),
        (key, spelling, at, dots) => {
          const written = [...key].map((character) => spelling.next().value(character))
          const whole = written.slice(0, 5).join('')
          const cut = written.join('').slice(0, whole.length + (at % (whole.length + 1)))
          const shown = redactorOf([key]).hide(`<${cut}${dots}>`)
          expect(unescaped(shown).plain).not.toContain(key.slice(0, 5))
        },
      ),
    )
  })

  it('shows no key whole, whatever stands around it', () => {
    const parts = fc.constantFrom(
      '%',
      '\\',
      '\\u',
      '\\x',
      '%25',
      '%5c',
      ' ',
      '…',
      '...',
      '=',
      'é',
      '"',
    )
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-f0-9\-._~+/]{6,20}$/),
        fc.array(parts, { maxLength: 4 }),
        fc.array(parts, { maxLength: 4 }),
        (key, before, after) => {
          const text = `${before.join('')}${key}${after.join('')}`
          expect(redactorOf([key]).hide(text)).not.toContain(key)
        },
      ),
    )
  })

  it('takes no longer for many keys than for one, nor for many escapes in one another', () => {
    const keys = Array.from({ length: 20_000 }, (_, index) => `key-${index}-of-many`)
    const redactor = redactorOf(keys)
    const text = '%41key-19999-of-many '.repeat(3_000)
    expect(redactor.hide(text)).toBe('%41key-… '.repeat(3_000))
    const nested = `${'%25'.repeat(100_000)}66ree-key-1-of-many`
    expect(redactor.hide(nested)).toContain('ree-key-…')
    expect(redactor.hide('key-1-of-man…'.repeat(5_000))).toBe('key-…'.repeat(5_000))
    expect(redactor.hide('...'.repeat(330_000))).toHaveLength(990_000)
    expect(redactor.hide('key-...'.repeat(50_000))).toBe('key-...'.repeat(50_000))
    expect(redactor.hide(`${'a-'.repeat(99)}…`.repeat(300))).not.toContain('key')
  })
})
