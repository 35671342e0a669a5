import { describe, expect, it } from 'vitest'
import { Sometimes } from './sometimes.ts'

describe('Sometimes', () => {
  it('fails with what no run met', () => {
    const sometimes = new Sometimes('a ban', 'a reset', 'a cut body')
    sometimes.meet('a reset')
    sometimes.meet('a ban', false)
    expect(() => sometimes.expectAllMet()).toThrow('No run met: a ban, a cut body')
    sometimes.meet('a ban')
    sometimes.meet('a cut body', true)
    sometimes.expectAllMet()
  })
})
