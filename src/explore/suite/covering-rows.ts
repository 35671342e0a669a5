import type { GapName } from '../../contract/gaps.ts'
import { grouped } from '../../input/record.ts'
import { Random } from '../../state/random.ts'
import { choiceText, type GapChoice, type Row, rowOf } from '../choices.ts'

/** A level of a factor, by their numbers. */
interface Part {
  readonly factor: number
  readonly level: number
}

/** A row: a level for each factor; 0 is the baseline one. */
export type Levels = readonly number[]

/** Marks a factor of a row that has no level yet. */
const noLevel = -1

/** Levels that make a row worthless where they stand together. */
type Culprit = readonly Part[]

/** What rows are to cover. */
interface CoveringOptions {
  /** How many levels each factor has. */
  readonly levels: readonly number[]
  /** How many factors are to be seen together at each of their levels. */
  readonly strength: 1 | 2 | 3
  /** Repeats the same rows. */
  readonly seed: number
  /** Rows that cover something already. */
  readonly tried?: readonly Levels[]
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
  const { attempts } = efforts[options.strength]
  const random = new Random(options.seed)
  const found = Array.from({ length: attempts }, () => attempt(options, random))
  return found.reduce((best, rows) => (rows.length < best.length ? rows : best))
}

function attempt(options: CoveringOptions, random: Random): Levels[] {
  const open = new OpenTuples(options)
  const rows: Levels[] = []
  while (!open.isEmpty) {
    const row = bestRow(open, options, random)
    open.cover(row)
    rows.push(row)
  }
  return rows
}

/** The best of some rows; it covers something new. */
function bestRow(open: OpenTuples, { levels, strength }: CoveringOptions, random: Random): Levels {
  const neediest = open.neediest()
  let best: { readonly row: Levels; readonly gain: number } | undefined
  for (let index = 0; index < efforts[strength].candidates; index++) {
    const row = greedyRow(open, pick(neediest, random), levels, random)
    const gain = open.gainOf(row)
    if (gain > (best?.gain ?? 0)) best = { row, gain }
  }
  return best?.row ?? open.plainRow()
}

