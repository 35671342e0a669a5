import { formatTable } from '../src/checks/reports/text.ts'

/** What a figure has to be. */
export interface Target {
  readonly name: string
  readonly value: number
  readonly bound: 'at least' | 'at most'
  readonly limit: number
}

/** What a benchmark found: a table, and how it stands against its targets. */
export interface Report {
  readonly title: string
  /** The head first; all but the first column are figures. */
  readonly table: readonly (readonly string[])[]
  readonly targets: readonly Target[]
}

/** Whether a figure is what it has to be. */
export function isMet({ value, bound, limit }: Target): boolean {
  return bound === 'at least' ? value >= limit : value <= limit
}

/** Writes a report as text. */
export function formatReport({ title, table, targets }: Report): string {
  const verdicts = targets.map(
    (target) =>
      `${isMet(target) ? 'pass' : 'FAIL'}  ${target.name}: ${target.value.toFixed(2)}, target ${target.bound} ${target.limit}`,
  )
  return [title, '', formatTable(table), '', ...verdicts].join('\n')
}
