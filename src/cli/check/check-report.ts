import type { Finding, Severity } from '../../checks/audit/finding.ts'
import { ruleNames } from '../../checks/audit/rules.ts'
import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { groupFindings, placeOfRule } from '../../checks/reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../../checks/reports/report.ts'
import { countText } from '../../checks/reports/text.ts'
import { namesOf } from '../../mock/input/record.ts'
import { exceptionGroup, type FindingsResult, ruleItem } from '../findings.ts'
import { documentsFolder } from '../program.ts'
import {
  type Assumptions,
  assumptionComplaints,
  assumptionGroups,
  assumptionsJson,
} from './assumptions.ts'
import { conditions, subjects } from './conditions.ts'
import { exercisedGroup, shortfalls } from './exercised.ts'
import {
  type Complaint,
  complaintOf,
  firstFailureText,
  type Grade,
  type GradedCondition,
  grades,
  titleOf,
} from './grade.ts'

/** Complaint with all the checks in which it was seen. */
export interface Cause extends Complaint {
  readonly checks: readonly string[]
}

/** Result of the first run of a command. */
export interface FirstRun {
  readonly passed: boolean
  /** Exit code of the command. */
  readonly code: number
  /** Description of the failure; `''` if it passed. */
  readonly failure: string
}

/** Result of `check`. */
export interface CheckResult {
  /** `undefined` if no command ran. */
  readonly first: FirstRun | undefined
  /** Number of requests in the first run. */
  readonly requests: number
  /** Findings of the first run; `undefined` if they were not requested. */
  readonly findingsResult: FindingsResult | undefined
  /** Coverage of the first run; `undefined` if it was not requested. */
  readonly coverage: CoverageReport | undefined
  readonly minCoverage: number | undefined
  readonly conditions: readonly GradedCondition[]
  /** `undefined` if they were not searched for. */
  readonly assumptions: Assumptions | undefined
  readonly causes: readonly Cause[]
  /** Reason why requested runs didn't happen; `undefined` if they did. */
  readonly problem: string | undefined
  /** Reason why requested failure conditions didn't run. */
  readonly conditionsNote: string | undefined
  readonly runs: number
  /** Duration of the check, in words. */
  readonly time: string
  /** Number of tests; 0 if single tests aren't known. */
  readonly tests: number
  readonly isInterrupted: boolean
  /** Whether everything is shown in full. */
  readonly isWhole: boolean
  /** Writes the command that runs some checks again. */
  readonly commandFor: (names: readonly string[]) => string
}

/** Folder for the output of runs that fail. */
export const outputFolder = 'test-results/petstore-sandbox/check'

/** Maximum number of complaints that are shown in full without `--all`. */
const maxFirst = 3

const levels: Readonly<Record<Grade, Level>> = {
  fix: 'error',
  review: 'warning',
  info: 'info',
  passed: 'ok',
  'not-triggered': 'info',
  'not-run': 'info',
}

/** Writes the result of a check as a report. */
export function checkReport(result: CheckResult): Report {
  const { causes, coverage, assumptions, isWhole } = result
  const groups: readonly ReportGroup[] = [
    ...(causes.length === 0 ? [] : [firstGroup(result)]),
    ...findingGroups(result),
    ...namesOf(subjects).map((subject) => {
      const own = result.conditions.filter(({ name }) => conditions[name].subject === subject)
      return gradedGroup(
        `failure conditions: ${subjects[subject]}`,
        own.map((one) => {
          const isOnly = own.filter(({ name }) => name === one.name).length === 1
          return conditionItem(one, isOnly ? one.name : titleOf(one))
        }),
      )
    }),
    ...noteGroup(result),
    ...(assumptions === undefined ? [] : assumptionGroups(assumptions)),
    ...problemGroup(result),
    ...(coverage === undefined ? [] : [exercisedGroup(coverage, result.minCoverage, isWhole)]),
  ]
  return {
    title: 'Check',
    summary: summaryText(result),
    layout: 'card',
    groups: groups.filter(({ items }) => items.length > 0),
    json: jsonOf(result),
  }
}

/** Returns whether coverage is below its minimum. */
function isUncovered({ coverage, minCoverage }: CheckResult): boolean {
  return coverage !== undefined && shortfalls(coverage, minCoverage).length > 0
}

function causeCounts({ causes }: CheckResult): Readonly<Record<'fix' | 'review', number>> {
  const fix = causes.filter(({ grade }) => grade === 'fix').length
  return { fix, review: causes.length - fix }
}

