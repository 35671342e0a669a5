import { describe, expect, it } from 'vitest'
import {
  type Cause,
  type ExamResult,
  examBadge,
  examReport,
} from '../../../src/cli/exam/exam-report.ts'
import { reportFormats } from '../../../src/reports/formats.ts'

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

const fix: Cause = { ...review, grade: 'fix', what: 'rounded-id' }

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
})
