import { describe, expect, it } from 'vitest'
import { reportFormats } from '../../../src/checks/reports/formats.ts'
import { examLine } from '../../../src/cli/exam/exam.ts'
import {
  type Cause,
  type ExamResult,
  examBadge,
  examReport,
} from '../../../src/cli/exam/exam-report.ts'
import { firstFailureText } from '../../../src/cli/exam/grade.ts'

/** What an exam has shown where nothing was wrong. */
const good: ExamResult = {
  checks: [],
  manners: [],
  coverage: undefined,
  explored: undefined,
  causes: [],
  runs: 2,
  time: '1s',
  tests: 0,
  isInterrupted: false,
  isPartial: false,
  isWhole: false,
  commandFor: (names) => `exam --only ${names.join(',')}`,
}

const review: Cause = {
  grade: 'review',
  what: 'slow',
  text: 'Slow.',
  advice: 'Wait.',
  clause: 'spec 4',
  checks: ['lost createPet', 'lost listPets'],
}

const fix: Cause = { ...review, grade: 'fix', what: 'id-precision-loss' }

describe('examBadge()', () => {
  it.each([
    { change: {}, text: 'passed', level: 'ok' },
    { change: { causes: [review] }, text: 'passed, 1 to review', level: 'warning' },
    { change: { causes: [fix, review] }, text: '1 to fix', level: 'error' },
    { change: { isPartial: true }, text: 'passed in part', level: 'info' },
    { change: { isInterrupted: true }, text: 'unfinished', level: 'info' },
    { change: { isInterrupted: true, causes: [fix] }, text: '1 to fix', level: 'error' },
  ])('says "$text"', ({ change, text, level }) => {
    expect(examBadge({ ...good, ...change })).toMatchObject({ text, level })
  })
})

describe('examReport()', () => {
  it('has each check once in the line that sets checks again', () => {
    const [first] = examReport({ ...good, causes: [fix] }).groups
    expect(first).toMatchObject({ name: 'fix first', items: [{ code: 'exam --only lost' }] })
  })

  it('names what is only to be reviewed as such', () => {
    const { summary, groups } = examReport({ ...good, causes: [review] })
    expect(summary).toBe('nothing to fix, 1 to review (2 runs in 1s)')
    expect(groups[0]).toMatchObject({ name: 'review first' })
  })

  it('says why the suite was not explored', () => {
    const explored = { dependencies: [], problem: 'Cannot explore: it sent no request' }
    const text = reportFormats.pretty(examReport({ ...good, explored }))
    expect(text).toContain('not-run  explore  Cannot explore: it sent no request')
  })

  it('counts the tests that depend on a choice', () => {
    const row = [{ gap: 'listOrder', choice: 'shuffled' }] as const
    const dependencies = ['a', 'b', 'c'].map((test) => ({ test, row }))
    const text = reportFormats.pretty(
      examReport({ ...good, explored: { dependencies, problem: undefined } }),
    )
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      'a and 2 more tests fail with listOrder=shuffled, which the interface allows as well.',
    )
  })

  it('gives advice on every complaint: the first three in full, or all of them', () => {
    const causes = ['a', 'b', 'c', 'd', 'e'].map((what) => {
      return { ...review, what, text: `why ${what}`, advice: `do ${what}` }
    })
    const shown = reportFormats.pretty(examReport({ ...good, causes }))
    expect(shown).toContain('review first: 3 of 5; --all explains all')
    expect(shown).toMatch(
      /what to do: do c[\s\S]*\n {2}4\. {2}d {2}review: do d\n {2}5\. {2}e {2}review: do e/,
    )
    expect(shown).not.toContain('why d')
    const whole = reportFormats.pretty(examReport({ ...good, causes, isWhole: true }))
    expect(whole).toContain('review first: 5 of 5\n')
    expect(whole).toContain('why e')
    const xml = reportFormats.junit(examReport({ ...good, causes }))
    expect(xml).toContain('why e')
  })
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

describe('examLine()', () => {
  it('is the command again, with all that says how the runs are made', () => {
    const options = { junit: 'out/{row}.xml', jobs: 2, patience: 60_000 }
    const words = ['npx', 'vitest', '--outputFile=out/{row}.xml']
    expect(examLine({ options, given: { clock: '2030-12-04' }, words }, ['lost', 'silent'])).toBe(
      "npx petstore-sandbox exam --clock 2030-12-04 --junit 'out/{row}.xml' --jobs 2 --patience 1m --only lost,silent -- npx vitest '--outputFile=out/{row}.xml'",
    )
  })
})
