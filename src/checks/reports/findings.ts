import { grouped } from '../../mock/input/record.ts'
import { type Finding, type Severity, severities } from '../audit/finding.ts'
import type { Level, Report, ReportItem } from './report.ts'
import { countText, printable } from './text.ts'

/** Maximum number of messages per rule in a report, and of requests per message. */
export interface FindingLimits {
  readonly messages: number
  readonly requests: number
}

/** Limits of a report by default. */
const shortLimits: FindingLimits = { messages: 5, requests: 6 }

/** Limits of a full report. */
export const noLimits: FindingLimits = { messages: Infinity, requests: Infinity }

/** A message shared by several findings. */
export interface MessageGroup {
  readonly message: string
  readonly count: number
  /** First finding since the last reset, or else the first of all. */
  readonly shown: Finding
  /** Ids of the requests that prove these findings, without those from before a reset, whose ids may be reused. */
  readonly requests: readonly number[]
}

/** Findings of one rule. */
export interface FindingGroup {
  readonly rule: string
  /** Worst severity of the findings. */
  readonly severity: Severity
  readonly findings: readonly Finding[]
  /** Messages, worst first. */
  readonly messages: readonly MessageGroup[]
  readonly advice: string
  /** Spec clauses, such as `spec 8.2`, and public sources. */
  readonly sources: readonly string[]
  /** Ids of the requests that prove any of the findings. */
  readonly requests: readonly number[]
}

/** Groups findings by rule, worst first. */
export function groupFindings(findings: readonly Finding[]): readonly FindingGroup[] {
  const worstFirst = findings.toSorted((one, other) => rankOf(one) - rankOf(other))
  return [...grouped(worstFirst, ({ rule }) => rule).values()].flatMap((found) => {
    const [worst] = found
    if (worst === undefined) return []
    const { rule, severity, advice, source } = worst
    return {
      rule,
      severity,
      findings: found,
      messages: messageGroups(found),
      advice,
      sources: source.split('; '),
      requests: idsOf(found),
    }
  })
}

function rankOf({ severity }: Finding): number {
  return severities.indexOf(severity)
}

function messageGroups(findings: readonly Finding[]): readonly MessageGroup[] {
  const alike = grouped(findings, ({ message }) => message)
  return [...alike].flatMap(([message, same]) => {
    const shown = same.find(({ beforeReset }) => beforeReset !== true) ?? same[0]
    return shown === undefined ? [] : { message, count: same.length, shown, requests: idsOf(same) }
  })
}

/** Returns the ids of the requests that prove findings; after a reset, other requests have their ids. */
function idsOf(findings: readonly Finding[]): readonly number[] {
  const living = findings.filter(({ beforeReset }) => beforeReset !== true)
  const ids = new Set(living.flatMap(({ requests }) => requests))
  return [...ids].sort((one, other) => one - other)
}

/** Formats the number of findings of each severity: `2 errors, 1 warning`. */
export function severitiesText(findings: readonly Pick<Finding, 'severity'>[]): string {
  const count = (severity: Severity): number =>
    findings.filter((one) => one.severity === severity).length
  return severityCountsText({
    error: count('error'),
    warning: count('warning'),
    info: count('info'),
  })
}

/** Formats numbers of findings like {@link severitiesText}. */
export function severityCountsText(counts: Readonly<Record<Severity, number>>): string {
  const texts = severities.flatMap((severity) => {
    if (counts[severity] === 0) return []
    return severity === 'info' ? `${counts.info} info` : countText(counts[severity], severity)
  })
  return texts.length === 0 ? 'nothing found' : texts.join(', ')
}

/** Creates a report of findings. */
export function findingsReport(groups: readonly FindingGroup[]): Report {
  const items = groups.map((group) => findingItem(group))
  const findings = groups.flatMap((group) => group.findings)
  return {
    title: 'Audit',
    summary: severitiesText(findings),
    layout: 'paragraphs',
    groups: [{ name: 'rules', summary: countText(items.length, 'rule'), items }],
    json: { findings },
  }
}

/**
 * Creates the report item of a rule's findings.
 *
 * @param documents Folder of the package's documents.
 */
export function findingItem(
  group: FindingGroup,
  level: Level = group.severity,
  documents?: string,
  limits: FindingLimits = shortLimits,
): ReportItem {
  const { rule, severity, messages, advice, sources } = group
  const lines = messages.slice(0, limits.messages).map(({ message, shown, count }) => {
    const others = count === 1 ? '' : `; ${count - 1} more like it`
    return `${printable(message)} (${proofText(shown, limits)}${others})`
  })
  const more = messages.length - lines.length
  return {
    name: rule,
    level,
    state: severity,
    text: [
      ...lines,
      ...(more === 0 ? [] : [`And ${more} more of this kind; --all prints them.`]),
    ].join('\n'),
    notes: { 'what to do': advice, source: sources.join('; '), more: placeOfRule(rule, documents) },
  }
}

/**
 * Returns the place in the package's documents that describes a rule, and what the rule ignores.
 *
 * @param documents Folder of the documents; by default where npm installs them.
 */
export function placeOfRule(
  rule: string,
  documents = 'node_modules/petstore-sandbox/docs',
): string {
  return `${documents}/reference/audit-rules.md#${rule}`
}

function proofText({ client, requests, beforeReset }: Finding, limits: FindingLimits): string {
  const shown = requests.slice(0, limits.requests)
  const rest = requests.length > shown.length ? ' and more' : ''
  const when = beforeReset === true ? ' before a reset' : ''
  return `client ${client}, ${requests.length === 1 ? 'request' : 'requests'} ${shown.join(', ')}${rest}${when}`
}
