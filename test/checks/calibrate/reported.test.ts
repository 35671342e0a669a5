import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../src/checks/calibrate/calibrate.ts'
import { mapTable } from '../../../src/mock/input/record.ts'
import { gapNames } from '../../../src/mock/spec/gaps.ts'

/** Reads the smallest archive of a real service about which calibrate was wrong (issue 37). */
function reportOf(name: string) {
  const file = new URL(`archives/${name}.har`, import.meta.url)
  return calibrate([JSON.parse(readFileSync(file, 'utf8'))])
}

describe('calibrate() of services that keep the interface in their own way', () => {
  it.each([
    'ms-window',
    'retry-after-always-60',
    'date-behind-2s',
    'from-browser-cache',
    'ban-with-lost-bodies',
  ])('has nothing against %s', (name) => {
    const { clauses, unexplained } = reportOf(name)
    expect(Object.values(clauses).flatMap(({ problems }) => problems)).toEqual([])
    expect(unexplained).toEqual([])
  })

  it('shows no skew and no precision where Retry-After is always 60', () => {
    const { dateHeaderSkew, retryAfterPadding } = reportOf('retry-after-always-60').gaps
    expect(dateHeaderSkew.values).toContain('none')
    expect(retryAfterPadding).not.toMatchObject({ result: 'confirmed' })
  })

  it('counts no rejections whose bodies are lost', () => {
    const { banAfter } = reportOf('ban-with-lost-bodies').gaps
    expect(banAfter).toMatchObject({ result: 'narrowed', values: ['7..1000000000'] })
  })

  it('names exchanges for all that is narrowed', () => {
    const { gaps } = reportOf('ban-with-lost-bodies')
    const verdicts = mapTable(gaps, (name) =>
      gaps[name].result === 'not-seen' ? 0 : gaps[name].requests.length,
    )
    for (const name of gapNames) {
      if (gaps[name].result !== 'not-seen')
        expect({ name, count: verdicts[name] }).not.toMatchObject({ count: 0 })
    }
  })
})
