import type { Finding } from '../../audit/finding.ts'
import { type Severity, severities } from '../../audit/severity.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { exchangeLines } from './exchange-text.ts'

/** How many findings a message shows. */
const mostShown = 5

/** The findings that are at least so bad. */
export function findingsFrom(atLeast: Severity, findings: readonly Finding[]): readonly Finding[] {
  const worst = severities.slice(0, severities.indexOf(atLeast) + 1)
  return findings.filter(({ severity }) => worst.includes(severity))
}

/** Shows findings, each with what to do, and with the exchanges that prove it as far as there still are any. */
export function findingsText(
  findings: readonly Finding[],
  entries: readonly JournalEntry[],
): string {
  const shown = findings.slice(0, mostShown).map((finding) => findingText(finding, entries))
  const rest = findings.length - mostShown
  return [...shown, ...(rest > 0 ? [`… ${rest} more`] : [])].join('\n\n')
}

function findingText(
  { rule, severity, verdict, advice, clause, exchanges }: Finding,
  entries: readonly JournalEntry[],
): string {
  const proof = entries.filter(({ id }) => exchanges.includes(id))
  const lines = [`${severity} ${rule} (${clause})`, `  ${verdict}`, `  ${advice}`]
  if (proof.length > 0) lines.push(exchangeLines(proof))
  return lines.join('\n')
}
