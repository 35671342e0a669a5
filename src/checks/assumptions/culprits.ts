import { hasAll, type Row, rowOf, without } from '../replay/choices.ts'
import { smallerLists } from '../replay/smaller-lists.ts'
import type { Evidence } from './observation.ts'

/** What is known of why a test fails. */
export interface Hunt {
  readonly evidence: Evidence
  /** The smallest sets of choices that make it fail. */
  readonly culprits: readonly Row[]
  /** The rows that would tell most about what isn't known yet; none if all is. */
  readonly probes: readonly Row[]
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
export function hunt(evidence: Evidence): Hunt {
  // No choice is to blame for what happens without any.
  if (evidence.failsAsUsual) return { evidence, culprits: [], probes: [], suspects: 0 }
  const culprits: Row[] = []
  const probes: Row[] = []
  let suspects = 0
  for (const { row } of evidence.failed) {
    // What is found out anyway may explain this row, too.
    if ([...culprits, ...probes].some((part) => hasAll(row, part))) continue
    const found = new Search(evidence, culprits, row).next()
    if ('culprit' in found) {
      culprits.push(found.culprit)
    } else {
      probes.push(...found.probes)
      suspects = Math.max(suspects, found.suspects)
    }
    if (probes.length >= probesAtOnce) break
  }
  // What a flaky test is asked further would find more and more that is chance.
  if (evidence.isUnsteady) return { evidence, culprits, probes: [], suspects: 0 }
  if (probes.length > 0) return { evidence, culprits, probes, suspects }
  return { evidence, culprits, probes: necessity(evidence, culprits), suspects: 1 }
}

/** The rows that show whether a test passes once a culprit is taken out of a row in which it failed. */
function necessity(evidence: Evidence, culprits: readonly Row[]): readonly Row[] {
  const all = culprits.flat()
  const probes: Row[] = []
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
  | { readonly culprit: Row }
  | { readonly probes: readonly Row[]; readonly suspects: number }

/** A search for the culprit in one failing row. */
class Search {
  readonly #evidence: Evidence
  readonly #row: Row
  /** The failing rows that no known culprit explains. */
  readonly #open: readonly Row[]

  constructor(evidence: Evidence, culprits: readonly Row[], row: Row) {
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
      const half = rowOf(singles.slice(0, Math.ceil(singles.length / 2)).flat())
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
      if (fails === undefined) return { probes: [rowOf(next.value)], suspects: row.length }
      next = search.next(fails)
    }
    return this.#confirm(rowOf(next.value))
  }

  /** Makes sure of what was found: it fails twice, and passes with any of its choices left out. */
  #confirm(part: Row): Step {
    const evidence = this.#evidence
    const open = this.#openOf([part, ...this.#partsOf(part)])
    if (open.length > 0) return { probes: open, suspects: 1 }
    return evidence.failuresWith(part) < 2 ? { probes: [part], suspects: 1 } : { culprit: part }
  }

  /** The rows that prove a suspect guilty, or clear it: it alone, all of its parts, and the row without it. */
  #proofOf(part: Row): Row[] {
    const rest = without(this.#row, part)
    return this.#openOf([part, ...this.#partsOf(part), ...(rest.length > 0 ? [rest] : [])])
  }

  /** A set without each of its choices, as far as no passing row shows that it passes so. */
  #partsOf(part: Row): Row[] {
    if (part.length === 1) return []
    return part
      .map((one) => without(part, [one]))
      .filter((smaller) => !this.#evidence.clears(smaller))
  }

  /** The rows that haven't run. */
  #openOf(rows: readonly Row[]): Row[] {
    return rows.filter((row) => !this.#evidence.hasFailed(row) && !this.#evidence.hasPassed(row))
  }

  #fails(part: Row): boolean | undefined {
    if (part.length === 0 || this.#evidence.clears(part)) return false
    return this.#open.some((row) => hasAll(part, row)) ? true : undefined
  }

  /** Those that nothing clears, the likeliest first. */
  #suspects(parts: readonly Row[]): Row[] {
    const failures = (part: Row): number => this.#open.filter((row) => hasAll(row, part)).length
    return parts
      .filter((part) => !this.#evidence.clears(part))
      .map((part) => ({ part, count: failures(part) }))
      .sort((one, other) => other.count - one.count)
      .map(({ part }) => part)
  }
}

function pairsOf(row: Row): Row[] {
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
export function doubts(hunts: readonly Hunt[]): readonly Row[] {
  const found = hunts.filter(({ culprits }) => culprits.length > 0)
  const rows: Row[] = []
  for (const one of found) {
    const { evidence, culprits } = one
    for (const culprit of culprits) {
      // What is merely slower needs no proof.
      if (evidence.isSlowedBy(culprit, culprits)) continue
      if (provenBy(culprit, found, evidence) >= failuresNeeded(one, culprit)) continue
      // Where others stood beside it, and the test passed, they were in its way.
      const place = evidence.hasPassedWith(culprit)
        ? -1
        : rows.findIndex((row) => fits(culprit, row, one))
      const [row = []] = place < 0 ? [] : rows.splice(place, 1)
      rows.push(rowOf([...row, ...culprit]))
    }
  }
  const isBaselineDue = found.some((one) => one.evidence.baselinePasses < neededOf(one).passes)
  return isBaselineDue ? [[], ...rows] : rows
}

/** The culprits that aren't chance: of a flaky test those with which it has failed over and over. */
export function beyondDoubt(found: Hunt, hunts: readonly Hunt[]): readonly Row[] {
  const { evidence, culprits } = found
  if (!evidence.isUnsteady) return culprits
  return culprits.filter((one) => provenBy(one, hunts, evidence) >= failuresNeeded(found, one))
}

/** Number of choices beyond which a culprit needs no more failures: a row runs at most so often. */
const mostChoicesProved = 6

function neededOf({ evidence }: Hunt): { failures: number; passes: number } {
  if (evidence.isUnsteady) return enough.flaky
  return evidence.isTraced ? enough.traced : enough.steady
}

/** Number of failures that prove a culprit. One of many choices is what is left where a test fails by chance. */
function failuresNeeded(one: Hunt, culprit: Row): number {
  return Math.max(neededOf(one).failures, Math.min(culprit.length, mostChoicesProved))
}

/** In how many rows that have nothing but culprits a test has failed with one of them. */
function provenBy(culprit: Row, hunts: readonly Hunt[], { failed }: Evidence): number {
  const guilty = hunts.flatMap(({ culprits }) => culprits.flat())
  return failed.filter(({ row }) => hasAll(row, culprit) && hasAll(guilty, row)).length
}

/** Whether a row can have a culprit, too, and no other one of the same test. */
function fits(culprit: Row, row: Row, { culprits }: Hunt): boolean {
  if (row.some(({ gap }) => culprit.some((one) => one.gap === gap))) return false
  const both = [...row, ...culprit]
  return !culprits.some((other) => other !== culprit && hasAll(both, other))
}
