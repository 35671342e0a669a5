import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Sometimes } from './sometimes.ts'

describe('Sometimes', () => {
  it('fails with what no run met', () => {
    const sometimes = new Sometimes('a ban', 'a reset', 'a cut body')
    sometimes.meet({ 'a reset': true, 'a ban': false, 'a full moon': true })
    expect(() => sometimes.expectAllMet()).toThrow('No run met: a ban, a cut body')
    sometimes.meet({ 'a ban': true, 'a cut body': true })
    sometimes.expectAllMet()
  })
})

describe('each random test', () => {
  it.each(globSync('test/**/*.test.{ts,tsx}').filter((file) => countIn(file, /fc\.assert\(/g) > 0))(
    'fails if it never met its subject: %s',
    (file) => {
      expect(countIn(file, /\.expectAllMet\(\)/g)).toBeGreaterThanOrEqual(
        countIn(file, /fc\.assert\(/g),
      )
    },
  )
})

function countIn(file: string, pattern: RegExp): number {
  return readFileSync(file, 'utf8').match(pattern)?.length ?? 0
}
