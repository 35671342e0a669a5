import type { Assumptions } from '../../src/cli/check/assumptions.ts'

/** A pair of gap values. */
export const pair = [
  { gap: 'errorPrecedence', value: 'request' },
  { gap: 'banStatus', value: 403 },
] as const

/** Hidden assumptions of a suite that doesn't exist. */
export function assumptionsOf(more: Partial<Assumptions> = {}): Assumptions {
  return {
    found: {
      dependencies: [
        { test: 'is <told> & "banned"', row: [{ gap: 'banStatus', value: 403 }] },
        { test: 'retries', row: pair },
      ],
      unaffected: ['listOrder', 'idSequence'],
      unsteady: [],
      isComplete: true,
    },
    tests: 41,
    runs: 19,
    notes: [],
    problem: undefined,
    isInterrupted: false,
    grade: 'fix',
    commandFor: (row) => `run ${row.length}`,
    ...more,
  }
}
