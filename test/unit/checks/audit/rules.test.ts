import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ruleNames } from '../../../../src/checks/audit/rules.ts'
import { expectComplete } from '../../../kit/expect-complete.ts'
import { judge, type StoryStep } from '../../../kit/story.ts'

const getPet: StoryStep = { url: '/v1/pets/1', responseHeaders: { deprecation: '@1764892800' } }

describe('the rules', () => {
  /** The rule that a test of its own tries. */
  const elsewhere = { 'relies-on-gap': 'test/unit/checks/audit/relies-on-gap.test.ts' }

  it('each find something in a story of their own, of which test/unit/checks/audit/verdicts has the text', () => {
    const folder = new URL('verdicts/', import.meta.url)
    const texts = readdirSync(folder).map((file) => readFileSync(new URL(file, folder), 'utf8'))
    expectComplete({
      found: [
        ...Object.keys(elsewhere),
        ...new Set(
          texts
            .flatMap((text) => [...text.matchAll(/^# \w+ ([\w-]+): .*\n\n(?!#|$)/gm)])
            .map(([, name = '']) => name),
        ),
      ],
      needed: ruleNames,
      what: 'a story in which a rule finds something',
      where: 'the files of test/unit/checks/audit that call describeRules()',
    })
  })

  it('find once of each client what is found once, in whatever order clients come', () => {
    const keys = ['free-key', 'pro-key', 'free-key', 'business-key', 'pro-key']
    const findings = judge(keys.map((key) => ({ ...getPet, key })))
    const found = findings.filter(({ rule }) => rule === 'deprecated-operation')
    expect(found.map(({ client }) => client)).toEqual([1, 2, 3])
  })
})
