import { describe, expect, it } from 'vitest'
import { hideCredentials } from '../../../src/state/redactor/hide-credentials.ts'

describe('hideCredentials()', () => {
  it.each([
    { value: 'Bearer secret-key', shown: 'Bearer secr…' },
    { value: 'Basic dXNlcjpzZWNyZXQta2V5', shown: 'Basic dXNl…' },
    { value: 'secret-key', shown: 'secr…' },
  ])('shows $shown of $value', ({ value, shown }) => {
    expect(hideCredentials(value)).toBe(shown)
  })
})
