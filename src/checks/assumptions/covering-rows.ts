import type { GapName } from '../../mock/api/gaps.ts'
import { grouped } from '../../mock/input/record.ts'
import { Random } from '../../mock/state/random.ts'
import { type Configuration, configurationOf, type GapValue, hasAll } from '../replay/choices.ts'

/** Options of a covering array. */
interface CoveringOptions {
  /** Gap values that rows may contain; a row may also leave each gap at its baseline value. */
  readonly choices: readonly GapValue[]
  /** Number of gaps whose values are combined with each other. */
  readonly strength: 1 | 2 | 3
  /** Random seed: the same seed returns the same rows. */
  readonly seed: number
  /** Rows that have run already; their combinations count as covered. */
  readonly tried?: readonly Configuration[]
  /** Causes of known failures: rows that contain one cover nothing. */
  readonly causes?: readonly Configuration[]
  /** Whether the values of these gaps are to be combined; all by default. */
  readonly isWanted?: (gaps: readonly GapName[]) => boolean
}

/** Number of candidates for each row, and number of attempts at the whole array, by strength. */
const efforts = {
  1: { candidates: 5, attempts: 1 },
  2: { candidates: 5, attempts: 20 },
  3: { candidates: 4, attempts: 2 },
} as const

/**
 * Creates rows that contain each combination of values at some gaps at least once: a covering array. Each row is the
 * candidate that covers most new combinations, as in AETG; the attempt with the fewest rows wins.
 */
export function coveringRows(options: CoveringOptions): Configuration[] {
  const random = new Random(options.seed)
  const attempts = Array.from({ length: efforts[options.strength].attempts }, () =>
    new Attempt(options, random).rows(),
  )
  return attempts.reduce((best, rows) => (rows.length < best.length ? rows : best))
}

/** Gap and value by index; level 0 is the baseline value. */
interface Part {
  readonly gap: number
  readonly level: number
}

/** Value indexes of a row, by gap; `undefined` if the gap has no value yet. */
type Levels = (number | undefined)[]

/** Gaps to combine, by index, and the index of this combination. */
interface Combination {
  readonly gaps: readonly number[]
  readonly number: number
}

class Attempt {
  /** Values at each gap. */
  readonly #gaps: readonly (readonly GapValue[])[]
  readonly #causes: readonly (readonly Part[])[]
  readonly #combinations: readonly Combination[]
  /** Combinations that include each gap. */
  readonly #having: readonly (readonly Combination[])[]
  /** Uncovered combinations of values by key, without those that contain a known cause. */
  readonly #open = new Map<number, readonly Part[]>()
  readonly #candidates: number
  readonly #random: Random

