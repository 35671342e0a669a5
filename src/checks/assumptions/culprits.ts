import { type Configuration, configurationOf, hasAll, without } from '../replay/choices.ts'
import { smallerLists } from '../replay/smaller-lists.ts'
import type { TestHistory } from './observation.ts'

/** What is known of why a test fails. */
export interface FailureSearch {
  readonly evidence: TestHistory
  /** The smallest sets of choices that make it fail. */
  readonly causes: readonly Configuration[]
  /** The rows that would tell most about what isn't known yet; none if all is. */
  readonly probes: readonly Configuration[]
  /** How many choices, or pairs of them, are under suspicion. */
  readonly suspects: number
}

/** How many pairs are tried one by one; of more, some are ruled out at once. */
const mostPairs = 6

/** How many rows are asked for at once. */
const probesAtOnce = 4

/** How many pairs are tried at once. */
const pairsAtOnce = 2

/**
 * Finds the choices that make a test fail: those of a failing row that no passing row has, one alone if there is one,
 * else two of them, else what delta debugging leaves. What isn't known yet is asked for.
 */
export function isolateFailure(evidence: TestHistory): FailureSearch {
  // No choice is to blame for what happens without any.
  if (evidence.failsAsUsual) return { evidence, causes: [], probes: [], suspects: 0 }
  const causes: Configuration[] = []
  const probes: Configuration[] = []
  let suspects = 0
  for (const { row } of evidence.failed) {
    // What is found out anyway may explain this row, too.
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
  // What a flaky test is asked further would find more and more that is chance.
  if (evidence.isUnsteady) return { evidence, causes, probes: [], suspects: 0 }
  if (probes.length > 0) return { evidence, causes, probes, suspects }
  return { evidence, causes, probes: necessity(evidence, causes), suspects: 1 }
}

/** The rows that show whether a test passes once a culprit is taken out of a row in which it failed. */
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

/** A search for the culprit in one failing row. */
class Search {
  readonly #evidence: TestHistory
  readonly #row: Configuration
  /** The failing rows that no known culprit explains. */
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
      // Nothing was cleared by that where its choices had no effect.
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

  /** Makes sure of what was found: it fails twice, and passes with any of its choices left out. */
  #confirm(part: Configuration): Step {
    const evidence = this.#evidence
    const open = this.#openOf([part, ...this.#partsOf(part)])
    if (open.length > 0) return { probes: open, suspects: 1 }
    return evidence.failuresWith(part) < 2 ? { probes: [part], suspects: 1 } : { culprit: part }
  }

  /** The rows that prove a suspect guilty, or clear it: it alone, all of its parts, and the row without it. */
  #proofOf(part: Configuration): Configuration[] {
    const rest = without(this.#row, part)
    return this.#openOf([part, ...this.#partsOf(part), ...(rest.length > 0 ? [rest] : [])])
  }

  /** A set without each of its choices, as far as no passing row shows that it passes so. */
  #partsOf(part: Configuration): Configuration[] {
    if (part.length === 1) return []
    return part
      .map((one) => without(part, [one]))
      .filter((smaller) => !this.#evidence.passesWith(smaller))
  }

  /** The rows that haven't run. */
  #openOf(rows: readonly Configuration[]): Configuration[] {
    return rows.filter((row) => !this.#evidence.hasFailed(row) && !this.#evidence.hasPassed(row))
  }

  #fails(part: Configuration): boolean | undefined {
    if (part.length === 0 || this.#evidence.passesWith(part)) return false
    return this.#open.some((row) => hasAll(part, row)) ? true : undefined
  }

  /** Those that nothing clears, the likeliest first. */
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
 * How often a test has to fail under nothing but what was found, and to pass at the baseline choices, before that isn't
 * chance.
 */
const enough = {
  steady: { failures: 3, passes: 3 },
  /** Of a test of which it is known which choices changed its replies. */
  traced: { failures: 2, passes: 2 },
  flaky: { failures: 6, passes: 7 },
} as const

/**
 * The rows that show whether tests fail by what was found, or by chance: a flaky test may fail twice where it looks as if a
 * choice were to blame. One row does for the culprits of several tests.
 */
export function confirmationRuns(hunts: readonly FailureSearch[]): readonly Configuration[] {
  const found = hunts.filter(({ causes }) => causes.length > 0)
  const rows: Configuration[] = []
  for (const one of found) {
    const { evidence, causes } = one
    for (const culprit of causes) {
      // What is merely slower needs no proof.
      if (evidence.isSlowedBy(culprit, causes)) continue
      if (provenBy(culprit, found, evidence) >= failuresNeeded(one, culprit)) continue
      // Where others stood beside it, and the test passed, they were in its way.
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

/** The culprits that aren't chance: of a flaky test those with which it has failed over and over. */
export function confirmed(
  found: FailureSearch,
  hunts: readonly FailureSearch[],
): readonly Configuration[] {
  const { evidence, causes } = found
  if (!evidence.isUnsteady) return causes
  return causes.filter((one) => provenBy(one, hunts, evidence) >= failuresNeeded(found, one))
}

/** Number of choices beyond which a culprit needs no more failures: a row runs at most so often. */
const mostChoicesProved = 6

function neededOf({ evidence }: FailureSearch): { failures: number; passes: number } {
  if (evidence.isUnsteady) return enough.flaky
  return evidence.isTraced ? enough.traced : enough.steady
}

/** Number of failures that prove a culprit. One of many choices is what is left where a test fails by chance. */
function failuresNeeded(one: FailureSearch, culprit: Configuration): number {
  return Math.max(neededOf(one).failures, Math.min(culprit.length, mostChoicesProved))
}

/** In how many rows that have nothing but culprits a test has failed with one of them. */
function provenBy(
  culprit: Configuration,
  hunts: readonly FailureSearch[],
  { failed }: TestHistory,
): number {
  const guilty = hunts.flatMap(({ causes }) => causes.flat())
  return failed.filter(({ row }) => hasAll(row, culprit) && hasAll(guilty, row)).length
}

/** Whether a row can have a culprit, too, and no other one of the same test. */
function fits(culprit: Configuration, row: Configuration, { causes }: FailureSearch): boolean {
  if (row.some(({ gap }) => culprit.some((one) => one.gap === gap))) return false
  const both = [...row, ...culprit]
  return !causes.some((other) => other !== culprit && hasAll(both, other))
}
