import { type Finding, type Severity, severities } from '../checks/audit/finding.ts'
import { rules } from '../checks/audit/rules.ts'
import {
  type FindingGroup,
  findingItem,
  groupFindings,
  noLimits,
  severitiesText,
} from '../checks/reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../checks/reports/report.ts'
import { countText, printable } from '../checks/reports/text.ts'
import { namesOf } from '../mock/input/record.ts'
import { formatInstant } from '../mock/input/values.ts'
import { CliError } from './cli-error.ts'
import type { FindingsOptions } from './options.ts'
import { documentsFolder } from './program.ts'
import { apiAddress, atSandbox } from './remote/connect.ts'
import { type Exception, readConfigFile } from './serve/config-file.ts'
import { writeReports } from './write-reports.ts'

/**
 * Reports which rules of the spec the clients of a running sandbox broke.
 *
 * @throws {@link CliError} with exit code 4 for a finding of at least the severity of `--fail-on`, and with 5 if there
 * were no requests.
 */
export async function showFindings(
  { 'fail-on': failOn, report, json, all, config, ...place }: FindingsOptions,
  stdout: NodeJS.WritableStream,
  environment: NodeJS.ProcessEnv,
): Promise<void> {
  const { exceptions } = await readConfigFile(
    config ?? (environment.PETSTORE_SANDBOX_CONFIG || undefined),
  )
  const result = await atSandbox(place, async (client) => {
    const findings = await client.findings()
    const { findings: summary } = await client.status()
    return { findings, checked: summary?.checked }
  })
  const noRequests = {
    text: `There is no request yet. Does the client use ${apiAddress(place)}? Requests from before a reset are included only if findings had been requested by then.`,
    why: 'Cannot report findings: there is no request',
  }
  const write = (text: Report): void => writeReports(text, { report, json }, stdout, environment)
  conclude(result, { exceptions, failOn, all }, noRequests, write)
}

/**
 * Reports findings.
 *
 * @param noRequests Texts for the report and the error if there was no request.
 * @throws {@link CliError} with exit code 4 for a finding of at least the severity of `--fail-on`, and with 5 if there
 * was no request.
 */
function conclude(
  {
    findings,
    checked,
  }: { readonly findings: readonly Finding[]; readonly checked?: number | undefined },
  expected: Expected,
  noRequests: { readonly text: string; readonly why: string },
  write: (report: Report) => void,
): void {
  if (checked === 0) {
    write(noRequestsReport(noRequests.text))
    throw new CliError(noRequests.why, 5)
  }
  const result = acceptedFindings(findings, expected, Date.now())
  write(auditReport(result))
  expectAccepted(result)
}

/** Returns a report without results, since there was no request. */
function noRequestsReport(text: string): Report {
  const item: ReportItem = { name: 'requests', level: 'error', state: 'none', text }
  return {
    title: 'Findings',
    summary: 'no request',
    layout: 'paragraphs',
    groups: [{ name: 'requests', summary: 'none', items: [item] }],
    json: { findings: [], checked: 0 },
  }
}

/** State of an exception: in use, not needed, or ended. */
type ExceptionState = 'used' | 'unneeded' | 'ended'

/** Exception with its state, and the number of findings of its rule. */
export interface UsedException {
  readonly exception: Exception
  readonly state: ExceptionState
  readonly count: number
}

/** Criteria for findings: the severity from which they fail, and the exceptions. */
interface Expected {
  readonly exceptions: readonly Exception[]
  readonly failOn: Severity
  /** Whether each finding is printed in full. */
  readonly all?: boolean | undefined
}

/** Findings with the criteria for them. */
export interface FindingsResult {
  /** Findings that count. */
  readonly findings: readonly Finding[]
  readonly exceptions: readonly UsedException[]
  readonly failOn: Severity
  /** Whether each finding is printed in full. */
  readonly all?: boolean | undefined
}

/**
 * Removes findings with an exception.
 *
 * @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox.
 */