  constructor(options: CoveringOptions, random: Random) {
    const { choices, strength, tried = [], causes = [], isWanted = () => true } = options
    this.#random = random
    this.#candidates = efforts[strength].candidates
    const byGap = grouped(choices, ({ gap }) => gap)
    const names = [...byGap.keys()]
    this.#gaps = [...byGap.values()]
    this.#causes = causes
      .filter((row) => hasAll(choices, row))
      .map((row) => this.#partsOf(row).filter(({ level }) => level > 0))
    this.#combinations = combinationsOf([...names.keys()], Math.min(strength, names.length))
      .filter((gaps) => gaps.length > 0 && isWanted(gaps.flatMap((gap) => names[gap] ?? [])))
      .map((gaps, number) => ({ gaps, number }))
    this.#having = names.map((_, gap) =>
      this.#combinations.filter(({ gaps }) => gaps.includes(gap)),
    )
    for (const one of this.#combinations) {
      for (const parts of this.#tuplesAt(one.gaps)) {
        const levels = levelsOf(parts)
        if (!this.#containsExcluded(levels)) this.#open.set(keyIn(one, levels), parts)
      }
    }
    for (const row of tried) this.#cover(levelsOf(this.#partsOf(row)))
  }

  rows(): Configuration[] {
    const rows: Configuration[] = []
    while (this.#open.size > 0) {
      const { levels } = this.#bestRow()
      this.#cover(levels)
      rows.push(
        configurationOf(levels.flatMap((level = 0, gap) => this.#gaps[gap]?.[level - 1] ?? [])),
      )
    }
    return rows
  }

  #bestRow() {
    const open = [...this.#open.values()]
    const found = Array.from({ length: this.#candidates }, () =>
      this.#greedyRow(pick(open, this.#random) ?? []),
    )
    return found.reduce((best, one) => (one.gain > best.gain ? one : best))
  }

  /** Extends an uncovered combination: sets the other gaps in random order, each to the value that covers most. */
  #greedyRow(first: readonly Part[]) {
    const levels = levelsOf(first)
    let gain = 1
    const rest = [...this.#gaps.keys()].filter((gap) => levels[gap] === undefined)
    for (const gap of shuffled(rest, this.#random)) {
      const gains = this.#levelsAt(gap).map((level) => {
        levels[gap] = level
        return this.#containsExcluded(levels) ? -1 : this.#gainAt(gap, levels)
      })
      const most = Math.max(...gains)
      const best = gains.flatMap((one, level) => (one === most ? [level] : []))
      levels[gap] = pick(best, this.#random)
      gain += most
    }
    return { levels, gain }
  }

  /** Returns the number of uncovered combinations that a row covers through its value at a gap. */
  #gainAt(gap: number, levels: Levels): number {
    let gain = 0
    for (const one of this.#having[gap] ?? []) if (this.#open.has(keyIn(one, levels))) gain++
    return gain
  }

  /** Counts a row's combinations as covered. */
  #cover(levels: Levels): void {
    if (this.#containsExcluded(levels)) return
    for (const one of this.#combinations) this.#open.delete(keyIn(one, levels))
  }

  #containsExcluded(levels: Levels): boolean {
    return this.#causes.some((cause) => cause.every(({ gap, level }) => levels[gap] === level))
  }

  #partsOf(row: Configuration): Part[] {
    return this.#gaps.map((choices, gap) => {
      return { gap, level: choices.findIndex((one) => hasAll(row, [one])) + 1 }
    })
  }

  #levelsAt(gap: number): readonly number[] {
    return [0, ...(this.#gaps[gap] ?? []).map((_, index) => index + 1)]
  }

  /** Lists all combinations of values at some gaps. */
  #tuplesAt([gap, ...others]: readonly number[]): (readonly Part[])[] {
    if (gap === undefined) return [[]]
    const rests = this.#tuplesAt(others)
    return this.#levelsAt(gap).flatMap((level) => rests.map((rest) => [{ gap, level }, ...rest]))
  }
}

/** Exceeds the number of values at any gap. */
const maxLevels = 64

/** Returns the key of a row's values at some gaps; `NaN`, which isn't a key, if a gap has no value yet. */
function keyIn({ gaps, number }: Combination, levels: Levels): number {
  return gaps.reduce((key, gap) => key * maxLevels + (levels[gap] ?? Number.NaN), number)
}

function levelsOf(parts: readonly Part[]): Levels {
  const levels: Levels = []
  for (const { gap, level } of parts) levels[gap] = level
  return levels
}

/** Lists all combinations of this many gaps. */
function combinationsOf(gaps: readonly number[], size: number): (readonly number[])[] {
  if (size === 0) return [[]]
  return gaps.flatMap((one, index) =>
    combinationsOf(gaps.slice(index + 1), size - 1).map((rest) => [one, ...rest]),
  )
}

function pick<Item>(items: readonly Item[], random: Random): Item | undefined {
  return items[random.next() % items.length]
}

function shuffled<Item>(items: readonly Item[], random: Random): Item[] {
  const keyed = items.map((item) => ({ item, key: random.next() }))
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item)
}
