import type { Dependency } from '../../checks/assumptions/explorer.ts'
import { wholeSuite } from '../../checks/assumptions/observation.ts'
import type { Finding } from '../../checks/audit/finding.ts'
import { ruleNames } from '../../checks/audit/rules.ts'
import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { choicesByGap, type Row, rowText } from '../../checks/replay/choices.ts'
import { placeOfRule } from '../../checks/reports/findings.ts'
import type { Badge, Level, Report, ReportGroup, ReportItem } from '../../checks/reports/report.ts'
import { countText, cut } from '../../checks/reports/text.ts'
import { mapTable, namesOf } from '../../mock/input/record.ts'
import { clauseOf } from '../explore.ts'
import type { CheckName } from '../options.ts'
import { documentsFolder } from '../program.ts'
import { maxMessage } from '../suite/session.ts'
import { checks, subjects } from './checks.ts'
import {
  type Complaint,
  complaintOf,
  firstFailureText,
  type Grade,
  type GradedCheck,
  grades,
  titleOf,
} from './grade.ts'

/** A complaint, and all the checks in which it was seen. */
export interface Cause extends Complaint {
  readonly checks: readonly string[]
}

/** What an exploration has found, and what ended it before its time. */
export interface Explored {
  readonly dependencies: readonly Dependency[]
  readonly problem: string | undefined
}

/** What an exam has shown. */
export interface ExamResult {
  readonly checks: readonly GradedCheck[]
  /** The findings of the baseline runs; `undefined` if they were not asked for. */
  readonly manners: readonly Finding[] | undefined
  /** `undefined` if the suite was not explored. */
  readonly explored: Explored | undefined
  readonly coverage: CoverageReport | undefined
  readonly causes: readonly Cause[]
  readonly runs: number
  /** How long it has taken, in words. */
  readonly time: string
  /** How many tests there are; 0 if single tests aren't known. */
  readonly tests: number
  readonly isInterrupted: boolean
  /** Whether checks were left out on which the badge would be silent. */
  readonly isPartial: boolean
  /** Whether all complaints are shown in full. */
  readonly isWhole: boolean
  /** Writes the command that runs some checks again. */
  readonly commandFor: (names: readonly string[]) => string
}

/** Where the output of runs that haven't passed is kept. */
export const outputFolder = 'test-results/petstore-sandbox/exam'

/** Number of complaints that are shown in full unless all are. */
const maxFirst = 3

const levels: Readonly<Record<Grade, Level>> = {
  fix: 'error',
  review: 'warning',
  noted: 'info',
  passed: 'ok',
  'not-met': 'info',
  'not-run': 'info',
}

/** Puts the result of an exam into a report card. */
export function examReport(result: ExamResult): Report {
  const { causes, runs, time, isInterrupted } = result
  const groups: readonly ReportGroup[] = [
    ...(causes.length === 0 ? [] : [firstGroup(result)]),
    ...namesOf(subjects).map((subject) => {
      const ofSubject = result.checks.filter(({ name }) => checks[name].subject === subject)
      return gradedGroup(subjects[subject], ofSubject.map(checkItem))
    }),
    gradedGroup('as it is', sideItems(result)),
  ]
  const interrupted = isInterrupted ? '; interrupted, so more may come to light' : ''
  const isKept = result.checks.some(({ output }) => output !== undefined)
  const output = isKept ? `; the output of those that failed is in ${outputFolder}` : ''
  return {
    title: 'Client exam',
    summary: `${verdictText(result)} (${runs} runs in ${time}${interrupted}${output})`,
    layout: 'card',
    groups: groups.filter(({ items }) => items.length > 0),
    json: jsonOf(result),
  }
}

/** The result in a few words. */
export function examBadge(result: ExamResult): Badge {
  const { fix, review } = causeCounts(result)
  const label = 'petstore client exam'
  if (fix > 0) return { label, text: `${fix} to fix`, level: 'error' }
  if (result.isInterrupted) return { label, text: 'unfinished', level: 'info' }
  const text = result.isPartial ? 'passed in part' : 'passed'
  if (review > 0) return { label, text: `${text}, ${review} to review`, level: 'warning' }
  return { label, text, level: result.isPartial ? 'info' : 'ok' }
}

function causeCounts({ causes }: ExamResult): Readonly<Record<'fix' | 'review', number>> {
  const fix = causes.filter(({ grade }) => grade === 'fix').length
  return { fix, review: causes.length - fix }
}