export function acceptedFindings(
  all: readonly Finding[],
  { exceptions, failOn, all: isWhole }: Expected,
  now: number,
): FindingsResult {
  const used = exceptions.map((exception): UsedException => {
    const count = all.filter(({ rule }) => rule === exception.rule).length
    if (count === 0) return { exception, state: 'unneeded', count }
    const hasEnded = exception.until !== undefined && exception.until <= now
    return { exception, state: hasEnded ? 'ended' : 'used', count }
  })
  const isExcepted = ({ rule }: Finding): boolean =>
    used.some(({ exception, state }) => state === 'used' && exception.rule === rule)
  return { findings: all.filter((one) => !isExcepted(one)), exceptions: used, failOn, all: isWhole }
}

/** Returns whether a finding is severe enough to fail. */
export function isFailing({ severity }: Pick<Finding, 'severity'>, failOn: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** @throws {@link CliError} with exit code 4 if a finding is severe enough to fail. */
export function expectAccepted({ findings, failOn }: FindingsResult): void {
  const failing = findings.filter((one) => isFailing(one, failOn))
  const names = [...new Set(failing.map(({ rule, severity }) => `${rule} (${severity})`))]
  if (names.length === 0) return
  throw new CliError(`Cannot accept what the client did: ${names.join(', ')}`, 4)
}

/** Levels, the worst first. */
const levels: readonly Level[] = ['error', 'warning', 'info', 'ok']

/** Writes findings as a report, with an item for each rule. */
export function auditReport(result: FindingsResult): Report {
  const { findings, exceptions } = result
  const groups = new Map(groupFindings(findings).map((group) => [group.rule, group]))
  const items = namesOf(rules)
    .map((rule) => ruleItem(rule, groups.get(rule), result))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
  const ofRules = {
    name: 'rules',
    summary: `${groups.size} of ${items.length} found something`,
    items,
  }
  return {
    title: 'Findings',
    summary: severitiesText(findings),
    layout: 'paragraphs',
    groups: exceptions.length === 0 ? [ofRules] : [ofRules, exceptionGroup(exceptions)],
    json: { findings },
  }
}

export function ruleItem(
  rule: string,
  group: FindingGroup | undefined,
  { exceptions, failOn, all }: FindingsResult,
): ReportItem {
  if (group !== undefined) {
    const level = isFailing(group, failOn) ? 'error' : group.severity
    return findingItem(group, level, documentsFolder(), all ? noLimits : undefined)
  }
  const used = exceptions.find(({ exception, state }) => {
    return state === 'used' && exception.rule === rule
  })
  if (used === undefined) return { name: rule, level: 'ok', state: 'nothing found', text: '' }
  return { name: rule, level: 'ok', state: 'excepted', text: used.exception.reason }
}

const states: Readonly<Record<ExceptionState, string>> = {
  used: 'in use',
  unneeded: 'not needed any more',
  ended: 'ended',
}

export function exceptionGroup(exceptions: readonly UsedException[]): ReportGroup {
  const needless = exceptions.filter(({ state }) => state !== 'used').length
  return {
    name: 'exceptions',
    summary: `${exceptions.length - needless} in use, ${needless} to remove`,
    items: exceptions.map(exceptionItem),
  }
}

function exceptionItem({ exception, state, count }: UsedException): ReportItem {
  const { rule, reason, until } = exception
  const findings = countText(count, 'finding')
  const ended = until === undefined ? '' : formatInstant(until)
  const texts: Readonly<Record<ExceptionState, string>> = {
    used: `${findings}: ${reason}`,
    unneeded: `It matches no finding: remove it from the config file. Its reason was: ${reason}`,
    ended: `It ended at ${ended}, and its findings count again (${findings}): fix the client, or set a later end. Its reason was: ${reason}`,
  }
  return {
    name: rule,
    level: state === 'used' ? 'ok' : 'warning',
    state: states[state],
    text: printable(texts[state]),
  }
}
