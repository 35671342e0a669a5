import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { AdapterName } from '../../src/mock/api/message.ts'
import { judge, namesIn, type StoryStep } from './story.ts'

/** What a client does, and why that is found or not. */
interface Case {
  readonly why: string
  readonly story: readonly StoryStep[]
  readonly adapter?: AdapterName
}

/** The cases of a rule, of both kinds. */
export interface RuleCases {
  /** Its severity and name. */
  readonly rule: string
  /** The same rule with less severity, as long as it isn't sure. */
  readonly before?: string
  readonly found: readonly Case[]
  readonly not: readonly Case[]
}

const judgeCase = ({ story, adapter = 'direct' }: Case) => judge(story, { adapter })

/** What a rule finds in a case. */
function saidOf(rule: string, one: Case) {
  return judgeCase(one).filter((finding) => rule.endsWith(` ${finding.rule}`))
}

/** What is said of a case, for people who read it through. */
function textOf(rule: string, one: Case): string {
  const texts = saidOf(rule, one).map(
    ({ message, advice, source }) => `${message}\n${advice}\n(${source})\n`,
  )
  return [`# ${rule}: ${one.why}\n`, ...texts].join('\n')
}

/** Tests each rule with what it finds and what it doesn't. */
export function describeRules(cases: readonly RuleCases[]): void {
  describe.each(cases)('$rule', ({ rule, before, found, not }) => {
    const name = rule.split(' ').at(-1)
    const namesOf = (one: Case) => namesIn(judgeCase(one))

    it.each(found)('is found: $why', (one) => {
      expect(namesOf(one).filter((found) => found.endsWith(` ${name}`))).toEqual([
        ...(before === undefined ? [] : [before]),
        rule,
      ])
    })

    it.each(not)('is not found: $why', (one) => {
      expect(namesOf(one).filter((found) => found.endsWith(` ${name}`))).toEqual([])
    })
  })

  it('says what it said of these when that was last looked through', async () => {
    const said = cases.flatMap(({ rule, found }) => found.map((one) => textOf(rule, one)))
    const file = basename(expect.getState().testPath ?? '', '.test.ts')
    await expect(said.join('\n')).toMatchFileSnapshot(`verdicts/${file}.md`)
    const proofs = cases.flatMap(({ rule, found }) =>
      found.map((one) => {
        const ids = saidOf(rule, one).map(({ requests }) => requests.join(' '))
        return `${rule}: ${one.why}: ${ids.join('; ')}\n`
      }),
    )
    await expect(proofs.join('')).toMatchFileSnapshot(`proofs/${file}.txt`)
  })
}

/** So many of the same, one after the other. */
export function times(count: number, step: StoryStep): StoryStep[] {
  return Array.from({ length: count }, () => step)
}

/** So many of the same, sent while the first is under way. */
export function together(count: number, step: StoryStep): StoryStep[] {
  return times(count, step).map((one, index) => (index === 0 ? one : { ...one, together: true }))
}
