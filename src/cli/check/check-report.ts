import type { Severity } from '../../checks/audit/finding.ts'
import { ruleNames } from '../../checks/audit/rules.ts'
import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import { placeOfRule } from '../../checks/reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../../checks/reports/report.ts'
import { countText } from '../../checks/reports/text.ts'
import { exceptionGroup, type FindingsResult } from '../findings.ts'
import { documentsFolder } from '../program.ts'
import { type Assumptions, assumptionGroup, assumptionsJson } from './assumptions.ts'
import { type Grade, grades } from './complaint.ts'
import { conditions } from './conditions.ts'
import { exercisedGroup, hadOccasion, shortfalls } from './exercised.ts'
import { type GradedCondition, titleOf } from './grade.ts'
import { checksIn, type Item, isFailing, placesText } from './items.ts'
import { firstFailureText } from './suite-end.ts'

/** Result of `check`. */
export interface CheckResult {
  /** Result of the first run of the command; `undefined` if none ran. */
  readonly first:
    | {
        readonly passed: boolean
        /** Exit code of the command. */
        readonly code: number
        /** Description of the failure; `''` if it passed. */
        readonly failure: string
      }
    | undefined
  /** Number of requests in the first run. */
  readonly requests: number
  /** Findings of the first run; `undefined` if they were not requested. */
  readonly findingsResult: FindingsResult | undefined
  /** Coverage of the first run; `undefined` if it was not requested. */
  readonly coverage: CoverageReport | undefined
  /** Coverage of all runs. */
  readonly exercised: CoverageReport | undefined
  readonly minCoverage: number | undefined
  readonly conditions: readonly GradedCondition[]
  /** `undefined` if they were not searched for. */
  readonly assumptions: Assumptions | undefined
  readonly items: readonly Item[]
  /** Names of items in the baseline that are gone. */
  readonly stale: readonly string[]
  /** Whether the user passed a baseline. */
  readonly hasBaseline: boolean
  /** Lowest severity that fails. */
  readonly failOn: Severity
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
  /** Writes the command that runs some checks again; all of them without names. */
  readonly commandFor: (names?: readonly string[]) => string
}

/** Folder for the output of runs that fail. */
export const outputFolder = 'test-results/petstore-sandbox/check'

/** Maximum number of items to fix that are shown without `--all`. */
const maxFix = 3

/** Returns the maximum number of items to review that fit on a screen beside those to fix. */
function maxReview(fix: number): number {
  return 8 - 2 * Math.min(fix, maxFix)
}

const levels: Readonly<Record<GradedCondition['state'], Level>> = {
  fix: 'error',
  review: 'warning',
  info: 'info',
  passed: 'ok',
  'not-met': 'info',
  'not-run': 'info',
}

/** Writes the result of a check as a report. */
export function checkReport(result: CheckResult): Report {
  return {
    title: 'Check',
    summary: summaryText(result),
    layout: 'card',
    groups: [
      ...problemGroup(result),
      ...itemGroups(result),
      ...staleGroup(result),
      ...coverageGroup(result),
      ...ruleGroups(result),
      ...conditionGroups(result),
      ...(result.assumptions === undefined ? [] : [assumptionGroup(result.assumptions)]),
      ...missingGroup(result),
    ],
    next: nextStep(result),
    json: jsonOf(result),
  }
}

/** Returns the items that count, or those that the baseline lists. */
function itemsIn({ items }: CheckResult, grade: Grade, isKnown = false): readonly Item[] {
  return items.filter((one) => one.grade === grade && one.isKnown === isKnown)
}

function hasFailed({ first }: CheckResult): boolean {
  return first?.passed === false
}

function isCoverageLow({ coverage, minCoverage }: CheckResult): boolean {
  return coverage !== undefined && shortfalls(coverage, minCoverage).length > 0
}

function summaryText(result: CheckResult): string {
  const { first, problem, requests, runs, time, tests, isInterrupted, stale } = result
  const [fix, review] = [itemsIn(result, 'fix').length, itemsIn(result, 'review').length]
  const isEmpty = fix + review === 0
  const failures = [
    ...(stale.length === 0 ? [] : [`${stale.length} stale in the baseline`]),
    ...(isCoverageLow(result) ? ['coverage too low'] : []),
  ]
  const known = result.items.filter((one) => one.isKnown && one.grade !== 'info').length
  const found = [
    ...(first?.passed === false ? [`the command failed: ${first.failure}`] : []),
    ...(isEmpty && problem !== undefined && !hasFailed(result) ? ['nothing to check'] : []),
    ...(isEmpty && problem === undefined && !hasFailed(result) && failures.length === 0
      ? ['nothing to fix or to review']
      : []),
    ...(isEmpty ? [] : [`${fix} to fix, ${review} to review`]),
    ...(known === 0 ? [] : [`${known} known`]),
    ...failures,
  ].join('; ')
  const facts = [
    ...(runs === 0 ? [] : [`${countText(runs, 'run')} in ${time}`]),
    ...(tests === 0 ? [] : [countText(tests, 'test')]),
    countText(requests, 'request'),
    ...(isInterrupted ? ['interrupted, so more may come to light'] : []),
  ]
  return `${[found, ...conditionCounts(result)].join(' · ')} (${facts.join(', ')})`
}

