import { type Finding, type Severity, severities } from '../../checks/audit/finding.ts'
import { placeOfRule } from '../../checks/reports/findings.ts'
import { cut, timesText } from '../../checks/reports/text.ts'
import type { RequestView } from '../../mock/log/request-view.ts'

/** Maximum number of requests, or findings, in a message. */
const maxShown = 5

/** Maximum length of a URL in a message, in characters. */
const maxOfUrl = 100

/** Formats requests, one per line; only the first and the last ones if there are many. */
export function requestLines(
  entries: readonly RequestView[],
  more: (entry: RequestView) => string = () => '',
): string {
  const lineOf = (entry: RequestView): string => `  ${requestLine(entry)}${more(entry)}`
  if (entries.length <= maxShown) return entries.map(lineOf).join('\n')
  const head = entries.slice(0, maxShown - 2).map(lineOf)
  const tail = entries.slice(-2).map(lineOf)
  return [...head, `  … ${entries.length - maxShown} more`, ...tail].join('\n')
}

/** Formats a request on one line, with its key abbreviated. */
function requestLine(entry: RequestView): string {
  const { id, at, key, request } = entry
  const by = key === undefined ? '' : ` by ${key}`
  return `#${id} ${at.slice(11)} ${request.method} ${cut(request.url, maxOfUrl)}${by}: ${outcomeText(entry)}`
}

function outcomeText({ outcome, decision, delivery }: RequestView): string {
  const { code, retryAt, petId } = decision
  const parts: string[] = []
  if ('status' in outcome) parts.push([outcome.status, code].filter((one) => one).join(' '))
  else parts.push(`no response (${outcome.kind})`)
  if (retryAt !== undefined) parts.push(`to wait until ${retryAt.slice(11)}`)
  if (petId !== undefined) parts.push(`added pet ${petId}`)
  if (delivery === 'aborted') parts.push('its client had left')
  if (delivery === 'broken' && 'status' in outcome) parts.push('broken off')
  return parts.join(', ')
}

/** Formats the number of times something happened: `never called`, `called twice`. */
export function doneText(done: string, count: number): string {
  return count === 0 ? `never ${done}` : `${done} ${timesText(count)}`
}

/** Returns the findings of at least this severity. */
export function findingsFrom(atLeast: Severity, findings: readonly Finding[]): readonly Finding[] {
  const worst = severities.slice(0, severities.indexOf(atLeast) + 1)
  return findings.filter(({ severity }) => worst.includes(severity))
}

/**
 * Formats findings, each with its advice and with those of its requests that are still in the log. The first finding of
 * a rule names the section of the documentation.
 */
export function findingsText(
  findings: readonly Finding[],
  entries: readonly RequestView[],
): string {
  const shown = findings.slice(0, maxShown).map((finding, index) => {
    const isFirst = findings.findIndex(({ rule }) => rule === finding.rule) === index
    return findingText(finding, entries, isFirst ? [`  more: ${placeOfRule(finding.rule)}`] : [])
  })
  const rest = findings.length - maxShown
  return [...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n\n')
}

function findingText(
  { rule, severity, message, advice, source, requests }: Finding,
  entries: readonly RequestView[],
  more: readonly string[],
): string {
  const proof = entries.filter(({ id }) => requests.includes(id))
  const lines = [`${severity} ${rule} (${source})`, `  ${message}`, `  ${advice}`, ...more]
  if (proof.length > 0) lines.push(requestLines(proof))
  return lines.join('\n')
}
