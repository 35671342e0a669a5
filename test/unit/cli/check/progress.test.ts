import { describe, expect, it } from 'vitest'
import { Progress, progressText } from '../../../../src/cli/check/baseline.ts'

describe('progressText()', () => {
  it.each([
    { state: { done: 1, left: 0, jobs: 1, unit: 'run' }, elapsed: 900, says: '1 run done in 1s' },
    {
      state: { done: 8, left: 12, jobs: 4, unit: 'run' },
      elapsed: 20_000,
      says: '8 runs done, about 12 left, about 30s',
    },
    {
      state: { done: 2, left: 13, jobs: 8, unit: 'run' },
      elapsed: 61_000,
      says: '2 runs done, about 13 left, about 2m2s',
    },
    {
      state: { done: 3, left: undefined, jobs: 2, unit: 'run' },
      elapsed: 61_000,
      says: '3 runs done',
    },
  ] as const)('says "$says"', ({ state, elapsed, says }) => {
    expect(progressText(state, elapsed)).toBe(says)
  })
})

describe('Progress', () => {
  const state = { done: 2, left: 0, jobs: 1, unit: 'run' } as const

  it('stays on one line of a terminal, and leaves nothing there', () => {
    let text = ''
    const progress = new Progress({ isTTY: true, write: (more) => (text += more) }, 'check')
    progress.show(state)
    progress.clear()
    progress.clear()
    const erased = '\r\u001b[K'
    expect(text.split(erased)).toEqual(['', expect.stringMatching(/^2 runs done in \d+s$/), ''])
  })

  it('writes lines elsewhere', () => {
    let text = ''
    const progress = new Progress({ write: (more) => (text += more) }, 'check')
    progress.show(state)
    progress.clear()
    expect(text).toMatch(/^petstore-sandbox: check: 2 runs done in \d+s\n$/)
  })
})