/** Counts the conditions: `26 conditions: 20 passed, 2 not met`. */
function conditionCounts({ conditions: all }: CheckResult): readonly string[] {
  if (all.length === 0) return []
  const count = (state: GradedCondition['state']): number =>
    all.filter((one) => one.state === state).length
  const parts = [
    `${count('passed')} passed`,
    ...(count('not-met') === 0 ? [] : [`${count('not-met')} not met`]),
    ...(count('not-run') === 0 ? [] : [`${count('not-run')} not run`]),
  ]
  return [`${countText(all.length, 'condition')}: ${parts.join(', ')}`]
}

function problemGroup({ problem, first }: CheckResult): readonly ReportGroup[] {
  if (problem === undefined && first?.passed !== false) return []
  const isFailed = first?.passed === false
  const text = problem ?? `It failed: ${first?.failure}.`
  const item: ReportItem = { name: 'command', level: 'error', state: 'not-run', text }
  return [
    {
      name: 'command',
      summary: isFailed ? 'it failed; fix that first' : text,
      items: [item],
      isSummed: true,
    },
  ]
}

/** Groups what was found by its grade. */
function itemGroups(result: CheckResult): readonly ReportGroup[] {
  const { isWhole, items } = result
  const groups = grades.flatMap((grade): readonly ReportGroup[] => {
    const own = itemsIn(result, grade)
    if (own.length === 0) return []
    if (grade === 'info') {
      const hint = isWhole ? '' : ' (see --all)'
      return [
        {
          name: 'good to know',
          summary: `${own.length}${hint}`,
          items: own.map((one) => ({ ...itemShown(one, result), state: 'info', code: '' })),
          isSummed: !isWhole,
        },
      ]
    }
    return [
      {
        name: `to ${grade}`,
        summary: String(own.length),
        ...(isWhole
          ? {}
          : { most: grade === 'fix' ? maxFix : maxReview(itemsIn(result, 'fix').length) }),
        items: own.map((one, index) => ({
          ...itemShown(one, result),
          state: `${index + 1}.`,
        })),
      },
    ]
  })
  const known = items.filter((one) => one.isKnown && one.grade !== 'info')
  return known.length === 0
    ? groups
    : [
        ...groups,
        {
          name: 'known',
          summary: `${known.length}, in the baseline`,
          items: known.map((one) => ({
            ...{ name: one.what, level: 'info', state: 'known', text: one.text },
            ...(isWhole ? {} : { brief: '' }),
          })),
        },
      ]
}

/** Shows an item: in full, or to people, if it is to review, by its name and advice. */
function itemShown(item: Item, { isWhole, failOn, commandFor }: CheckResult): ReportItem {
  const { grade, what, text, advice, source } = item
  const isRule = ruleNames.some((rule) => rule === what)
  return {
    name: what,
    place: what.includes(' under ') ? '' : placesText(item),
    level: isFailing(item, failOn) ? 'error' : levels[grade],
    state: grade,
    text,
    notes: {
      'what to do': advice,
      source,
      ...(isWhole && isRule ? { more: placeOfRule(what, documentsFolder()) } : {}),
    },
    code: item.command ?? commandFor(checksIn(item)),
    ...(grade === 'review' && !isWhole ? { brief: advice } : {}),
  }
}

function staleGroup({ stale }: CheckResult): readonly ReportGroup[] {
  if (stale.length === 0) return []
  const text = 'The baseline lists it, but it is gone: write the baseline again.'
  const items = stale.map((name): ReportItem => ({ name, level: 'error', state: 'stale', text }))
  return [{ name: 'stale', summary: `${stale.length}, in the baseline`, items }]
}

function coverageGroup({ coverage, minCoverage }: CheckResult): readonly ReportGroup[] {
  const short = coverage === undefined ? [] : shortfalls(coverage, minCoverage)
  if (short.length === 0) return []
  const items = short.map((text): ReportItem => {
    return { name: 'coverage', level: 'error', state: 'fix', text }
  })
  return [{ name: 'coverage', summary: 'too low', items }]
}

