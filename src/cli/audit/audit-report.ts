import type { Finding } from '../../audit/finding.ts'
import { rules } from '../../audit/rules.ts'
import { type Severity, severities } from '../../audit/severity.ts'
import { formatInstant } from '../../input/instant.ts'
import { namesOf } from '../../input/record.ts'
import type { Level, Report, ReportGroup, ReportItem } from '../reports/report.ts'
import { printable } from '../terminal/printable.ts'
import { countsText } from './finding-counts.ts'
import { type ExceptionState, isFailing, type UsedException, type Verdict } from './verdict.ts'

/** The worst first. */
const levels: readonly Level[] = ['error', 'warning', 'info', 'ok']

/** How many findings of a rule are told one by one. */
const mostOfRule = 5

/** How many exchanges of a finding are named. */
const mostExchanges = 6

/** Puts a verdict into the words of a report, with an item for each rule. */
export function auditReport(verdict: Verdict): Report {
  const { findings, exceptions } = verdict
  const items = namesOf(rules)
    .map((rule) => itemOf(rule, verdict))
    .toSorted((one, other) => levels.indexOf(one.level) - levels.indexOf(other.level))
  const found = items.filter(({ level }) => level !== 'ok').length
  const ofRules = { name: 'rules', summary: `${found} of ${items.length} found something`, items }
  return {
    title: 'Audit',
    summary: countsText(countsOf(findings)),
    layout: 'paragraphs',
    groups: exceptions.length === 0 ? [ofRules] : [ofRules, exceptionGroup(exceptions)],
    json: { findings },
  }
}

function countsOf(findings: readonly Finding[]): Readonly<Record<Severity, number>> {
  const count = (severity: Severity): number =>
    findings.filter((one) => one.severity === severity).length
  return { error: count('error'), warning: count('warning'), info: count('info') }
}

function itemOf(rule: keyof typeof rules, verdict: Verdict): ReportItem {
  const { findings, exceptions, failOn } = verdict
  const own = findings
    .filter((one) => one.rule === rule)
    .toSorted((one, other) => rankOf(one) - rankOf(other))
  const [worst] = own
  if (worst === undefined) {
    const used = exceptions.find(({ exception, state }) => {
      return state === 'used' && exception.rule === rule
    })
    if (used === undefined) return { name: rule, level: 'ok', state: 'nothing found', text: '' }
    return { name: rule, level: 'ok', state: 'excepted', text: used.exception.reason }
  }
  const { severity, advice, clause } = worst
  return {
    name: rule,
    level: isFailing(worst, failOn) ? 'error' : severity,
    state: severity,
    text: linesOf(own).join('\n'),
    notes: { 'what to do': advice, source: clause },
  }
}

function rankOf({ severity }: Finding): number {
  return severities.indexOf(severity)
}

/** Says each thing once, with the first exchanges that prove it. */
function linesOf(findings: readonly Finding[]): string[] {
  const byVerdict = new Map<string, { readonly first: Finding; count: number }>()
  for (const finding of findings) {
    const known = byVerdict.get(finding.verdict)
    if (known === undefined) byVerdict.set(finding.verdict, { first: finding, count: 1 })
    else known.count++
  }
  const lines = [...byVerdict.values()].map(({ first, count }) => {
    const others = count === 1 ? '' : `; ${count - 1} more like it`
    return `${printable(first.verdict)} (${proofText(first)}${others})`
  })
  if (lines.length <= mostOfRule) return lines
  return [...lines.slice(0, mostOfRule), `And ${lines.length - mostOfRule} more of this kind.`]
}

function proofText({ caller, exchanges, beforeReset }: Finding): string {
  const shown = exchanges.slice(0, mostExchanges)
  const rest = exchanges.length > shown.length ? ' and more' : ''
  const when = beforeReset === true ? ' before a reset' : ''
  return `caller ${caller}, ${exchanges.length === 1 ? 'request' : 'requests'} ${shown.join(', ')}${rest}${when}`
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
  const findings = `${count} ${count === 1 ? 'finding' : 'findings'}`
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
