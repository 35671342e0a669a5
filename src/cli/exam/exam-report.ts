import type { Finding } from '../../audit/finding.ts'
import type { CoverageReport } from '../../coverage/coverage-report.ts'
import { wholeSuite } from '../../explore/suite/observation.ts'
import { choicesByGap } from '../../explore/suite/row.ts'
import { namesOf } from '../../input/record.ts'
import type { Badge, Level, Report, ReportGroup, ReportItem } from '../reports/report.ts'
import { type Grade, type GradedPaper, grades, titleOf } from './grade.ts'
import type { Cause } from './mend-first.ts'
import { type Subject, subjects } from './papers/paper.ts'
import { papers } from './papers/papers.ts'
import { type Explored, sideItems } from './side-items.ts'

/** What an exam has shown. */
export interface ExamResult {
  readonly papers: readonly GradedPaper[]
  /** The findings of the runs at the defaults; `undefined` if they were not asked for. */
  readonly manners: readonly Finding[] | undefined
  readonly coverage: CoverageReport | undefined
  /** `undefined` if the suite was not explored. */
  readonly explored: Explored | undefined
  readonly causes: readonly Cause[]
  readonly runs: number
  /** How long it has taken, in words. */
  readonly time: string
  /** How many tests there are; 0 if single tests aren't known. */
  readonly tests: number
  readonly isInterrupted: boolean
  /** Whether papers were left out on which the badge would be silent. */
  readonly isPartial: boolean
  /** Writes the command that sets some papers again. */
  readonly commandFor: (names: readonly string[]) => string
}

/** How many things are named to be mended first. */
const mostFirst = 3

const levels: Readonly<Record<Grade, Level>> = {
  mend: 'error',
  look: 'warning',
  noted: 'info',
  passed: 'ok',
  'not met': 'info',
  'not run': 'info',
}

/** Puts the result of an exam into a report card. */
export function examReport(result: ExamResult): Report {
  const { causes, runs, time, isInterrupted } = result
  const ofSubjects = namesOf(subjects).map((subject) => subjectGroup(subject, result))
  const side = sideItems(result)
  const groups: readonly ReportGroup[] = [
    ...(causes.length === 0 ? [] : [firstGroup(result)]),
    ...ofSubjects,
    {
      name: 'as it is',
      summary: countsText(side.map(({ grade }) => grade)),
      items: side.map(({ item }) => item),
    },
  ]
  const interrupted = isInterrupted ? '; interrupted, so more may come to light' : ''
  return {
    title: 'Client exam',
    summary: `${verdictText(result)} (${runs} runs in ${time}${interrupted})`,
    layout: 'card',
    groups: groups.filter(({ items }) => items.length > 0),
    json: jsonOf(result),
  }
}

/** The result in a few words. */
export function examBadge(result: ExamResult): Badge {
  const { mend, look } = causeCounts(result)
  const label = 'petstore client exam'
  if (mend > 0) return { label, text: `${mend} to mend`, level: 'error' }
  if (result.isInterrupted) return { label, text: 'unfinished', level: 'info' }
  const text = result.isPartial ? 'passed in part' : 'passed'
  if (look > 0) return { label, text: `${text}, ${look} to look at`, level: 'warning' }
  return { label, text, level: result.isPartial ? 'info' : 'ok' }
}

function causeCounts({ causes }: ExamResult): Readonly<Record<'mend' | 'look', number>> {
  const mend = causes.filter(({ grade }) => grade === 'mend').length
  return { mend, look: causes.length - mend }
}

function verdictText(result: ExamResult): string {
  const { mend, look } = causeCounts(result)
  const all = result.papers.filter(({ grade }) => grade !== 'not met').length
  const passed = result.papers.filter(({ grade }) => grade === 'passed').length
  const first = mend === 0 ? 'nothing to mend' : `${mend} to mend`
  const second = look === 0 ? '' : `, ${look} to look at`
  const third = all === 0 ? '' : `; ${passed} of ${all} ${all === 1 ? 'paper' : 'papers'} passed`
  return `${first}${second}${third}`
}

function countsText(found: readonly Grade[]): string {
  return grades
    .map((grade) => ({ grade, count: found.filter((one) => one === grade).length }))
    .filter(({ count }) => count > 0)
    .map(
      ({ grade, count }) =>
        `${count} ${grade === 'look' ? 'to look at' : grade === 'mend' ? 'to mend' : grade}`,
    )
    .join(', ')
}

function firstGroup({ causes, commandFor }: ExamResult): ReportGroup {
  const first = causes.slice(0, mostFirst)
  return {
    name: causes.some(({ grade }) => grade === 'mend') ? 'mend first' : 'look at first',
    summary: `${first.length} of ${causes.length}`,
    items: first.map(({ grade, what, text, advice, clause, command, papers: seenIn }, index) => ({
      name: what,
      level: levels[grade],
      state: `${index + 1}.`,
      text,
      notes: { 'what to do': advice, source: clause, 'seen in': seenIn.join(', ') },
      code: command ?? commandFor(namesIn(seenIn)),
    })),
  }
}

/** The names of papers, without the operations that they are about. */
function namesIn(titles: readonly string[]): readonly string[] {
  return [...new Set(titles.map((title) => title.replace(/ .*/, '')))]
}

function subjectGroup(subject: Subject, result: ExamResult): ReportGroup {
  const own = result.papers.filter(({ name }) => papers[name].subject === subject)
  return {
    name: subjects[subject],
    summary: countsText(own.map(({ grade }) => grade)),
    items: own.map(paperItem),
  }
}

function paperItem(paper: GradedPaper): ReportItem {
  const { name, grade, client } = paper
  return {
    name: titleOf(paper),
    level: levels[grade],
    state: grade,
    text: paper.brief,
    notes: {
      'what happens': papers[name].about,
      ...(client.length === 0 ? {} : { client: client.join('; ') }),
    },
  }
}

function jsonOf(result: ExamResult): unknown {
  const { causes, coverage, explored, manners, runs, tests, isInterrupted } = result
  const { mend } = causeCounts(result)
  return {
    passed: mend === 0 && !isInterrupted,
    runs,
    tests,
    mendFirst: causes.slice(0, mostFirst).map(causeJson),
    causes: causes.map(causeJson),
    papers: result.papers.map((one) => ({
      paper: one.name,
      ...(one.operation === undefined ? {} : { operation: one.operation }),
      grade: one.grade,
      about: papers[one.name].about,
      clause: papers[one.name].spec,
      brief: one.brief,
      suite: one.suite,
      client: one.client,
    })),
    ...(manners === undefined ? {} : { findings: manners }),
    ...(coverage === undefined ? {} : { coverage: coverageJson(coverage) }),
    ...(explored === undefined
      ? {}
      : {
          dependencies: explored.dependencies.map(({ test, row }) => ({
            ...(test === wholeSuite ? {} : { test }),
            choices: choicesByGap(row),
          })),
        }),
    ...(isInterrupted ? { interrupted: true } : {}),
  }
}

function causeJson({ grade, what, text, advice, clause, papers: seenIn }: Cause): unknown {
  return { grade, what, text, advice, clause, papers: seenIn }
}

function coverageJson({ tiers }: CoverageReport): unknown {
  const counts = namesOf(tiers).map((name) => [
    name,
    { met: tiers[name].met, all: tiers[name].all },
  ])
  return Object.fromEntries(counts)
}
