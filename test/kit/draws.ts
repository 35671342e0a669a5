import { inject } from 'vitest'

/** Returns the number of draws of a random test: a fifth of the listed number by day, as many as `TEST_RUNS` says at night. */
export function draws(listed: number): number {
  return Math.ceil(listed * inject('testRuns'))
}