function summaryText(result: CheckResult): string {
  const { first, problem, requests, runs, time, tests, isInterrupted } = result
  const { fix, review } = causeCounts(result)
  const all = result.conditions.filter(({ grade }) => grade !== 'not-triggered').length
  const passed = result.conditions.filter(({ grade }) => grade === 'passed').length
  const found =
    first?.passed === false
      ? `the command failed: ${first.failure}`
      : [
          fix === 0 ? `nothing to ${problem === undefined ? 'fix' : 'check'}` : `${fix} to fix`,
          ...(review === 0 ? [] : [`${review} to review`]),
        ].join(', ')
  const rest = first?.passed === false && fix > 0 ? `; ${fix} to fix` : ''
  const conditionsText = all === 0 ? '' : `; ${passed} of ${countText(all, 'condition')} passed`
  const isKept = result.conditions.some(({ output }) => output !== undefined)
  const facts = [
    ...(runs === 0 ? [] : [`${countText(runs, 'run')} in ${time}`]),
    ...(tests === 0 ? [] : [countText(tests, 'test')]),
    countText(requests, 'request'),
    ...(isInterrupted ? ['interrupted, so more may come to light'] : []),
    ...(isKept ? [`output of runs that failed: ${outputFolder}`] : []),
  ]
  return `${found}${rest}${conditionsText} (${facts.join(', ')})`
}

/** Groups the rules: first the results of rules, then findings that are only `info`. */
function findingGroups(result: CheckResult): readonly ReportGroup[] {
  const { findingsResult, requests, isWhole } = result
  if (findingsResult === undefined) return []
  const items = requests === 0 ? [] : ruleItems(findingsResult, result.conditions)
  const minor = items.filter(({ level, state }) => level === 'info' && state === 'info')
  const rules = items.filter((item) => !minor.includes(item))
  return [
    {
      name: 'rules of the spec',
      summary: `${items.filter(({ level }) => level === 'ok').length} of ${items.length} passed`,
      items: rules,
      isSummed: true,
    },
    {
      name: 'good to know',
      summary: String(minor.length),
      items: minor.map((item) => {
        return isWhole ? item : { ...item, brief: item.text.split('\n')[0] ?? '' }
      }),
    },
    ...(findingsResult.exceptions.length === 0 ? [] : [exceptionGroup(findingsResult.exceptions)]),
  ]
}

/** Returns an item for each rule, broken if a condition showed it, too. */
function ruleItems(
  findingsResult: FindingsResult,
  graded: readonly GradedCondition[],
): readonly ReportItem[] {
  const broken = new Map(groupFindings(findingsResult.findings).map((group) => [group.rule, group]))
  const complaints = graded.flatMap((one) => one.complaints)
  return ruleNames.map((rule) => {
    const item = { ...ruleItem(rule, broken.get(rule), findingsResult), isExplained: true }
    const complaint = complaints.find(({ what }) => what === rule)
    if (broken.has(rule) || complaint === undefined) return item
    return { ...item, level: levels[complaint.grade], state: complaint.grade, text: complaint.text }
  })
}

function noteGroup({ conditionsNote: text }: CheckResult): readonly ReportGroup[] {
  if (text === undefined) return []
  const item: ReportItem = { name: 'all', level: 'info', state: 'not-run', text }
  return [{ name: 'failure conditions', summary: 'not run', items: [item] }]
}

function problemGroup({ problem, first }: CheckResult): readonly ReportGroup[] {
  if (problem === undefined && first?.passed !== false) return []
  const hasFailed = first?.passed === false
  const text = problem ?? `It failed: ${first?.failure}.`
  const state = problem === undefined ? 'fix' : 'not-run'
  const item: ReportItem = { name: 'command', level: 'error', state, text }
  const summary = hasFailed ? 'it failed; fix that first' : 'nothing to check'
  return [{ name: 'command', summary, items: [item], isSummed: hasFailed }]
}

/** Returns a group whose summary counts its items by grade. */
function gradedGroup(name: string, items: readonly ReportItem[]): ReportGroup {
  const counts = grades
    .map((grade) => ({ grade, count: items.filter(({ state }) => state === grade).length }))
    .filter(({ count }) => count > 0)
    .map(({ grade, count }) => {
      return `${count} ${grade === 'fix' || grade === 'review' ? 'to ' : ''}${grade}`
    })
  return { name, summary: counts.join(', '), items }
}

function firstGroup({ causes, commandFor, isWhole }: CheckResult): ReportGroup {
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
  { grade, what, text, advice, source, command, checks: seenIn }: Cause,
  commandFor: CheckResult['commandFor'],
): Omit<ReportItem, 'state'> {
  const isRule = ruleNames.some((rule) => rule === what)
  return {
    name: what,
    level: levels[grade],
    text,
    notes: {
      'what to do': advice,
      source,
      ...(isRule ? { more: placeOfRule(what, documentsFolder()) } : {}),
      'seen in': seenIn.join(', '),
    },
    code: command ?? commandFor(namesIn(seenIn)),
  }
}

/** Returns the names of checks without their operations. */
function namesIn(titles: readonly string[]): readonly string[] {
  return [...new Set(titles.map((title) => title.replace(/ .*/, '')))]
}

