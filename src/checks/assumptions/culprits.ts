import { type Configuration, configurationOf, hasAll, without } from '../replay/choices.ts'
import { smallerLists } from '../replay/smaller-lists.ts'
import type { TestHistory } from './observation.ts'

/** Progress of the search for the causes of a test's failures. */
export interface FailureSearch {
  readonly evidence: TestHistory
  /** Smallest sets of gap values that make the test fail. */
  readonly causes: readonly Configuration[]
  /** Rows to run next; empty if all failures are explained. */
  readonly probes: readonly Configuration[]
  /** Number of candidates: values, or pairs of values, that aren't ruled out. */
  readonly suspects: number
}

/** Maximum number of pairs that are tried one by one; if there are more, runs rule out several at once. */
const mostPairs = 6

/** Number of rows after which a search proposes no more for the next round. */
const probesAtOnce = 4

/** Number of pairs that are tried at once. */
const pairsAtOnce = 2

/**
 * Finds the gap values that make a test fail: one value of a failing row that no passing row has, else two of them,
 * else what delta debugging leaves. Returns the rows to run next for failures that aren't explained yet.
 */
export function isolateFailure(evidence: TestHistory): FailureSearch {
  // A test that fails at the baseline values doesn't fail because of a gap value.
  if (evidence.failsAsUsual) return { evidence, causes: [], probes: [], suspects: 0 }
  const causes: Configuration[] = []
  const probes: Configuration[] = []
  let suspects = 0
  for (const { row } of evidence.failed) {
    // A cause, or a probe that runs anyway, may explain this row as well.
    if ([...causes, ...probes].some((part) => hasAll(row, part))) continue
    const found = new Search(evidence, causes, row).next()
    if ('culprit' in found) {
      causes.push(found.culprit)
    } else {
      probes.push(...found.probes)
      suspects = Math.max(suspects, found.suspects)
    }
    if (probes.length >= probesAtOnce) break
  }
  // More probes of a flaky test would only find chance failures.
  if (evidence.isUnsteady) return { evidence, causes, probes: [], suspects: 0 }
  if (probes.length > 0) return { evidence, causes, probes, suspects }
  return { evidence, causes, probes: necessity(evidence, causes), suspects: 1 }
}

/** Returns the rows that show whether the test passes without a cause, in a row in which it failed. */
function necessity(
  evidence: TestHistory,
  culprits: readonly Configuration[],
): readonly Configuration[] {
  const all = culprits.flat()
  const probes: Configuration[] = []
  for (const culprit of culprits) {
    const rests = evidence.failed
      .filter(({ row }) => hasAll(row, culprit) && row.length > culprit.length)
      .map(({ row }) => without(row, all))
    const isShown = rests.length === 0 || rests.some((rest) => evidence.hasPassed(rest))
    if (!isShown) probes.push(...rests.slice(-1))
  }
  return probes
}

type Step =
  | { readonly culprit: Configuration }
  | { readonly probes: readonly Configuration[]; readonly suspects: number }

/** Search for the cause in one failing row. */
class Search {
  readonly #evidence: TestHistory
  readonly #row: Configuration
  /** Failing rows that no known cause explains. */
  readonly #open: readonly Configuration[]

  constructor(evidence: TestHistory, culprits: readonly Configuration[], row: Configuration) {
    this.#evidence = evidence
    this.#row = row
    this.#open = evidence.failed
      .map((one) => one.row)
      .filter((one) => !culprits.some((culprit) => hasAll(one, culprit)))
  }

