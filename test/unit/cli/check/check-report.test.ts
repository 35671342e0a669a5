import { describe, expect, it } from 'vitest'
import { type ReportFormat, reportFormats } from '../../../../src/checks/reports/formats.ts'
import { checkLine } from '../../../../src/cli/check/check.ts'
import {
  type CheckResult,
  checkReport,
  failingNames,
} from '../../../../src/cli/check/check-report.ts'
import type { Complaint } from '../../../../src/cli/check/complaint.ts'
import type { GradedCondition } from '../../../../src/cli/check/grade.ts'
import { type Item, itemsOf, type KnownItems, staleItems } from '../../../../src/cli/check/items.ts'
import { createSandbox } from '../../../../src/sandbox/sandbox.ts'
import { assumptionsOf } from '../../../kit/assumptions.ts'
import { requestOf } from '../../../kit/send.ts'

/** A check that found nothing. */
const good: CheckResult = {
  first: { passed: true, code: 0, failure: '' },
  requests: 4,
  findingsResult: { findings: [], exceptions: [], failOn: 'error' },
  coverage: undefined,
  exercised: undefined,
  minCoverage: undefined,
  conditions: [],
  assumptions: undefined,
  items: [],
  stale: [],
  hasBaseline: false,
  failOn: 'error',
  problem: undefined,
  conditionsNote: undefined,
  runs: 2,
  time: '1s',
  tests: 0,
  isInterrupted: false,
  isWhole: false,
  commandFor: (names = ['all']) => `check ${names.join(',')}`,
}

const complaint = (what: string, grade: Complaint['grade'] = 'review'): Complaint => ({
  grade,
  what,
  text: `Why ${what}.`,
  advice: `Do ${what}.`,
  source: 'spec 8.2',
})

/** A failure condition. */
function condition(
  name: GradedCondition['name'],
  {
    operation,
    complaints = [],
    state = complaints[0]?.grade ?? 'passed',
  }: Partial<GradedCondition>,
): GradedCondition {
  const summary = 'all tests pass'
  return {
    ...{ name, operation, state, complaints, summary, suite: summary },
    ...{ failure: undefined, output: undefined, client: [] },
  }
}

function itemsIn(
  conditions: readonly GradedCondition[],
  known: KnownItems = [],
  first: readonly Complaint[] = [],
): readonly Item[] {
  return itemsOf({ findings: [], first, conditions, assumptions: undefined }, known)
}

function textOf(more: Partial<CheckResult>, format: ReportFormat = 'pretty'): string {
  return reportFormats[format](checkReport({ ...good, ...more }))
}

describe('itemsOf()', () => {
  const ends = complaint('ends with an error')

  it('groups what says the same, the worst first', () => {
    const items = itemsIn([
      condition('outage', { operation: 'listPets', complaints: [ends] }),
      condition('outage', { operation: 'createPet', complaints: [ends] }),
      condition('invalid-json', {
        operation: 'createPet',
        complaints: [complaint('retry-too-early', 'fix'), ends],
      }),
      condition('lost-response', {
        operation: 'createPet',
        complaints: [complaint('duplicate-create', 'fix')],
      }),
    ])
    expect(items.map(({ what, grade, checks }) => ({ what, grade, checks }))).toEqual([
      { what: 'duplicate-create', grade: 'fix', checks: ['lost-response createPet'] },
      { what: 'retry-too-early', grade: 'fix', checks: ['invalid-json createPet'] },
      {
        what: 'ends with an error',
        grade: 'review',
        checks: ['outage listPets', 'outage createPet', 'invalid-json createPet'],
      },
    ])
  })

  it('takes the worst of several complaints', () => {
    const [item] = itemsIn([
      condition('minute-limit', { complaints: [complaint('retry-too-early', 'review')] }),
      condition('banned', { complaints: [complaint('retry-too-early', 'fix')] }),
    ])
    expect(item).toMatchObject({ grade: 'fix', checks: ['banned'] })
  })
})

