import { type Configuration, configurationOf, hasAll, without } from '../replay/choices.ts'
import { smallerLists } from '../replay/smaller-lists.ts'
import type { TestHistory } from './observation.ts'

/** Progress of the search for the causes of a test's failures. */
export interface FailureSearch {
  readonly history: TestHistory
  /** Smallest sets of gap values that make the test fail. */
  readonly causes: readonly Configuration[]
  /** Rows to run next; empty if all failures are explained. */
  readonly probes: readonly Configuration[]
  /** Number of candidates: values, or pairs of values, that aren't ruled out. */
  readonly candidates: number
}

/** Maximum number of pairs that are tried one by one; if there are more, runs rule out several at once. */
const maxPairs = 6

/** Number of rows after which a search proposes no more for the next round. */
const probesAtOnce = 4

/** Number of pairs that are tried at once. */
const pairsAtOnce = 2

/**
 * Finds the gap values that make a test fail: one value of a failing row that no passing row has, else two of them,
 * else what delta debugging leaves. Returns the rows to run next for failures that aren't explained yet.
 */
export function isolateFailure(history: TestHistory): FailureSearch {
  // A test that fails at the baseline values doesn't fail because of a gap value.
  if (history.failsAsUsual) return { history, causes: [], probes: [], candidates: 0 }
  const causes: Configuration[] = []
  const probes: Configuration[] = []
  let candidates = 0
  for (const { row } of history.failed) {
    // A cause, or a probe that runs anyway, may explain this row as well.
    if ([...causes, ...probes].some((part) => hasAll(row, part))) continue
    const found = new Search(history, causes, row).next()
    if ('cause' in found) {
      causes.push(found.cause)
    } else {
      probes.push(...found.probes)
      candidates = Math.max(candidates, found.candidates)
    }
    if (probes.length >= probesAtOnce) break
  }
  // More probes of a flaky test would only find chance failures.
  if (history.isUnsteady) return { history, causes, probes: [], candidates: 0 }
  if (probes.length > 0) return { history, causes, probes, candidates }
  return { history, causes, probes: necessity(history, causes), candidates: 1 }
}

/** Returns the rows that show whether the test passes without a cause, in a row in which it failed. */
function necessity(
  history: TestHistory,
  causes: readonly Configuration[],
): readonly Configuration[] {
  const all = causes.flat()
  const probes: Configuration[] = []
  for (const cause of causes) {
    const rests = history.failed
      .filter(({ row }) => hasAll(row, cause) && row.length > cause.length)
      .map(({ row }) => without(row, all))
    const isShown = rests.length === 0 || rests.some((rest) => history.hasPassed(rest))
    if (!isShown) probes.push(...rests.slice(-1))
  }
  return probes
}

type Step =
  | { readonly cause: Configuration }
  | { readonly probes: readonly Configuration[]; readonly candidates: number }

/** Search for the cause in one failing row. */
class Search {
  readonly #history: TestHistory
  readonly #row: Configuration
  /** Failing rows that no known cause explains. */
  readonly #open: readonly Configuration[]

  constructor(history: TestHistory, causes: readonly Configuration[], row: Configuration) {
    this.#history = history
    this.#row = row
    this.#open = history.failed
      .map((one) => one.row)
      .filter((one) => !causes.some((cause) => hasAll(one, cause)))
  }

