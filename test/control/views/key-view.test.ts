import { describe, expect, it } from 'vitest'
import { limitsView } from '../../../src/control/keys.ts'

describe('limitsView', () => {
  it('shows the lowest limits that a key can have', () => {
    expect(limitsView.read({ minute: 1, day: 1 })).toEqual({ minute: 1, day: 1 })
    expect(() => limitsView.read({ minute: 0, day: 1 })).toThrow('from 1')
  })
})
