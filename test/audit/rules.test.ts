import { describe, expect, it } from 'vitest'
import { ruleNames, rules } from '../../src/audit/rules.ts'

describe('the rules', () => {
  it.each(ruleNames)('say all that a reader needs: %s', (name) => {
    const { about, advice, clause } = rules[name]
    expect(about).toMatch(/^[A-Z].*\.$/)
    expect(advice).toMatch(/^[A-Z].*\.$/)
    expect(clause).toMatch(/spec \d|RFC \d|GitHub|IETF|SRE/)
  })
})
