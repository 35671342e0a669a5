import { type Finding, type Severity, severities } from '../../audit/finding.ts'
import { rules } from '../../audit/rules.ts'
import { list } from '../../input/collections.ts'
import { formatInstant, instant } from '../../input/instant.ts'
import { object, optional } from '../../input/object.ts'
import { namesOf } from '../../input/record.ts'
import { described, type Read, Refusal, refined } from '../../input/schema.ts'
import { nameIn, text } from '../../input/values.ts'
import {
  type FindingGroup,
  findingItem,
  groupFindings,
  severitiesText,
} from '../../reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../../reports/report.ts'
import { countText, printable } from '../../reports/text.ts'
import { CliError } from '../cli-error.ts'

const exception = object(
  {
    rule: described('The rule whose findings are accepted.', nameIn(rules)),
    reason: described(
      'Why they are accepted.',
      text({ use: 'a sentence that says why', pattern: /\S/ }),
    ),
    until: optional(
      described('When it ends; a date alone means its first instant in UTC.', instant),
    ),
  },
  { example: '{ "rule": "deprecated-operation", "reason": "…", "until": "2030-01-01" }' },
)

/** A rule whose findings don't count. */
export type Exception = Read<typeof exception>

/** What a config file says of the audit. */
export const auditSettings = object(
  {
    exceptions: optional(
      refined(
        list(exception),
        (found) => {
          found.forEach(({ rule }, index) => {
            if (found.findIndex((one) => one.rule === rule) === index) return
            throw new Refusal(`${rule} has an exception already; keep one`, [index, 'rule'])
          })
          return found
        },
        (found) => found,
      ),
      [],
    ),
  },
  { example: '{ "exceptions": [{ "rule": "deprecated-operation", "reason": "…" }] }' },
)

/** What became of an exception: it is needed, nothing needs it, or it has ended. */
type ExceptionState = 'used' | 'unneeded' | 'ended'

/** An exception, what became of it, and how many findings it is for. */
interface UsedException {
  readonly exception: Exception
  readonly state: ExceptionState
  readonly count: number
}

/** The findings of an audit, with what is expected of clients. */
export interface Verdict {
  /** Those that count. */
  readonly findings: readonly Finding[]
  readonly exceptions: readonly UsedException[]
  readonly failOn: Severity
}

/**
 * Takes out what is excepted.
 *
 * @param now Unix milliseconds of real time, since exceptions are about code and not about a sandbox.
 */
export function verdictOn(
  all: readonly Finding[],
  { exceptions, failOn }: { readonly exceptions: readonly Exception[]; readonly failOn: Severity },
  now: number,
): Verdict {
  const used = exceptions.map((exception): UsedException => {
    const count = all.filter(({ rule }) => rule === exception.rule).length
    if (count === 0) return { exception, state: 'unneeded', count }
    const hasEnded = exception.until !== undefined && exception.until <= now
    return { exception, state: hasEnded ? 'ended' : 'used', count }
  })
  const isExcepted = ({ rule }: Finding): boolean =>
    used.some(({ exception, state }) => state === 'used' && exception.rule === rule)
  return { findings: all.filter((one) => !isExcepted(one)), exceptions: used, failOn }
}

/** Whether a finding is bad enough to fail. */
function isFailing({ severity }: Pick<Finding, 'severity'>, failOn: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(failOn)
}

/** @throws {@link CliError} with exit code 4 if a finding is bad enough to fail. */
export function acceptVerdict({ findings, failOn }: Verdict): void {
  const failing = findings.filter((one) => isFailing(one, failOn))
  const names = [...new Set(failing.map(({ rule, severity }) => `${rule} (${severity})`))]
  if (names.length === 0) return
  throw new CliError(`Cannot accept what the client did: ${names.join(', ')}`, 4)
}

/** The worst first. */
const levels: readonly Level[] = ['error', 'warning', 'info', 'ok']

/** Puts a verdict into the words of a report, with an item for each rule. */
export function auditReport(verdict: Verdict): Report {
  const { findings, exceptions } = verdict
  const groups = new Map(groupFindings(findings).map((group) => [group.rule, group]))
  const items = namesOf(rules)
    .map((rule) => itemOf(rule, groups.get(rule), verdict))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
  const ofRules = {
    name: 'rules',
    summary: `${groups.size} of ${items.length} found something`,
    items,
  }
  return {
    title: 'Audit',
    summary: severitiesText(findings),
    layout: 'paragraphs',
    groups: exceptions.length === 0 ? [ofRules] : [ofRules, exceptionGroup(exceptions)],
    json: { findings },
  }
}

function itemOf(
  rule: string,
  group: FindingGroup | undefined,
  { exceptions, failOn }: Verdict,
): ReportItem {
  if (group !== undefined) {
    return findingItem(group, isFailing(group, failOn) ? 'error' : group.severity)
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

function exceptionGroup(exceptions: readonly UsedException[]): ReportGroup {
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
