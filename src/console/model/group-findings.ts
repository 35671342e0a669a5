import type { Finding } from '../../audit/finding.ts'
import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { countText } from './count-text.ts'
import { grouped } from './grouped.ts'

/** The worst first. */
const severities = ['error', 'warning', 'info'] as const

/** Something that several findings say alike. */
export interface Saying {
  readonly verdict: string
  readonly count: number
  /** The exchanges that prove them; none where other exchanges have these ids by now. */
  readonly exchanges: readonly number[]
}

/** What a rule has found. */
export interface FindingGroup {
  readonly rule: string
  /** The worst of its findings. */
  readonly severity: Finding['severity']
  readonly count: number
  readonly sayings: readonly Saying[]
  readonly advice: string
  /** The clauses of the interface, as `spec 8.2`, and the public sources. */
  readonly sources: readonly string[]
  /** The first and the last exchange in it that is still known. */
  readonly first: JournalEntry | undefined
  readonly last: JournalEntry | undefined
}

/** Puts findings together by their rule, the worst first. */
export function groupFindings(
  findings: readonly Finding[],
  entries: readonly JournalEntry[],
): readonly FindingGroup[] {
  const known = new Map(entries.map((entry) => [entry.id, entry]))
  const groups = grouped(findings, ({ rule }) => rule)
  return [...groups.values()]
    .flatMap((own) => groupOf(own, known))
    .sort((one, other) => rankOf(one) - rankOf(other))
}

function groupOf(
  own: readonly Finding[],
  known: ReadonlyMap<number, JournalEntry>,
): readonly FindingGroup[] {
  const [worst] = own.toSorted((one, other) => rankOf(one) - rankOf(other))
  if (worst === undefined) return []
  const { rule, severity, advice, clause } = worst
  const exchanges = idsOf(own).flatMap((id) => known.get(id) ?? [])
  return [
    {
      rule,
      severity,
      count: own.length,
      sayings: sayingsOf(own),
      advice,
      sources: clause.split('; '),
      first: exchanges[0],
      last: exchanges.at(-1),
    },
  ]
}

/** The exchanges that prove findings; after a reset, others have their ids. */
function idsOf(findings: readonly Finding[]): readonly number[] {
  const living = findings.filter(({ beforeReset }) => beforeReset !== true)
  const ids = new Set(living.flatMap(({ exchanges }) => exchanges))
  return [...ids].sort((one, other) => one - other)
}

function sayingsOf(own: readonly Finding[]): readonly Saying[] {
  const alike = grouped(own, ({ verdict }) => verdict)
  return [...alike].map(([verdict, same]) => {
    return { verdict, count: same.length, exchanges: idsOf(same) }
  })
}

function rankOf({ severity }: Pick<Finding, 'severity'>): number {
  return severities.indexOf(severity)
}

/** Says how many findings there are of each severity: `2 errors, 1 warning`. */
export function severitiesText(findings: readonly Pick<Finding, 'severity'>[]): string {
  const counts = severities.map((severity) => ({
    severity,
    count: findings.filter((one) => one.severity === severity).length,
  }))
  const texts = counts.flatMap(({ severity, count }) => {
    if (count === 0) return []
    return severity === 'info' ? `${count} info` : countText(count, severity)
  })
  return texts.length === 0 ? 'Nothing found' : texts.join(', ')
}