/** Counts the rules that the client kept, and those that had no occasion to be broken. */
function ruleGroups(result: CheckResult): readonly ReportGroup[] {
  const { findingsResult, requests, exercised, isWhole, items } = result
  if (findingsResult === undefined || requests === 0 || exercised === undefined) return []
  const { exceptions } = findingsResult
  const kept = ruleNames.filter((rule) => !items.some(({ what }) => what === rule))
  const met = kept.filter((rule) => hadOccasion(rule, exercised, result.conditions))
  const summary = `${met.length} had an occasion and passed, ${kept.length - met.length} had none`
  return [
    {
      name: 'rules',
      summary,
      items: kept.map((name): ReportItem => {
        const isMet = met.includes(name)
        return {
          name,
          level: isMet ? 'ok' : 'info',
          state: isMet ? 'passed' : 'no occasion',
          text: '',
        }
      }),
      isSummed: !isWhole,
    },
    ...(exceptions.length === 0 ? [] : [exceptionGroup(exceptions)]),
  ]
}

function conditionGroups(result: CheckResult): readonly ReportGroup[] {
  const { conditions: all, conditionsNote, isWhole } = result
  if (conditionsNote !== undefined) {
    const item: ReportItem = { name: 'all', level: 'info', state: 'not-run', text: conditionsNote }
    return [{ name: 'failure conditions', summary: 'not run', items: [item] }]
  }
  if (all.length === 0) return []
  const isKept = all.some(({ output }) => output !== undefined)
  const summary = isKept
    ? `output of runs that failed: ${outputFolder}`
    : `${all.length}${isWhole ? '' : ' (see --all)'}`
  return [
    {
      name: 'failure conditions',
      summary,
      items: all.map(conditionItem),
      isSummed: !isWhole,
    },
  ]
}

function conditionItem(condition: GradedCondition): ReportItem {
  const { name, state, summary, client, failure, output } = condition
  const failed = failure === undefined ? '' : `\nfailed: ${firstFailureText(failure, output)}`
  return {
    name: titleOf(condition),
    level: levels[state],
    state,
    text: summary + failed,
    brief: summary + failed,
    isExplained: true,
    notes: {
      'what happens': conditions[name].description,
      ...(client.length === 0 ? {} : { client: client.join('; ') }),
      ...(output === undefined ? {} : { output }),
    },
  }
}

function missingGroup(result: CheckResult): readonly ReportGroup[] {
  const { exercised, findingsResult, isWhole, requests } = result
  if (hasFailed(result) || requests === 0 || findingsResult === undefined) return []
  return exercised === undefined ? [] : exercisedGroup(exercised, isWhole)
}

/** Returns the one thing to do next. */
function nextStep(result: CheckResult): Report['next'] {
  const { conditions: all, conditionsNote, requests, first, problem, commandFor } = result
  const [fix, review] = [itemsIn(result, 'fix').length, itemsIn(result, 'review').length]
  const isUnfinished = hasFailed(result) || result.isInterrupted || problem !== undefined
  if (isUnfinished || first === undefined || requests === 0) return undefined
  if (all.length === 0 && conditionsNote === undefined) {
    return { text: 'run it under failure conditions, too', code: commandFor() }
  }
  if (fix > 0) {
    const folder = documentsFolder().replace(/docs$/, 'examples/client')
    return { text: 'fix these, or start from the client to copy', code: folder }
  }
  if (review === 0) return undefined
  const command = commandFor().replace(' check ', ' check --report json=known.json ')
  return {
    text: 'accept what is right as it is, and check with --baseline known.json',
    code: command,
  }
}

function jsonOf(result: CheckResult): unknown {
  const { first, items, coverage, assumptions, findingsResult, isInterrupted, failOn } = result
  const isFine =
    failingNames(result).length === 0 &&
    result.stale.length === 0 &&
    !isInterrupted &&
    result.problem === undefined &&
    !isCoverageLow(result)
  return {
    passed: isFine && first?.passed !== false,
    summary: summaryText(result),
    command: first,
    problem: result.problem,
    runs: result.runs,
    tests: result.tests,
    requests: result.requests,
    failOn,
    items: items.map(({ command: _, isKnown, ...item }) => ({
      ...item,
      known: isKnown || undefined,
    })),
    stale: result.stale.length === 0 ? undefined : result.stale,
    findings: findingsResult?.findings,
    conditions: result.conditions.map((one) => ({
      condition: one.name,
      operation: one.operation,
      state: one.state,
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
    next: nextStep(result),
    interrupted: isInterrupted || undefined,
  }
}

/**
 * Returns the names of the items that make a check fail. With a baseline, which lists all items, that is every new one
 * to fix or to review.
 */
export function failingNames({
  items,
  failOn,
  hasBaseline,
}: Pick<CheckResult, 'items' | 'failOn' | 'hasBaseline'>): readonly string[] {
  const severity = hasBaseline && failOn === 'error' ? 'warning' : failOn
  const failing = items.filter((one) => !one.isKnown && isFailing(one, severity))
  return [...new Set(failing.map(({ what }) => what))]
}