function verdictText(result: ExamResult): string {
  const { fix, review } = causeCounts(result)
  const all = result.checks.filter(({ grade }) => grade !== 'not-met').length
  const passed = result.checks.filter(({ grade }) => grade === 'passed').length
  const first = fix === 0 ? 'nothing to fix' : `${fix} to fix`
  const second = review === 0 ? '' : `, ${review} to review`
  const third = all === 0 ? '' : `; ${passed} of ${all} ${all === 1 ? 'check' : 'checks'} passed`
  return `${first}${second}${third}`
}

/** A group that says how many of its items have which grade. */
function gradedGroup(name: string, items: readonly ReportItem[]): ReportGroup {
  const counts = grades
    .map((grade) => ({ grade, count: items.filter(({ state }) => state === grade).length }))
    .filter(({ count }) => count > 0)
    .map(({ grade, count }) => {
      return `${count} ${grade === 'fix' || grade === 'review' ? 'to ' : ''}${grade}`
    })
  return { name, summary: counts.join(', '), items }
}

function gradedItem(name: string, grade: Grade, text: string): ReportItem {
  return { name, level: levels[grade], state: grade, text }
}

function firstGroup({ causes, commandFor, isWhole }: ExamResult): ReportGroup {
  const shown = isWhole ? causes.length : Math.min(maxFirst, causes.length)
  const hint = shown < causes.length ? '; --all explains all' : ''
  return {
    name: causes.some(({ grade }) => grade === 'fix') ? 'fix first' : 'review first',
    summary: `${shown} of ${causes.length}${hint}`,
    items: causes.map((cause, index) => ({
      ...causeItem(cause, commandFor),
      state: `${index + 1}.`,
      ...(index < shown ? {} : { brief: `${cause.grade}: ${cause.advice}` }),
    })),
  }
}

function causeItem(
  { grade, what, text, advice, clause, command, checks: seenIn }: Cause,
  commandFor: ExamResult['commandFor'],
): Omit<ReportItem, 'state'> {
  const isRule = ruleNames.some((rule) => rule === what)
  return {
    name: what,
    level: levels[grade],
    text,
    notes: {
      'what to do': advice,
      source: clause,
      ...(isRule ? { more: placeOfRule(what, documentsFolder()) } : {}),
      'seen in': seenIn.join(', '),
    },
    code: command ?? commandFor(namesIn(seenIn)),
  }
}

/** The names of checks, without the operations that they are about. */
function namesIn(titles: readonly string[]): readonly string[] {
  return [...new Set(titles.map((title) => title.replace(/ .*/, '')))]
}

function checkItem(check: GradedCheck): ReportItem {
  const { name, grade, brief, client, failure, output } = check
  const failed = failure === undefined ? '' : `\nfailed: ${firstFailureText(failure, output)}`
  return {
    ...gradedItem(titleOf(check), grade, brief + failed),
    notes: {
      'what happens': checks[name].about,
      ...(client.length === 0 ? {} : { client: client.join('; ') }),
      ...(output === undefined ? {} : { output }),
    },
  }
}

function jsonOf(result: ExamResult): unknown {
  const { causes, coverage, explored, manners, runs, tests, isInterrupted } = result
  const { fix } = causeCounts(result)
  return {
    passed: fix === 0 && !isInterrupted,
    runs,
    tests,
    fixFirst: causes.slice(0, maxFirst).map(causeJson),
    causes: causes.map(causeJson),
    checks: result.checks.map((one) => ({
      check: one.name,
      operation: one.operation,
      grade: one.grade,
      about: checks[one.name].about,
      clause: checks[one.name].spec,
      brief: one.brief,
      suite: one.suite,
      failure: one.failure,
      output: one.output,
      client: one.client,
    })),
    findings: manners,
    coverage:
      coverage &&
      mapTable(coverage.tiers, (name) => {
        const { covered, all } = coverage.tiers[name]
        return { covered, all }
      }),
    dependencies: explored?.dependencies.map(({ test, row }) => ({
      test: test === wholeSuite ? undefined : test,
      choices: choicesByGap(row),
    })),
    interrupted: isInterrupted || undefined,
  }
}

function causeJson({ command: _, ...cause }: Cause): unknown {
  return cause
}

/** The rules that spoil data or give a key away when they are broken. */
const gravest: readonly string[] = [
  'duplicate-create',
  'id-precision-loss',
  'key-in-url',
  'key-outside-authorization',
]

/**
 * Puts complaints together that the same change fixes: those of the same rule, else those with the same advice. What is
 * proved comes first, of that what spoils data or gives a key away, then what more checks show.
 */
