import { rules } from '../../audit/rules.ts'
import { formatInstant } from '../../input/instant.ts'
import { namesOf } from '../../input/record.ts'
import {
  type FindingGroup,
  findingItem,
  groupFindings,
  severitiesText,
} from '../../reports/findings.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../../reports/report.ts'
import { countText, printable } from '../../reports/text.ts'
import { type ExceptionState, isFailing, type UsedException, type Verdict } from './verdict.ts'

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
