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

/** One thing that is measured. */
export interface Benchmark {
  readonly name: string
  /** What a round is, and how many there are unless the command line says otherwise. */
  readonly round: string
  readonly rounds: number
  run(options: BenchOptions): Promise<Report>
}

/** What the command line says. */
export interface BenchOptions {
  readonly rounds: number
  /** Path of the Node that runs the servers. */
  readonly node: string
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

/**
 * Gives the middle value of a list.
 *
 * @throws RangeError when there is none.
 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right)
  const half = sorted.length / 2
  const low = sorted[Math.ceil(half) - 1]
  const high = sorted[Math.floor(half)]
  if (low === undefined || high === undefined) {
    throw new RangeError('Cannot take a median: there are no values')
  }
  return (low + high) / 2
}

/**
 * Gives the value that a share of a list lies below, such as 0.99 for its p99.
 *
 * @throws RangeError when there is none.
 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right)
  const found = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (found !== undefined) return found
  throw new RangeError('Cannot take a percentile: there are no values')
}

/** Gives the median of the ratios of each pair: what each was against the other in the same round. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value / (others[round] ?? Number.NaN)))
}