export function causesOf(
  { checks: graded, manners, explored }: Pick<ExamResult, 'checks' | 'manners' | 'explored'>,
  execFor?: (row: Row) => string,
): readonly Cause[] {
  const parts = [
    { title: 'manners', complaints: mannerComplaints(manners ?? []) },
    ...graded.map((one) => ({ title: titleOf(one), complaints: one.complaints })),
    {
      title: 'explore',
      complaints: dependencyComplaints(explored?.dependencies ?? [], execFor),
    },
  ]
  const causes = new Map<string, Cause>()
  for (const { title, complaints } of parts) {
    for (const one of complaints) {
      const known = causes.get(one.advice)
      causes.set(
        one.advice,
        known === undefined ? { ...one, checks: [title] } : joined(known, one, title),
      )
    }
  }
  return [...causes.values()].toSorted((one, other) => {
    return rankOf(one) - rankOf(other) || other.checks.length - one.checks.length
  })
}

/** The worse of two complaints tells the cause. */
function joined(known: Cause, one: Complaint, title: string): Cause {
  if (rankOf(one) < rankOf(known)) return { ...one, checks: [title] }
  const isNew = one.grade === known.grade && !known.checks.includes(title)
  return isNew ? { ...known, checks: [...known.checks, title] } : known
}

/** Smaller for what should be fixed earlier. */
function rankOf({ grade, what }: Complaint): number {
  return grades.indexOf(grade) - (gravest.includes(what) ? 0.5 : 0)
}

/** Says of the suite as it is what the audit, coverage and the exploration have found. */
function sideItems({ manners, coverage, explored }: ExamResult): readonly ReportItem[] {
  return [
    ...(manners === undefined ? [] : [complaintItem('manners', mannerComplaints(manners))]),
    ...(coverage === undefined ? [] : [coverageItem(coverage)]),
    ...(explored === undefined ? [] : [exploredItem(explored)]),
  ]
}

/** What the audit says of the client where nothing goes wrong. */
function mannerComplaints(findings: readonly Finding[]): readonly Complaint[] {
  const first = new Map<string, Finding>()
  for (const one of findings) {
    if (one.severity !== 'info' && !first.has(one.rule)) first.set(one.rule, one)
  }
  return [...first.values()].map(complaintOf)
}

/** What the suite depends on that the interface leaves open. */
function dependencyComplaints(
  dependencies: readonly Dependency[],
  execFor?: (row: Row) => string,
): readonly Complaint[] {
  const byRow = new Map<string, { readonly row: Row; readonly tests: string[] }>()
  for (const { test, row } of dependencies) {
    const known = byRow.get(rowText(row)) ?? { row, tests: [] }
    known.tests.push(test === wholeSuite ? 'The suite' : cut(test, maxMessage))
    byRow.set(rowText(row), known)
  }
  return [...byRow].map(([choices, { row, tests }]) => ({
    grade: 'review',
    what: choices,
    text: `${failText(tests)} with ${choices}, which the interface allows as well.`,
    advice: `Expect nothing that the interface leaves open: pass with ${choices}, too.`,
    command: execFor?.(row),
    clause: `spec ${clauseOf(row)}`,
  }))
}

function failText(tests: readonly string[]): string {
  const [first = '', ...others] = tests
  if (others.length === 0) return `${first} fails`
  return `${first} and ${others.length} more ${others.length === 1 ? 'test' : 'tests'} fail`
}

function exploredItem({ dependencies, problem }: Explored): ReportItem {
  return problem === undefined || dependencies.length > 0
    ? complaintItem('explore', dependencyComplaints(dependencies))
    : gradedItem('explore', 'not-run', problem)
}

function complaintItem(name: CheckName, complaints: readonly Complaint[]): ReportItem {
  if (complaints.length === 0) return gradedItem(name, 'passed', '')
  const isBad = complaints.some(({ grade }) => grade === 'fix')
  const text = complaints.map(({ what, text }) => `${what}: ${text}`).join('\n')
  return gradedItem(name, isBad ? 'fix' : 'review', text)
}

function coverageItem({ tiers: { outcomes } }: CoverageReport): ReportItem {
  const uncovered = outcomes.cells.filter(({ covered }) => !covered).map(({ cell }) => cell)
  if (uncovered.length === 0) return gradedItem('coverage', 'passed', '')
  const all = countText(outcomes.all, 'documented outcome')
  const text = `By itself the suite covers ${outcomes.covered} of ${all}, but not ${uncovered.join(', ')}.`
  return gradedItem('coverage', 'noted', text)
}