  next(): Step {
    const row = this.#row
    if (row.length <= 1) return this.#confirm(row)
    const singles = this.#suspects(row.map((one) => [one]))
    const [only] = singles
    if (only !== undefined && singles.length === 1)
      return { probes: this.#proofOf(only), suspects: 1 }
    if (singles.length > 0) {
      const half = configurationOf(singles.slice(0, Math.ceil(singles.length / 2)).flat())
      // If the values of the half have no effect, its pass rules out none of them.
      const isTold = this.#evidence.hasPassed(half)
      return { probes: [isTold ? half.slice(0, 1) : half], suspects: singles.length }
    }
    const pairs = this.#suspects(pairsOf(row))
    const [pair, ...others] = pairs
    if (pair !== undefined && row.length > 2 && pairs.length <= mostPairs) {
      const probes = [...this.#proofOf(pair), ...others.slice(0, pairsAtOnce - 1)]
      return { probes, suspects: pairs.length }
    }
    const search = smallerLists(row)
    let next = search.next()
    while (!next.done) {
      const fails = this.#fails(next.value)
      if (fails === undefined)
        return { probes: [configurationOf(next.value)], suspects: row.length }
      next = search.next(fails)
    }
    return this.#confirm(configurationOf(next.value))
  }

  /** Confirms a cause: the test fails with it twice, and passes without any one of its values. */
  #confirm(part: Configuration): Step {
    const evidence = this.#evidence
    const open = this.#openOf([part, ...this.#partsOf(part)])
    if (open.length > 0) return { probes: open, suspects: 1 }
    return evidence.failuresWith(part) < 2 ? { probes: [part], suspects: 1 } : { culprit: part }
  }

  /** Returns the rows that confirm or rule out a candidate: the candidate alone, its parts, and the row without it. */
  #proofOf(part: Configuration): Configuration[] {
    const rest = without(this.#row, part)
    return this.#openOf([part, ...this.#partsOf(part), ...(rest.length > 0 ? [rest] : [])])
  }

  /** Lists the set without each of its values, except for those with which the test has passed. */
  #partsOf(part: Configuration): Configuration[] {
    if (part.length === 1) return []
    return part
      .map((one) => without(part, [one]))
      .filter((smaller) => !this.#evidence.passesWith(smaller))
  }

  /** Returns the rows that haven't run. */
  #openOf(rows: readonly Configuration[]): Configuration[] {
    return rows.filter((row) => !this.#evidence.hasFailed(row) && !this.#evidence.hasPassed(row))
  }

  #fails(part: Configuration): boolean | undefined {
    if (part.length === 0 || this.#evidence.passesWith(part)) return false
    return this.#open.some((row) => hasAll(part, row)) ? true : undefined
  }

  /** Returns the candidates that no passing row rules out, the likeliest first. */
  #suspects(parts: readonly Configuration[]): Configuration[] {
    const failures = (part: Configuration): number =>
      this.#open.filter((row) => hasAll(row, part)).length
    return parts
      .filter((part) => !this.#evidence.passesWith(part))
      .map((part) => ({ part, count: failures(part) }))
      .sort((one, other) => other.count - one.count)
      .map(({ part }) => part)
  }
}

function pairsOf(row: Configuration): Configuration[] {
  return row.flatMap((one, index) => row.slice(index + 1).map((other) => [one, other]))
}

/**
 * Minimum number of failures with nothing but the causes, and of passes at the baseline values, that rule out chance.
 */
const enough = {
  steady: { failures: 3, passes: 3 },
  /** For a test that reports which gap values changed its responses. */
  traced: { failures: 2, passes: 2 },
  flaky: { failures: 6, passes: 7 },
} as const

/**
 * Returns the rows that show whether tests fail because of their causes or by chance, since a flaky test can make a
 * value look like a cause. Causes of several tests share a row.
 */
export function confirmationRuns(hunts: readonly FailureSearch[]): readonly Configuration[] {
  const found = hunts.filter(({ causes }) => causes.length > 0)
  const rows: Configuration[] = []
  for (const one of found) {
    const { evidence, causes } = one
    for (const culprit of causes) {
      // A cause that only makes the client wait longer needs no confirmation.
      if (evidence.isSlowedBy(culprit, causes)) continue
      if (provenBy(culprit, found, evidence) >= failuresNeeded(one, culprit)) continue
      // If the test passed with it alongside other values, those interfered: the cause gets a row of its own.
      const place = evidence.hasPassedWith(culprit)
        ? -1
        : rows.findIndex((row) => fits(culprit, row, one))
      const [row = []] = place < 0 ? [] : rows.splice(place, 1)
      rows.push(configurationOf([...row, ...culprit]))
    }
  }
  const isBaselineDue = found.some((one) => one.evidence.baselinePasses < neededOf(one).passes)
  return isBaselineDue ? [[], ...rows] : rows
}

/** Returns the causes that aren't chance: if the test is flaky, those with which it has failed repeatedly. */
export function confirmed(
  found: FailureSearch,
  hunts: readonly FailureSearch[],
): readonly Configuration[] {
  const { evidence, causes } = found
  if (!evidence.isUnsteady) return causes
  return causes.filter((one) => provenBy(one, hunts, evidence) >= failuresNeeded(found, one))
}

/** Number of values beyond which a cause needs no more failures, as the runs of a row are limited. */
const mostChoicesProved = 6

function neededOf({ evidence }: FailureSearch): { failures: number; passes: number } {
  if (evidence.isUnsteady) return enough.flaky
  return evidence.isTraced ? enough.traced : enough.steady
}

/** Returns the number of failures that confirm a cause; large causes need more, as a chance failure leaves them. */
function failuresNeeded(one: FailureSearch, culprit: Configuration): number {
  return Math.max(neededOf(one).failures, Math.min(culprit.length, mostChoicesProved))
}

/** Returns the number of rows with only causes in which a test has failed with this one. */
function provenBy(
  culprit: Configuration,
  hunts: readonly FailureSearch[],
  { failed }: TestHistory,
): number {
  const guilty = hunts.flatMap(({ causes }) => causes.flat())
  return failed.filter(({ row }) => hasAll(row, culprit) && hasAll(guilty, row)).length
}

/** Whether a row can contain this cause without containing another one of the same test. */
function fits(culprit: Configuration, row: Configuration, { causes }: FailureSearch): boolean {
  if (row.some(({ gap }) => culprit.some((one) => one.gap === gap))) return false
  const both = [...row, ...culprit]
  return !causes.some((other) => other !== culprit && hasAll(both, other))
}