/** Sets one factor after the other, in random order, to the level that adds most. */
function greedyRow(
  open: OpenTuples,
  first: Part | undefined,
  levels: readonly number[],
  random: Random,
): Levels {
  const row = levels.map((_, factor) => (factor === first?.factor ? first.level : noLevel))
  const rest = [...levels.keys()].filter((factor) => factor !== first?.factor)
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

/** Some factors, and where their tuples of levels are. */
interface Combination {
  readonly factors: readonly number[]
  readonly start: number
  readonly size: number
}

/** The tuples of levels of some factors that no row has yet. Rows with a culprit don't count, and neither do its tuples. */
class OpenTuples {
  readonly #levels: readonly number[]
  readonly #culprits: readonly Culprit[]
  readonly #combinations: readonly Combination[]
  /** The combinations that each factor is in. */
  readonly #having: readonly (readonly Combination[])[]
  /** 1 for a tuple that is open. */
  readonly #open: Uint8Array

  constructor({ levels, strength, culprits = [], tried = [], isWanted }: CoveringOptions) {
    this.#levels = levels
    this.#culprits = culprits
    let start = 0
    this.#combinations = combinationsOf([...levels.keys()], Math.min(strength, levels.length)).map(
      (factors) => {
        const size = factors.reduce((product, factor) => product * this.#countOf(factor), 1)
        start += size
        return { factors, start: start - size, size }
      },
    )
    this.#having = levels.map((_, factor) =>
      this.#combinations.filter(({ factors }) => factors.includes(factor)),
    )
    this.#open = new Uint8Array(start).fill(1)
    for (const one of this.#combinations) {
      if (isWanted?.(one.factors) === false) this.#open.fill(0, one.start, one.start + one.size)
    }
    for (const { parts, place } of this.#tuples()) {
      if (this.#isSpoilt(this.#rowOf(parts, noLevel))) this.#open[place] = 0
    }
    for (const row of tried) this.cover(row)
  }

  get isEmpty(): boolean {
    return !this.#open.includes(1)
  }

  /** How many open tuples a row has. */
  gainOf(row: Levels): number {
    return this.#isSpoilt(row) ? 0 : this.#gainIn(this.#combinations, row)
  }

  /**
   * How many open tuples a level of a row is in; less than 0 if it spoils the row.
   *
   * @param row With that level; others may have none yet.
   */
  gainAt(factor: number, row: Levels): number {
    return this.#isSpoilt(row) ? -1 : this.#gainIn(this.#having[factor] ?? [], row)
  }

  /** Notes that there is a row. */
  cover(row: Levels): void {
    if (this.#isSpoilt(row)) return
    for (const one of this.#combinations) this.#open[this.#placeIn(one, row)] = 0
  }

  /** The levels that most open tuples have. */
  neediest(): readonly Part[] {
    const counts = this.#levels.map((count) => Array.from({ length: count }, () => 0))
    for (const { parts } of this.#tuples()) {
      for (const { factor, level } of parts) {
        const ofFactor = counts[factor] ?? []
        ofFactor[level] = (ofFactor[level] ?? 0) + 1
      }
    }
    const most = Math.max(...counts.flat())
    return counts.flatMap((ofFactor, factor) =>
      ofFactor.flatMap((count, level) => (count === most ? [{ factor, level }] : [])),
    )
  }

  /** A row with an open tuple, and baseline levels beside it. */
  plainRow(): Levels {
    for (const { parts } of this.#tuples()) return this.#rowOf(parts, 0)
    return []
  }

  #gainIn(combinations: readonly Combination[], row: Levels): number {
    let gain = 0
    for (const one of combinations) {
      const place = this.#placeIn(one, row)
      if (place >= 0) gain += this.#open[place] ?? 0
    }
    return gain
  }

  #isSpoilt(row: Levels): boolean {
    return this.#culprits.some((culprit) =>
      culprit.every(({ factor, level }) => row[factor] === level),
    )
  }

  /** Where the tuple of a row is; less than 0 where a factor has no level yet. */
  #placeIn({ factors, start }: Combination, row: Levels): number {
    let place = 0
    for (const factor of factors) {
      const level = row[factor] ?? 0
      if (level === noLevel) return -1
      place = place * this.#countOf(factor) + level
    }
    return start + place
  }

  /** All tuples that are open. */
  *#tuples(): Iterable<{ readonly parts: readonly Part[]; readonly place: number }> {
    for (const { factors, start, size } of this.#combinations) {
      for (let index = 0; index < size; index++) {
        if (this.#open[start + index] === 1) {
          yield { parts: this.#partsOf(factors, index), place: start + index }
        }
      }
    }
  }

  /** The levels of a tuple, by its number among those of its factors. */
  #partsOf(factors: readonly number[], index: number): Part[] {
    let rest = index
    return factors.toReversed().map((factor) => {
      const level = rest % this.#countOf(factor)
      rest = (rest - level) / this.#countOf(factor)
      return { factor, level }
    })
  }

  /** A row with some levels, and one at all other factors. */
  #rowOf(parts: readonly Part[], level: number): Levels {
    const row = this.#levels.map(() => level)
    for (const part of parts) row[part.factor] = part.level
    return row
  }

  #countOf(factor: number): number {
    return this.#levels[factor] ?? 1
  }
}

/** All combinations of so many factors. */
function combinationsOf(factors: readonly number[], size: number): (readonly number[])[] {
  if (size <= 1) return size === 1 ? factors.map((one) => [one]) : []
  return factors.flatMap((one, index) =>
    combinationsOf(factors.slice(index + 1), size - 1).map((rest) => [one, ...rest]),
  )
}

/** Choices as the levels of factors, one factor for each gap. */
export class Factors {
  readonly #byGap: ReadonlyMap<GapName, readonly GapChoice[]>
  readonly #gaps: readonly GapName[]

  constructor(choices: readonly GapChoice[]) {
    this.#byGap = grouped(choices, ({ gap }) => gap)
    this.#gaps = [...this.#byGap.keys()]
  }

  /** What tells these factors from others. */
  get names(): readonly string[] {
    return [...this.#byGap.values()].flat().map(choiceText)
  }

  /** How many levels each has, with the baseline one. */
  get counts(): readonly number[] {
    return [...this.#byGap.values()].map(({ length }) => length + 1)
  }

  /** Whether some factors, by their numbers, are all at some gaps. */
  areAt(factors: readonly number[], gaps: ReadonlySet<GapName>): boolean {
    return this.#gaps.every((gap, factor) => !factors.includes(factor) || gaps.has(gap))
  }

  levelsOf(row: Row): Levels {
    return [...this.#byGap].map(([gap, choices]) => {
      const own = row.find((one) => one.gap === gap)
      return choices.findIndex((one) => one.choice === own?.choice) + 1
    })
  }

  rowOf(levels: Levels): Row {
    const choices = [...this.#byGap.values()]
    return rowOf(levels.flatMap((level, index) => choices[index]?.[level - 1] ?? []))
  }

  partsOf(culprits: readonly Row[]): Culprit[] {
    return culprits.map((row) => {
      const levels = this.levelsOf(row)
      return row.map(({ gap }) => {
        const factor = this.#gaps.indexOf(gap)
        return { factor, level: levels[factor] ?? 0 }
      })
    })
  }
}
