import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../../src/checks/reports/formats.ts'
import { checkLine } from '../../../../src/cli/check/check.ts'
import {
  type Cause,
  type CheckResult,
  causesOf,
  checkReport,
} from '../../../../src/cli/check/check-report.ts'
import { firstFailureText } from '../../../../src/cli/check/grade.ts'
import { assumptionsOf } from '../../../kit/assumptions.ts'

/** A check that found nothing. */
const good: CheckResult = {
  first: { passed: true, code: 0, failure: '' },
  requests: 4,
  findingsResult: { findings: [], exceptions: [], failOn: 'error' },
  coverage: undefined,
  minCoverage: undefined,
  conditions: [],
  assumptions: undefined,
  causes: [],
  problem: undefined,
  conditionsNote: undefined,
  runs: 2,
  time: '1s',
  tests: 0,
  isInterrupted: false,
  isWhole: false,
  commandFor: (names) => `check --only ${names.join(',')}`,
}

const review: Cause = {
  grade: 'review',
  what: 'slow',
  text: 'Slow.',
  advice: 'Wait.',
  source: 'spec 4',
  checks: ['lost-response createPet', 'lost-response listPets'],
}

const fix: Cause = { ...review, grade: 'fix', what: 'id-precision-loss' }

const finding = {
  rule: 'retry-too-early',
  message: 'Sent it again.',
  what: 'retry-too-early',
  advice: 'Wait.',
  source: 'spec 8.2',
  client: 1,
} as const

/** A failure condition. */
const outage = {
  name: 'outage',
  operations: [],
  summary: 'all tests pass',
  suite: 'all tests pass',
  failure: undefined,
  output: undefined,
  client: [],
} as const

