import { inject } from 'vitest'

/** Returns the number of draws of a random test; `TEST_RUNS=20` draws twenty times as many as by default. */
export function draws(byDefault: number): number {
  return Math.ceil(byDefault * inject('testRuns'))
}
