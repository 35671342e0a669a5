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

/** Gives the median of the differences of each pair: by how much one was more than the other in the same round. */
export function medianDifference(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, round) => value - (others[round] ?? Number.NaN)))
}
