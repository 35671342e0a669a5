import { describe, expect, it } from 'vitest'
import { hideSecrets, redactKey } from '../../src/state/redact.ts'

describe('redactKey()', () => {
  it.each([
    { key: 'secret-key', shown: 'secr…' },
    { key: 'abcd', shown: 'ab…' },
    { key: 'a', shown: '…' },
  ])('shows $shown of $key', ({ key, shown }) => {
    expect(redactKey(key)).toBe(shown)
  })
})

describe('hideSecrets()', () => {
  it.each([
    { text: 'key free-key, free-key', secrets: ['free-key'], shown: 'key free…, free…' },
    { text: 'a=free%2dkey&b=fre%65-key', secrets: ['free-key'], shown: 'a=free…&b=free…' },
    { text: 'a=%66%72%65%65%2D%6b%65%79', secrets: ['free-key'], shown: 'a=free…' },
    { text: 'x%20a.b+c/d=', secrets: ['a.b+c/d='], shown: 'x%20a.b+…' },
    { text: 'abcdefghijkl', secrets: ['abcdef', 'abcdefghijkl'], shown: 'abcd…' },
    { text: 'a cat', secrets: ['cat', ''], shown: 'a cat' },
    { text: 'aXb', secrets: ['a.b.'], shown: 'aXb' },
  ])('shows $text as $shown', ({ text, secrets, shown }) => {
    expect(hideSecrets(text, secrets)).toBe(shown)
  })
})