function conditionItem(condition: GradedCondition, title: string): ReportItem {
  const { name, grade, summary, client, failure, output } = condition
  const failed = failure === undefined ? '' : `\nfailed: ${firstFailureText(failure, output)}`
  return {
    name: title,
    level: levels[grade],
    state: grade,
    text: summary + failed,
    isExplained: true,
    // Tests were expected to fail.
    ...(grade === 'info' ? { brief: summary } : {}),
    notes: {
      'what happens': conditions[name].description,
      ...(client.length === 0 ? {} : { client: client.join('; ') }),
      ...(output === undefined ? {} : { output }),
    },
  }
}

function jsonOf(result: CheckResult): unknown {
  const { first, causes, coverage, assumptions, findingsResult, isInterrupted } = result
  const { fix } = causeCounts(result)
  const isFine = fix === 0 && !isInterrupted && result.problem === undefined
  return {
    passed: isFine && first?.passed !== false && !isUncovered(result),
    command: first,
    problem: result.problem,
    runs: result.runs,
    tests: result.tests,
    requests: result.requests,
    fixFirst: causes.slice(0, maxFirst).map(causeJson),
    causes: causes.map(causeJson),
    findings: findingsResult?.findings,
    checks: result.conditions.map((one) => ({
      check: one.name,
      operations: one.operations.length === 0 ? undefined : one.operations,
      grade: one.grade,
      description: conditions[one.name].description,
      source: `spec ${conditions[one.name].spec}`,
      summary: one.summary,
      suite: one.suite,
      failure: one.failure,
      output: one.output,
      client: one.client,
    })),
    ...(assumptions === undefined ? {} : assumptionsJson(assumptions)),
    ...coverage,
    interrupted: isInterrupted || undefined,
  }
}

function causeJson({ command: _, ...cause }: Cause): unknown {
  return cause
}

/** Rules whose violation corrupts data or exposes a key. */
const gravest: readonly string[] = [
  'duplicate-create',
  'id-precision-loss',
  'key-in-url',
  'key-outside-authorization',
]

/**
 * Combines complaints that the same change fixes: those of the same rule, else those with the same advice. Causes with
 * a worse grade come first, among these the gravest rules, then causes that more checks show.
 */
export function causesOf(
  {
    findingsResult,
    conditions: graded,
    assumptions,
  }: Pick<CheckResult, 'findingsResult' | 'conditions' | 'assumptions'>,
  { 'fail-on': failOn }: { readonly 'fail-on': Severity },
): readonly Cause[] {
  const parts = [
    { title: 'baseline', complaints: baselineComplaints(findingsResult?.findings ?? [], failOn) },
    ...graded.map((one) => ({ title: titleOf(one), complaints: one.complaints })),
    {
      title: 'assumptions',
      complaints: assumptions === undefined ? [] : assumptionComplaints(assumptions),
    },
  ]
  const causes = new Map<string, Cause>()
  for (const { title, complaints } of parts) {
    for (const found of complaints) {
      const one = failOn === 'error' ? found : { ...found, grade: 'fix' as const }
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

/** The worse of two complaints describes the cause. */
function joined(known: Cause, one: Complaint, title: string): Cause {
  if (rankOf(one) < rankOf(known)) return { ...one, checks: [title] }
  const isNew = one.grade === known.grade && !known.checks.includes(title)
  return isNew ? { ...known, checks: [...known.checks, title] } : known
}

/** Returns a smaller rank for a complaint that should be fixed earlier. */
function rankOf({ grade, what }: Complaint): number {
  return grades.indexOf(grade) - (gravest.includes(what) ? 0.5 : 0)
}

/** Returns one complaint for each rule that the first run broke, with the requests that show it. */
function baselineComplaints(findings: readonly Finding[], failOn: Severity): readonly Complaint[] {
  return groupFindings(findings)
    .filter(({ severity }) => severity !== 'info' || failOn === 'info')
    .flatMap(({ messages: [worst], findings: all }) => {
      if (worst === undefined) return []
      const more = all.length - 1
      const others = more === 0 ? '' : `; ${more} more of this kind`
      return complaintOf(worst.shown, ` (${proofText(worst.shown)}${others})`)
    })
}

/** Maximum number of requests that a finding names. */
const maxRequests = 6

function proofText({ test, requests: sent, beforeReset }: Finding): string {
  const ids = sent.slice(0, maxRequests).join(', ')
  const rest = sent.length > maxRequests ? ' and more' : ''
  const requests = `${sent.length === 1 ? 'request' : 'requests'} ${ids}${rest}`
  return [
    ...(test === undefined ? [] : [`test "${test}"`]),
    `${requests}${beforeReset === true ? ' before a reset' : ''}`,
  ].join(', ')
}
