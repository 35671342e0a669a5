import { Random } from '../../state/random.ts'
import { type Culprit, type Levels, noLevel, OpenTuples, type Part } from './open-tuples.ts'

/** What rows are to cover. */
export interface CoveringOptions {
  /** How many levels each factor has. */
  readonly levels: readonly number[]
  /** How many factors are to be seen together at each of their levels. */
  readonly strength: 1 | 2 | 3
  /** Repeats the same rows. */
  readonly seed: number
  /** Rows that cover something already. */
  readonly tried?: readonly Levels[]
  /** Levels that make a row worthless where they stand together. */
  readonly culprits?: readonly Culprit[]
  /** Whether some factors are to be seen together; all by default. */
  readonly isWanted?: (factors: readonly number[]) => boolean
}

/** How many rows are made for each that is taken, and how often all is done again, by strength. */
const efforts = {
  1: { candidates: 5, attempts: 1 },
  2: { candidates: 5, attempts: 20 },
  3: { candidates: 4, attempts: 2 },
} as const

/**
 * Makes rows in which each combination of levels of some factors stands at least once: a covering array. One row after
 * the other has as much that is new as can be found, as AETG does; of some attempts, the one with the fewest rows counts.
 */
export function coveringRows(options: CoveringOptions): Levels[] {
  const { strength, seed } = options
  const random = new Random(seed)
  let best = attempt(options, random)
  for (let count = 1; count < efforts[strength].attempts; count++) {
    const rows = attempt(options, random)
    if (rows.length < best.length) best = rows
  }
  return best
}

function attempt(options: CoveringOptions, random: Random): Levels[] {
  const { levels, strength, tried = [], culprits = [], isWanted } = options
  const open = new OpenTuples(levels, strength, culprits, isWanted)
  for (const row of tried) open.cover(row)
  const rows: Levels[] = []
  while (!open.isEmpty) {
    const row = bestRow(open, { levels, count: efforts[strength].candidates, random })
    open.cover(row)
    rows.push(row)
  }
  return rows
}

interface Search {
  readonly levels: readonly number[]
  readonly count: number
  readonly random: Random
}

/** The best of some rows; it covers something new. */
function bestRow(open: OpenTuples, search: Search): Levels {
  const neediest = open.neediest()
  let best: { readonly row: Levels; readonly gain: number } | undefined
  for (let index = 0; index < search.count; index++) {
    const row = greedyRow(open, pick(neediest, search.random), search)
    const gain = open.gainOf(row)
    if (gain > (best?.gain ?? 0)) best = { row, gain }
  }
  return best?.row ?? open.plainRow()
}

/** Sets one factor after the other, in random order, to the level that adds most. */
function greedyRow(open: OpenTuples, first: Part | undefined, { levels, random }: Search): Levels {
  const row = levels.map(() => noLevel)
  if (first !== undefined) row[first.factor] = first.level
  const rest = levels.map((_, factor) => factor).filter((factor) => factor !== first?.factor)
  for (const factor of shuffled(rest, random)) {
    const gains = Array.from({ length: levels[factor] ?? 1 }, (_, level) => {
      row[factor] = level
      return open.gainAt(factor, row)
    })
    const most = Math.max(...gains)
    const best = gains.flatMap((gain, level) => (gain === most ? [level] : []))
    row[factor] = pick(best, random) ?? 0
  }
  return row
}

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[random.next() % items.length]
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random.next() }))
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
}
