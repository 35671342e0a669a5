import { grouped } from '../../mock/input/record.ts'
import type { GapName } from '../../mock/spec/gaps.ts'
import { Random } from '../../mock/state/random.ts'
import { type Configuration, configurationOf, type GapValue, hasAll } from '../replay/choices.ts'

/** What rows are to cover. */
interface CoveringOptions {
  /** What may stand in them; at each gap also the baseline choice. */
  readonly choices: readonly GapValue[]
  /** How many gaps are to be seen together at each of their choices. */
  readonly strength: 1 | 2 | 3
  /** Repeats the same rows. */
  readonly seed: number
  /** Rows that cover something already. */
  readonly tried?: readonly Configuration[]
  /** Choices that make a row worthless where they stand together. */
  readonly culprits?: readonly Configuration[]
  /** Whether some gaps are to be seen together; all by default. */
  readonly isWanted?: (gaps: readonly GapName[]) => boolean
}

/** How many rows are made for each that is taken, and how often all is done again, by strength. */
const efforts = {
  1: { candidates: 5, attempts: 1 },
  2: { candidates: 5, attempts: 20 },
  3: { candidates: 4, attempts: 2 },
} as const

/**
 * Makes rows in which each combination of choices at some gaps stands at least once: a covering array. One row after the
 * other has as much that is new as can be found, as AETG does; of some attempts, the one with the fewest rows counts.
 */
export function coveringRows(options: CoveringOptions): Configuration[] {
  const random = new Random(options.seed)
  const attempts = Array.from({ length: efforts[options.strength].attempts }, () =>
    new Attempt(options, random).rows(),
  )
  return attempts.reduce((best, rows) => (rows.length < best.length ? rows : best))
}

/** A choice by its number at its gap, where 0 is the baseline one, and the gap by its number. */
interface Part {
  readonly gap: number
  readonly level: number
}

/** The numbers of a row's choices, by gap; `undefined` where there is none yet. */
type Levels = (number | undefined)[]

/** Some gaps, by their numbers, and their own number among those that are to be seen together. */
interface Combination {
  readonly gaps: readonly number[]
  readonly number: number
}

class Attempt {
  /** The choices at each gap. */
  readonly #gaps: readonly (readonly GapValue[])[]
  readonly #culprits: readonly (readonly Part[])[]
  readonly #combinations: readonly Combination[]
  /** The combinations that each gap is in. */
  readonly #having: readonly (readonly Combination[])[]
  /** What no row has yet, by its key. Rows with a culprit don't count, and nothing with a culprit is wanted. */
  readonly #open = new Map<number, readonly Part[]>()
  readonly #candidates: number
  readonly #random: Random

  constructor(options: CoveringOptions, random: Random) {
    const { choices, strength, tried = [], culprits = [], isWanted = () => true } = options
    this.#random = random
    this.#candidates = efforts[strength].candidates
    const byGap = grouped(choices, ({ gap }) => gap)
    const names = [...byGap.keys()]
    this.#gaps = [...byGap.values()]
    this.#culprits = culprits
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
        if (!this.#isSpoilt(levels)) this.#open.set(keyIn(one, levels), parts)
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

  /** Goes on from something that is open: sets one gap after the other, in random order, to the choice that adds most. */
  #greedyRow(first: readonly Part[]) {
    const levels = levelsOf(first)
    let gain = 1
    const rest = [...this.#gaps.keys()].filter((gap) => levels[gap] === undefined)
    for (const gap of shuffled(rest, this.#random)) {
      const gains = this.#levelsAt(gap).map((level) => {
        levels[gap] = level
        return this.#isSpoilt(levels) ? -1 : this.#gainAt(gap, levels)
      })
      const most = Math.max(...gains)
      const best = gains.flatMap((one, level) => (one === most ? [level] : []))
      levels[gap] = pick(best, this.#random)
      gain += most
    }
    return { levels, gain }
  }

  /** How much that is open a row has through its choice at a gap. */
  #gainAt(gap: number, levels: Levels): number {
    let gain = 0
    for (const one of this.#having[gap] ?? []) if (this.#open.has(keyIn(one, levels))) gain++
    return gain
  }

  /** Notes that a row exists. */
  #cover(levels: Levels): void {
    if (this.#isSpoilt(levels)) return
    for (const one of this.#combinations) this.#open.delete(keyIn(one, levels))
  }

  #isSpoilt(levels: Levels): boolean {
    return this.#culprits.some((culprit) =>
      culprit.every(({ gap, level }) => levels[gap] === level),
    )
  }

  #partsOf(row: Configuration): Part[] {
    return this.#gaps.map((choices, gap) => {
      return { gap, level: choices.findIndex((one) => hasAll(row, [one])) + 1 }
    })
  }

  #levelsAt(gap: number): readonly number[] {
    return [0, ...(this.#gaps[gap] ?? []).map((_, index) => index + 1)]
  }

  /** All that can stand together at some gaps. */
  #tuplesAt([gap, ...others]: readonly number[]): (readonly Part[])[] {
    if (gap === undefined) return [[]]
    const rests = this.#tuplesAt(others)
    return this.#levelsAt(gap).flatMap((level) => rests.map((rest) => [{ gap, level }, ...rest]))
  }
}

/** More choices than any gap has. */
const mostLevels = 64

/** A number for the choices of a row at some gaps; NaN, which is not a key, where one has none yet. */
function keyIn({ gaps, number }: Combination, levels: Levels): number {
  return gaps.reduce((key, gap) => key * mostLevels + (levels[gap] ?? Number.NaN), number)
}

function levelsOf(parts: readonly Part[]): Levels {
  const levels: Levels = []
  for (const { gap, level } of parts) levels[gap] = level
  return levels
}

/** All combinations of so many gaps. */
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