describe('checkReport()', () => {
  it('has each check once in the line that sets checks again', () => {
    const [first] = checkReport({ ...good, causes: [fix] }).groups
    expect(first).toMatchObject({
      name: 'fix first',
      items: [{ code: 'check --only lost-response' }],
    })
  })

  it('names what is only to be reviewed as such', () => {
    const { summary, groups } = checkReport({ ...good, causes: [review] })
    expect(summary).toBe('nothing to fix, 1 to review (2 runs in 1s, 4 requests)')
    expect(groups[0]).toMatchObject({ name: 'review first' })
  })

  it('counts a rule as broken that only a failure condition shows', () => {
    const grade = 'fix' as const
    const conditions = [{ ...outage, grade, complaints: [{ ...review, ...finding, grade }] }]
    const causes = causesOf({ ...good, conditions }, { 'fail-on': 'error' })
    const report = checkReport({ ...good, conditions, causes })
    expect(reportFormats.pretty(report)).toContain('rules of the spec: 23 of 24 passed')
    expect(reportFormats.junit(report)).not.toContain('rules of the spec" name="retry-too-early"')
  })

  it('passes no rule without a request', () => {
    const problem = 'Cannot check the client: no request reached a sandbox'
    const text = reportFormats.pretty(checkReport({ ...good, requests: 0, problem }))
    expect(text).toMatch(/^Check: nothing to check \(2 runs in 1s, 0 requests\)\n/)
    expect(text).not.toContain('rules of the spec')
  })

  it('says why there are no hidden assumptions, and no failure conditions', () => {
    const assumptions = assumptionsOf({ problem: 'Cannot compare runs: it sent no request' })
    const result = { ...good, assumptions, conditionsNote: 'In process.' }
    const text = reportFormats.pretty(checkReport(result))
    expect(text).toContain('hidden assumptions: not known\n  not-run  assumptions  Cannot compare')
    expect(text).toContain('failure conditions: not run\n  not-run  all  In process.')
  })

  it('puts tests together that rely on the same value', () => {
    const row = [{ gap: 'listOrder', value: 'shuffled' }] as const
    const dependencies = ['a', 'b', 'c'].map((test) => ({ test, row }))
    const { found } = assumptionsOf()
    const assumptions = assumptionsOf({ found: { ...found, dependencies }, grade: 'review' })
    const shown = { findingsResult: undefined, conditions: [], assumptions }
    const causes = causesOf(shown, { 'fail-on': 'error' })
    expect(causes).toMatchObject([{ grade: 'review', what: 'listOrder=shuffled' }])
    const text = reportFormats.pretty(checkReport({ ...good, assumptions, causes }))
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'a and 2 more tests fail with listOrder=shuffled, which the spec allows as well.',
    )
    expect(causesOf(shown, { 'fail-on': 'warning' })).toMatchObject([{ grade: 'fix' }])
  })

  it('gives advice on every complaint: the first three in full, or all of them', () => {
    const causes = ['a', 'b', 'c', 'd', 'e'].map((what) => {
      return { ...review, what, text: `why ${what}`, advice: `do ${what}` }
    })
    const shown = reportFormats.pretty(checkReport({ ...good, causes }))
    expect(shown).toContain('review first: 3 of 5; --all explains all')
    expect(shown).toMatch(
      /what to do: do c[\s\S]*\n {2}4\. {2}d {2}review: do d\n {2}5\. {2}e {2}review: do e/,
    )
    expect(shown).not.toContain('why d')
    const whole = reportFormats.pretty(checkReport({ ...good, causes, isWhole: true }))
    expect(whole).toContain('review first: 5 of 5\n')
    expect(whole).toContain('why e')
    const xml = reportFormats.junit(checkReport({ ...good, causes }))
    expect(xml).toContain('why e')
  })

  it.each([
    { failOn: 'error', severity: 'error', failures: 1, skipped: 0 },
    { failOn: 'error', severity: 'warning', failures: 0, skipped: 1 },
    { failOn: 'warning', severity: 'warning', failures: 1, skipped: 0 },
  ] as const)(
    'counts a $severity once in JUnit XML that fails on $failOn (issue 39)',
    ({ failOn, severity, failures, skipped }) => {
      const findings = [1, 2].map((id) => ({ ...finding, severity, requests: [id] }))
      const findingsResult = { findings, exceptions: [], failOn }
      const grade = severity === 'error' ? ('fix' as const) : ('review' as const)
      const conditions = [{ ...outage, grade, complaints: [{ ...review, ...finding, grade }] }]
      const causes = causesOf(
        { findingsResult, conditions, assumptions: undefined },
        { 'fail-on': failOn },
      )
      const xml = reportFormats.junit(checkReport({ ...good, findingsResult, conditions, causes }))
      const [, total] = xml.split('\n')
      expect(total).toContain(` failures="${failures}" errors="0" skipped="${skipped}"`)
      expect(xml.match(/<testcase [^>]*name="(?:retry-too-early|outage)"/g)).toHaveLength(1)
      expect(xml).toContain('seen in: baseline, outage')
      expect(xml).not.toContain('tests="0"')
    },
  )
})

describe('firstFailureText()', () => {
  const message = `Unable to find a label\u0020${'<div>'.repeat(800)}`

  it('shows the beginning of a long message, and where the rest is', () => {
    const text = firstFailureText({ test: 'shows pets', message, report: 'out/5.xml' }, 'lost.txt')
    expect(text).toMatch(/^shows pets \(Unable to find a label <div>.*…\), in out\/5\.xml$/)
    expect(text.length).toBeLessThan(170)
    expect(firstFailureText({ message }, 'lost.txt')).toMatch(/…, in lost\.txt$/)
    expect(firstFailureText({ message: 'short' }, 'lost.txt')).toBe('short')
  })
})

describe('checkLine()', () => {
  it('is the command again, with all that says how the runs are made', () => {
    const options = { junit: 'out/{row}.xml', jobs: 2, timeout: 60_000 }
    const words = ['npx', 'vitest', '--outputFile=out/{row}.xml']
    expect(
      checkLine({ options, given: { clock: '2030-12-04' }, words }, [
        'lost-response',
        'no-response',
      ]),
    ).toBe(
      "npx petstore-sandbox check --clock 2030-12-04 --junit 'out/{row}.xml' --jobs 2 --timeout 1m --only lost-response,no-response -- npx vitest '--outputFile=out/{row}.xml'",
    )
  })
})