describe('a baseline', () => {
  const known = [
    { what: 'a', grade: 'review', checks: ['outage listPets'] },
    { what: 'gone', grade: 'fix', checks: ['outage listPets', 'banned'] },
  ]
  const complaints = [complaint('a'), complaint('new')]
  const items = itemsIn([condition('outage', { operation: 'listPets', complaints })], known)

  it('lists what is known, and fails on what is new', () => {
    const result = { ...good, items, hasBaseline: true }
    expect(failingNames(result)).toEqual(['new'])
    expect(failingNames({ ...result, hasBaseline: false })).toEqual([])
    expect(textOf(result)).toContain('known: 1, in the baseline\n  known  a\n')
    expect(textOf(result)).toMatch(/^Check: 0 to fix, 1 to review; 1 known /)
  })

  it('fails on what is gone, if all checks that showed it have run', () => {
    expect(staleItems(known, items, ['outage', 'banned'])).toEqual(['gone'])
    expect(staleItems(known, items, ['outage'])).toEqual([])
    expect(textOf({ stale: ['gone'] }, 'junit')).toContain('name="gone"><failure')
    const shown = textOf({ stale: ['gone'] })
    expect(shown).toContain('1 stale in the baseline')
    expect(shown).not.toContain('nothing to fix')
    expect(JSON.parse(textOf({ stale: ['gone'] }, 'json'))).toMatchObject({ passed: false })
  })
})

