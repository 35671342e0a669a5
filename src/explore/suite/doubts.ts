import type { Evidence } from './observation.ts'
import { hasAll, type Row, rowOf } from './row.ts'

/** A test that has failed, and what was found that makes it fail. */
export interface Suspicion {
  readonly evidence: Evidence
  readonly culprits: readonly Row[]
}

/**
 * How often a test has to fail under nothing but what was found, and to pass at the usual choices, before that isn't
 * chance.
 */
const enough = {
  steady: { failures: 3, passes: 3 },
  /** Of a test of which it is known which choices changed its replies. */
  traced: { failures: 2, passes: 2 },
  flaky: { failures: 5, passes: 6 },
} as const

/**
 * The rows that show whether tests fail by what was found, or by chance: a flaky test may fail twice where it looks as if a
 * choice were to blame. One row does for the culprits of several tests.
 */
export function doubts(suspicions: readonly Suspicion[]): readonly Row[] {
  const found = suspicions.filter(({ culprits }) => culprits.length > 0)
  const rows: Row[] = []
  for (const suspicion of found) {
    const { evidence, culprits } = suspicion
    for (const culprit of culprits) {
      // What is merely slower needs no proof.
      if (evidence.isSlowedBy(culprit, culprits)) continue
      if (provenBy(culprit, found, evidence) >= neededOf(suspicion).failures) continue
      // Where others stood beside it, and the test passed, they were in its way.
      const place = evidence.hasPassedWith(culprit)
        ? -1
        : rows.findIndex((row) => fits(culprit, row, suspicion))
      const [row = []] = place < 0 ? [] : rows.splice(place, 1)
      rows.push(rowOf([...row, ...culprit]))
    }
  }
  const isUsualDue = found.some((one) => one.evidence.usualPasses < neededOf(one).passes)
  return isUsualDue ? [[], ...rows] : rows
}

/** The culprits that aren't chance: of a flaky test those with which it has failed over and over. */
export function beyondDoubt(
  suspicion: Suspicion,
  suspicions: readonly Suspicion[],
): readonly Row[] {
  const { evidence, culprits } = suspicion
  if (!evidence.isUnsteady) return culprits
  return culprits.filter(
    (one) => provenBy(one, suspicions, evidence) >= neededOf(suspicion).failures,
  )
}

function neededOf({ evidence }: Suspicion): { failures: number; passes: number } {
  if (evidence.isUnsteady) return enough.flaky
  return evidence.isTraced ? enough.traced : enough.steady
}

/** In how many rows that have nothing but culprits a test has failed with one of them. */
function provenBy(culprit: Row, suspicions: readonly Suspicion[], { failed }: Evidence): number {
  const guilty = suspicions.flatMap(({ culprits }) => culprits.flat())
  return failed.filter(({ row }) => hasAll(row, culprit) && hasAll(guilty, row)).length
}

/** Whether a row can have a culprit, too, and no other one of the same test. */
function fits(culprit: Row, row: Row, { culprits }: Suspicion): boolean {
  if (row.some(({ gap }) => culprit.some((one) => one.gap === gap))) return false
  const both = [...row, ...culprit]
  return !culprits.some((other) => other !== culprit && hasAll(both, other))
}
