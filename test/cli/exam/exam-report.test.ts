import { describe, expect, it } from 'vitest'
import { type ExamResult, examBadge, examReport } from '../../../src/cli/exam/exam-report.ts'
import type { Cause } from '../../../src/cli/exam/mend-first.ts'
import { reportFormats } from '../../../src/cli/reports/report-formats.ts'

/** What an exam has shown where nothing was wrong. */
const good: ExamResult = {
  papers: [],
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

const look: Cause = {
  grade: 'look',
  what: 'slow',
  text: 'Slow.',
  advice: 'Wait.',
  clause: 'spec 4',
  papers: ['lost createPet', 'lost listPets'],
}

const mend: Cause = { ...look, grade: 'mend', what: 'rounded-id' }

describe('examBadge()', () => {
  it.each([
    { change: {}, text: 'passed', level: 'ok' },
    { change: { causes: [look] }, text: 'passed, 1 to look at', level: 'warning' },
    { change: { causes: [mend, look] }, text: '1 to mend', level: 'error' },
    { change: { isPartial: true }, text: 'passed in part', level: 'info' },
    { change: { isInterrupted: true }, text: 'unfinished', level: 'info' },
    { change: { isInterrupted: true, causes: [mend] }, text: '1 to mend', level: 'error' },
  ])('says "$text"', ({ change, text, level }) => {
    expect(examBadge({ ...good, ...change })).toMatchObject({ text, level })
  })
})

describe('examReport()', () => {
  it('has each paper once in the line that sets papers again', () => {
    const [first] = examReport({ ...good, causes: [mend] }).groups
    expect(first).toMatchObject({ name: 'mend first', items: [{ code: 'exam --only lost' }] })
  })

  it('names what is only to be looked at as such', () => {
    const { summary, groups } = examReport({ ...good, causes: [look] })
    expect(summary).toBe('nothing to mend, 1 to look at (2 runs in 1s)')
    expect(groups[0]).toMatchObject({ name: 'look at first' })
  })

  it('says why the suite was not explored', () => {
    const explored = { dependencies: [], problem: 'Cannot explore: it sent no request' }
    const text = reportFormats.pretty(examReport({ ...good, explored }))
    expect(text).toContain('not run  explore  Cannot explore: it sent no request')
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
