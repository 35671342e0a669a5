import { describe, expect, it } from 'vitest'
import { hideCredentials, redactKey } from '../../src/state/redact.ts'

describe('redactKey()', () => {
  it.each([
    { key: 'secret-key', shown: 'secr…' },
    { key: 'abcd', shown: 'ab…' },
    { key: 'a', shown: '…' },
  ])('shows $shown of $key', ({ key, shown }) => {
    expect(redactKey(key)).toBe(shown)
  })
})

describe('hideCredentials()', () => {
  it.each([
    { value: 'Bearer secret-key', shown: 'Bearer secr…' },
    { value: 'Basic dXNlcjpzZWNyZXQta2V5', shown: 'Basic dXNl…' },
    { value: 'secret-key', shown: 'secr…' },
  ])('shows $shown of $value', ({ value, shown }) => {
    expect(hideCredentials(value)).toBe(shown)
  })
})
