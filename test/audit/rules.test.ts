import { describe, expect, it } from 'vitest'
import { ruleNames, rules } from '../../src/audit/rules.ts'
import { judge, type Told } from '../kit/story.ts'

const getPet: Told = { url: '/v1/pets/1', replyHeaders: { deprecation: '@1764892800' } }

describe('the rules', () => {
  it.each(ruleNames)('say all that a reader needs: %s', (name) => {
    const { about, advice, clause } = rules[name]
    expect(about).toMatch(/^[A-Z].*\.$/)
    expect(advice).toMatch(/^[A-Z].*\.$/)
    expect(clause).toMatch(/spec \d|RFC \d|GitHub|IETF|SRE/)
  })

  it('find once of each client what is found once, in whatever order clients come', () => {
    const keys = ['free-key', 'pro-key', 'free-key', 'business-key', 'pro-key']
    const findings = judge(keys.map((key) => ({ ...getPet, key })))
    const found = findings.filter(({ rule }) => rule === 'deprecated-operation')
    expect(found.map(({ caller }) => caller)).toEqual([1, 2, 3])
  })
})
