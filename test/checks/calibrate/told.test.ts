import { describe, expect, it } from 'vitest'
import { calibrate } from '../../../src/checks/calibrate/calibrate.ts'
import type { GapSettings } from '../../../src/index.ts'
import { type GapName, gapNames, gaps } from '../../../src/mock/spec/gaps.ts'
import { recordAllTraffic } from './good-traffic.ts'
import { agrees } from './wrong-in.ts'

/** Other values where any will do. */
const otherValues: { readonly [Name in GapName]?: readonly (string | number)[] } = {
  maxNameLength: [2, 200, 'never'],
  deprecatedSince: ['2024-03-01T00:00:07Z'],
  banAfter: [3, 'never'],
  banDuration: ['1h'],
  dateHeaderSkew: ['30s', '10m'],
}

const cases = gapNames.flatMap((name) => {
  const gap = gaps[name]
  const others = gap.kind === 'choice' ? gap.choices.slice(1) : (otherValues[name] ?? [])
  return others.map((choice) => ({ name, choice }))
})

/** Choices that no traffic can tell from the default, and why. */
const untold = {
  'listOrder=shuffled': 'it is the same each time, as the order of a property would be',
  'reportedWindow=minute': 'without the other window, its limit is unknown',
  'banAfter=never': 'a ban may look like any rejection',
}

/** What a choice is told by, beside itself. */
const besides: Readonly<Record<string, GapSettings>> = {
  'retryAfterPadding=5s': { retryAfterFormat: 'http-date' },
}

describe('calibrate() of a service that differs at one gap', () => {
  it('has a case for each gap', () => {
    expect(new Set(cases.map(({ name }) => name))).toEqual(new Set(gapNames))
  })

  it('tells each choice from the default, unless traffic cannot show it', async () => {
    const found: string[] = []
    for (const { name, choice } of cases) {
      const title = `${name}=${choice}`
      const settings = { [name]: choice, ...besides[title] } as GapSettings
      const now = name === 'afterSunset' ? '2031-01-01T10:00:07Z' : undefined
      const report = calibrate([(await recordAllTraffic(settings, now)).archive()])
      const gap = gaps[name]
      const usual = gap.kind === 'choice' ? gap.choices[0] : gap.default
      const text = gap.kind === 'instant' ? new Date(usual).toISOString() : usual
      const { choices } = report.gaps[name]
      expect({ title, choices, agrees: agrees(name, choice, choices) }).toMatchObject({
        agrees: true,
      })
      const problems = Object.values(report.clauses).flatMap((clause) => clause.problems)
      expect({ title, problems: [...problems, ...report.unexplained] }).toEqual({
        title,
        problems: [],
      })
      if (agrees(name, text, choices)) found.push(title)
    }
    expect(found).toEqual(Object.keys(untold))
  })
})