  next(): Step {
    const row = this.#row
    if (row.length <= 1) return this.#confirm(row)
    const singles = this.#candidates(row.map((one) => [one]))
    const [only] = singles
    if (only !== undefined && singles.length === 1)
      return { probes: this.#proofOf(only), candidates: 1 }
    if (singles.length > 0) {
      const half = configurationOf(singles.slice(0, Math.ceil(singles.length / 2)).flat())
      // If the values of the half have no effect, its pass rules out none of them.
      const isKnown = this.#history.hasPassed(half)
      return { probes: [isKnown ? half.slice(0, 1) : half], candidates: singles.length }
    }
    const pairs = this.#candidates(pairsOf(row))
    const [pair, ...others] = pairs
    if (pair !== undefined && row.length > 2 && pairs.length <= maxPairs) {
      const probes = [...this.#proofOf(pair), ...others.slice(0, pairsAtOnce - 1)]
      return { probes, candidates: pairs.length }
    }
    const search = smallerLists(row)
    let next = search.next()
    while (!next.done) {
      const fails = this.#fails(next.value)
      if (fails === undefined)
        return { probes: [configurationOf(next.value)], candidates: row.length }
      next = search.next(fails)
    }
    return this.#confirm(configurationOf(next.value))
  }

  /** Confirms a cause: the test fails with it twice, and passes without any one of its values. */
  #confirm(part: Configuration): Step {
    const history = this.#history
    const open = this.#openOf([part, ...this.#partsOf(part)])
    if (open.length > 0) return { probes: open, candidates: 1 }
    return history.failuresWith(part) < 2 ? { probes: [part], candidates: 1 } : { cause: part }
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
      .filter((smaller) => !this.#history.passesWith(smaller))
  }

  /** Returns the rows that haven't run. */
  #openOf(rows: readonly Configuration[]): Configuration[] {
    return rows.filter((row) => !this.#history.hasFailed(row) && !this.#history.hasPassed(row))
  }

  #fails(part: Configuration): boolean | undefined {
    if (part.length === 0 || this.#history.passesWith(part)) return false
    return this.#open.some((row) => hasAll(part, row)) ? true : undefined
  }

  /** Returns the candidates that no passing row rules out, the likeliest first. */
  #candidates(parts: readonly Configuration[]): Configuration[] {
    const failures = (part: Configuration): number =>
      this.#open.filter((row) => hasAll(row, part)).length
    return parts
      .filter((part) => !this.#history.passesWith(part))
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
export function confirmationRuns(searches: readonly FailureSearch[]): readonly Configuration[] {
  const found = searches.filter(({ causes }) => causes.length > 0)
  const rows: Configuration[] = []
  for (const one of found) {
    const { history, causes } = one
    for (const cause of causes) {
      // A cause that only makes the client wait longer needs no confirmation.
      if (history.isSlowedBy(cause, causes)) continue
      if (provenBy(cause, found, history) >= failuresNeeded(one, cause)) continue
      // If the test passed with it alongside other values, those interfered: the cause gets a row of its own.
      const place = history.hasPassedWith(cause)
        ? -1
        : rows.findIndex((row) => fits(cause, row, one))
      const [row = []] = place < 0 ? [] : rows.splice(place, 1)
      rows.push(configurationOf([...row, ...cause]))
    }
  }
  const isBaselineDue = found.some((one) => one.history.baselinePasses < neededOf(one).passes)
  return isBaselineDue ? [[], ...rows] : rows
}

/** Returns the causes that aren't chance: if the test is flaky, those with which it has failed repeatedly. */
export function confirmed(
  found: FailureSearch,
  searches: readonly FailureSearch[],
): readonly Configuration[] {
  const { history, causes } = found
  if (!history.isUnsteady) return causes
  return causes.filter((one) => provenBy(one, searches, history) >= failuresNeeded(found, one))
}

/** Number of values beyond which a cause needs no more failures, as the runs of a row are limited. */
const maxChoicesProved = 6

function neededOf({ history }: FailureSearch): { failures: number; passes: number } {
  if (history.isUnsteady) return enough.flaky
  return history.isTraced ? enough.traced : enough.steady
}

/** Returns the number of failures that confirm a cause; large causes need more, as a chance failure leaves them. */
function failuresNeeded(one: FailureSearch, cause: Configuration): number {
  return Math.max(neededOf(one).failures, Math.min(cause.length, maxChoicesProved))
}

/** Returns the number of rows with only causes in which a test has failed with this one. */
function provenBy(
  cause: Configuration,
  searches: readonly FailureSearch[],
  { failed }: TestHistory,
): number {
  const dependent = searches.flatMap(({ causes }) => causes.flat())
  return failed.filter(({ row }) => hasAll(row, cause) && hasAll(dependent, row)).length
}

/** Whether a row can contain this cause without containing another one of the same test. */
function fits(cause: Configuration, row: Configuration, { causes }: FailureSearch): boolean {
  if (row.some(({ gap }) => cause.some((one) => one.gap === gap))) return false
  const both = [...row, ...cause]
  return !causes.some((other) => other !== cause && hasAll(both, other))
}
