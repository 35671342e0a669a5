import { describe, expect, it } from 'vitest'
import { redactKey } from '../../src/state/redact.ts'

describe('redactKey()', () => {
  it.each([
    { key: 'secret-key', shown: 'secr…' },
    { key: 'abcd', shown: 'ab…' },
    { key: 'a', shown: '…' },
  ])('shows $shown of $key', ({ key, shown }) => {
    expect(redactKey(key)).toBe(shown)
  })
})
