import type { Finding } from '../../audit/finding.ts'
import { gaps } from '../../contract/gaps.ts'
import type { CoverageReport } from '../../coverage/coverage-report.ts'
import type { Dependency } from '../../explore/suite/explorer.ts'
import { wholeSuite } from '../../explore/suite/observation.ts'
import { type Row, rowText } from '../../explore/suite/row.ts'
import type { ReportItem } from '../reports/report.ts'
import type { Complaint, Grade } from './grade.ts'
import { countText } from './grade.ts'

/** What is said of a suite beside the papers. */
interface SideItem {
  readonly grade: Grade
  readonly item: ReportItem
}

/** What these items are made of; what is `undefined` was not asked for. */
interface SideFacts {
  readonly manners: readonly Finding[] | undefined
  readonly coverage: CoverageReport | undefined
  readonly explored: Explored | undefined
}

/** What an exploration has found, and what ended it before its time. */
export interface Explored {
  readonly dependencies: readonly Dependency[]
  readonly problem: string | undefined
}

/** Says of the suite as it is what the audit, coverage and the exploration have found. */
export function sideItems({ manners, coverage, explored }: SideFacts): readonly SideItem[] {
  return [
    ...(manners === undefined ? [] : [complaintItem('manners', mannerComplaints(manners))]),
    ...(coverage === undefined ? [] : [coverageItem(coverage)]),
    ...(explored === undefined ? [] : [exploredItem(explored)]),
  ]
}

/** What the audit says of the client where nothing goes wrong. */
export function mannerComplaints(findings: readonly Finding[]): readonly Complaint[] {
  const first = new Map<string, Finding>()
  for (const one of findings) {
    if (one.severity !== 'info' && !first.has(one.rule)) first.set(one.rule, one)
  }
  return [...first.values()].map(({ rule, severity, verdict, advice, clause }) => ({
    grade: severity === 'error' ? 'mend' : 'look',
    what: rule,
    text: verdict,
    advice,
    clause,
  }))
}

/** What the suite depends on that the interface leaves open. */
export function dependencyComplaints(
  dependencies: readonly Dependency[],
  execFor?: (row: Row) => string,
): readonly Complaint[] {
  const byRow = new Map<string, { readonly row: Row; readonly tests: string[] }>()
  for (const { test, row } of dependencies) {
    const known = byRow.get(rowText(row)) ?? { row, tests: [] }
    known.tests.push(test === wholeSuite ? 'The suite' : test)
    byRow.set(rowText(row), known)
  }
  return [...byRow].map(([choices, { row, tests }]) => ({
    grade: 'look',
    what: choices,
    text: `${failText(tests)} with ${choices}, which the interface allows as well.`,
    advice: `Expect nothing that the interface leaves open: pass with ${choices}, too.`,
    ...(execFor === undefined ? {} : { command: execFor(row) }),
    clause: `spec ${[...new Set(row.map(({ gap }) => gaps[gap].spec))].join(', ')}`,
  }))
}

function failText(tests: readonly string[]): string {
  const [first = '', ...others] = tests
  if (others.length === 0) return `${first} fails`
  return `${first} and ${others.length} more ${others.length === 1 ? 'test' : 'tests'} fail`
}

function exploredItem({ dependencies, problem }: Explored): SideItem {
  if (problem === undefined || dependencies.length > 0) {
    return complaintItem('explore', dependencyComplaints(dependencies))
  }
  return {
    grade: 'not run',
    item: { name: 'explore', level: 'info', state: 'not run', text: problem },
  }
}

function complaintItem(name: 'manners' | 'explore', complaints: readonly Complaint[]): SideItem {
  if (complaints.length === 0) {
    return { grade: 'passed', item: { name, level: 'ok', state: 'passed', text: '' } }
  }
  const isBad = complaints.some(({ grade }) => grade === 'mend')
  const grade = isBad ? 'mend' : 'look'
  return {
    grade,
    item: {
      name,
      level: isBad ? 'error' : 'warning',
      state: grade,
      text: complaints.map(({ what, text }) => `${what}: ${text}`).join('\n'),
    },
  }
}

function coverageItem({ tiers: { outcomes } }: CoverageReport): SideItem {
  const unmet = outcomes.cells.filter(({ met }) => !met).map(({ cell }) => cell)
  const isWhole = unmet.length === 0
  const grade = isWhole ? 'passed' : 'noted'
  return {
    grade,
    item: {
      name: 'coverage',
      level: isWhole ? 'ok' : 'info',
      state: grade,
      text: isWhole
        ? ''
        : `By itself the suite faces ${outcomes.met} of ${countText(outcomes.all, 'documented outcome')}, and never ${unmet.join(', ')}.`,
    },
  }
}