describe('checkReport()', () => {
  it('reads as perfect where a client is perfect', () => {
    const conditions = [condition('outage', {}), condition('sunset-day', { state: 'not-met' })]
    expect(textOf({ conditions }).replaceAll('\n', ' ')).toMatch(
      /^Check: nothing to fix or to review · 2 conditions: 1 passed, 1 not met \(2 runs in 1s, 4 requests\) {2}/,
    )
  })

  it('shows each item to fix in full, with the command that repeats it, and each to review in two lines', () => {
    const review = [complaint('ends with an error')]
    const conditions = [
      condition('retry-after', {
        operation: 'listPets',
        complaints: [complaint('retry-too-early', 'fix')],
      }),
      condition('outage', { operation: 'listPets', complaints: review }),
      condition('outage', { operation: 'createPet', complaints: review }),
      condition('invalid-json', { operation: 'createPet', complaints: review }),
    ]
    const text = textOf({ conditions, items: itemsIn(conditions) })
    expect(text).toContain(`to fix: 1
  1. retry-too-early under retry-after (listPets)
     Why retry-too-early.
     what to do: Do retry-too-early.
     source: spec 8.2
     check retry-after

to review: 1
  1. ends with an error under outage, invalid-json (createPet, listPets)
     Do ends with an error.
`)
  })

  it.each([0, 1, 12])(
    'fits on a screen of some forty lines, with 12 to review and %i to fix',
    (fix) => {
      const long =
        'Wait as long as Retry-After says, whether in seconds, in another unit or as a date.'
      const many = (grade: 'fix' | 'review', count: number) =>
        Array.from({ length: count }, (_, index) => ({
          ...complaint(`${grade} ${index}`, grade),
          ...{ text: `${index} ${long}`, advice: `${long} Then send it again: ${index}.` },
        }))
      const conditions = [...many('fix', fix), ...many('review', 12)].map((one) =>
        condition('outage', { complaints: [one] }),
      )
      const shown = { conditions, items: itemsIn(conditions) }
      expect(textOf(shown).split('\n').length).toBeLessThanOrEqual(45)
      expect(textOf(shown)).toMatch(/\n {2}\d+ more: review \d+, .*review 11 \(see\s+--all/s)
      for (const text of [textOf({ ...shown, isWhole: true }), textOf(shown, 'junit')]) {
        for (const { text: own } of [...many('fix', fix), ...many('review', 12)]) {
          expect(text.replace(/\n +/g, ' ')).toContain(own)
        }
      }
    },
  )

  it.each(['json', 'markdown', 'github', 'junit'] as const)(
    'has the same items as %s',
    (format) => {
      const complaints = [complaint('retry-too-early', 'fix'), complaint('ends with an error')]
      const conditions = [condition('outage', { operation: 'listPets', complaints })]
      const text = textOf({ conditions, items: itemsIn(conditions) }, format)
      for (const { what, advice } of complaints) {
        expect(text).toContain(what)
        expect(text).toContain(advice)
      }
    },
  )

  it.each([
    { grade: 'fix', failOn: 'error', failures: 1 },
    { grade: 'review', failOn: 'error', failures: 0 },
    { grade: 'review', failOn: 'warning', failures: 1 },
  ] as const)(
    'counts an item once in JUnit XML: $grade, failing on $failOn',
    ({ grade, failOn, failures }) => {
      const complaints = [complaint('retry-too-early', grade)]
      const conditions = [condition('outage', { complaints }), condition('banned', { complaints })]
      const xml = textOf({ conditions, items: itemsIn(conditions), failOn }, 'junit')
      expect(xml.split('\n')[1]).toContain(` failures="${failures}" `)
      expect(xml.match(/<testcase /g)).toHaveLength(1)
      expect(xml).not.toContain('tests="0"')
    },
  )

  it('says how many rules had an occasion (S2)', async () => {
    const sandbox = createSandbox({ coverage: true })
    const findings = await sandbox.findings()
    await sandbox.handle(requestOf({ url: '/v1/pets?limit=100' }))
    expect(findings).toEqual([])
    const text = textOf({ exercised: await sandbox.coverage() })
    expect(text).toMatch(/\nrules: \d had an occasion and passed, \d\d had none\n/)
    expect(text).toMatch(/never exercised: \d\d of \d\d documented situations, such as .*429/)
    expect(text).not.toContain('todo')
  })

  it('lists nothing that was never exercised if the command failed, or sent nothing (S9)', async () => {
    const exercised = await createSandbox({ coverage: true }).coverage()
    const first = { passed: false, code: 3, failure: 'exit code 3' }
    const failed = textOf({ exercised, first })
    expect(failed).toMatch(/^Check: the command failed: exit code 3 \(/)
    expect(failed).not.toContain('never exercised')
    const problem = 'Cannot check the client: no request reached a sandbox'
    const silent = textOf({ exercised, requests: 0, problem })
    expect(silent).toMatch(/^Check: nothing to check \(2 runs in 1s, 0 requests\)\n/)
    expect(silent).not.toContain('never exercised')
    expect(silent).not.toContain('rules')
    expect(silent).not.toContain('next')
  })

  it('ends with one next step', () => {
    const conditions = [condition('outage', {})]
    const first = itemsIn([], [], [complaint('a', 'fix')])
    const review = itemsIn([], [], [complaint('a')])
    const nextIn = (more: Partial<CheckResult>): string => textOf(more).split('\n\nnext: ')[1] ?? ''
    expect(nextIn({})).toBe('run it under failure conditions, too\n  check all')
    expect(nextIn({ conditions, items: first })).toMatch(
      /the client to copy\n {2}.*examples\/client$/,
    )
    expect(nextIn({ conditions, items: review })).toContain('--baseline known.json')
    expect(nextIn({ conditions })).toBe('')
  })

  it('says why there are no failure conditions, and no hidden assumptions', () => {
    const assumptions = assumptionsOf({ problem: 'Cannot compare runs: it sent no request' })
    const text = textOf({ assumptions, conditionsNote: 'In process.' })
    expect(text).toContain('hidden assumptions: not known: Cannot compare runs')
    expect(text).toContain('failure conditions: not run')
    expect(text).toContain('In process.')
  })
})

describe('checkLine()', () => {
  const options = { junit: 'out/{row}.xml', jobs: 2, timeout: 60_000 }
  const words = ['npx', 'vitest', '--outputFile=out/{row}.xml']
  const given = { clock: '2030-12-04' }

  it('is the command again, with all that says how the runs are made', () => {
    expect(checkLine({ options, given, words }, ['lost-response', 'no-response'])).toBe(
      "npx petstore-sandbox check --clock 2030-12-04 --junit 'out/{row}.xml' --jobs 2 --timeout 1m --only lost-response,no-response -- npx vitest '--outputFile=out/{row}.xml'",
    )
  })

  it('runs everything without names', () => {
    const none = { junit: undefined, jobs: undefined, timeout: undefined }
    expect(checkLine({ options: none, given, words: ['npm', 'test'] })).toBe(
      'npx petstore-sandbox check --clock 2030-12-04 --full -- npm test',
    )
  })
})
