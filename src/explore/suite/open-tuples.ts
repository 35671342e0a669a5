/** A level of a factor, by their numbers. */
export interface Part {
  readonly factor: number
  readonly level: number
}

/** A row: a level for each factor; 0 is the usual one. */
export type Levels = readonly number[]

/** Marks a factor of a row that has no level yet. */
export const noLevel = -1

/** Levels that spoil a row together. */
export type Culprit = readonly Part[]

/** Some factors, and where their tuples are. */
interface Combination {
  readonly factors: readonly number[]
  readonly start: number
  readonly size: number
}

/** The tuples of levels of some factors that no row has yet. Rows with a culprit don't count, and neither do its tuples. */
export class OpenTuples {
  readonly #levels: readonly number[]
  readonly #strength: number
  readonly #culprits: readonly Culprit[]
  readonly #factors: readonly number[]
  readonly #combinations: readonly Combination[]
  /** Where the tuples of some factors begin, by the factors. */
  readonly #starts: Int32Array
  /** 1 for a tuple that is open. */
  readonly #open: Uint8Array

  /**
   * @param levels How many levels each factor has.
   * @param strength How many factors make a tuple, at most 3.
   * @param isWanted Whether the tuples of some factors count.
   */
  constructor(
    levels: readonly number[],
    strength: number,
    culprits: readonly Culprit[],
    isWanted: (factors: readonly number[]) => boolean = () => true,
  ) {
    this.#levels = levels
    this.#strength = Math.min(strength, levels.length)
    this.#culprits = culprits
    this.#factors = levels.map((_, factor) => factor)
    this.#starts = new Int32Array(levels.length ** this.#strength)
    const combinations: Combination[] = []
    let start = 0
    for (const factors of combinationsOf(this.#factors, this.#strength, 0)) {
      const size = factors.reduce((product, factor) => product * this.#countOf(factor), 1)
      const index = factors.reduce((place, factor) => place * levels.length + factor, 0)
      this.#starts[index] = start
      combinations.push({ factors, start, size })
      start += size
    }
    this.#combinations = combinations
    this.#open = new Uint8Array(start).fill(1)
    for (const { factors, start: from, size } of combinations) {
      if (!isWanted(factors)) this.#open.fill(0, from, from + size)
    }
    if (culprits.length > 0) this.#closeSpoilt()
  }

  get isEmpty(): boolean {
    return !this.#open.includes(1)
  }

  /** How many open tuples a row has. */
  gainOf(row: Levels): number {
    if (this.#isSpoilt(row)) return 0
    let gain = 0
    for (const one of this.#combinations) gain += this.#open[this.#placeIn(one, row)] ?? 0
    return gain
  }

  /** Notes that there is a row. */
  cover(row: Levels): void {
    if (this.#isSpoilt(row)) return
    for (const one of this.#combinations) this.#open[this.#placeIn(one, row)] = 0
  }

  /**
   * How many open tuples a level of a row is in; less than 0 if it spoils the row.
   *
   * @param row With that level; others may have none yet.
   */
  gainAt(factor: number, row: Levels): number {
    if (this.#isSpoilt(row)) return -1
    if (this.#strength === 1) {
      return this.#open[(this.#starts[factor] ?? 0) + (row[factor] ?? 0)] ?? 0
    }
    return this.#strength === 2 ? this.#gainOfPairs(factor, row) : this.#gainOfTriples(factor, row)
  }

  /** The levels that most open tuples have. */
  neediest(): readonly Part[] {
    const counts = this.#levels.map((count) => Array.from({ length: count }, () => 0))
    this.#eachOpen(({ factors }, index) => {
      let rest = index
      for (let at = factors.length - 1; at >= 0; at--) {
        const factor = factors[at] ?? 0
        const count = this.#countOf(factor)
        const ofFactor = counts[factor]
        const level = rest % count
        if (ofFactor !== undefined) ofFactor[level] = (ofFactor[level] ?? 0) + 1
        rest = (rest - level) / count
      }
    })
    const most = Math.max(...counts.flat())
    return counts.flatMap((ofFactor, factor) =>
      ofFactor.flatMap((count, level) => (count === most ? [{ factor, level }] : [])),
    )
  }

  /** A row with an open tuple, and usual levels beside it. */
  plainRow(): Levels {
    let found: Levels = []
    this.#eachOpen((combination, index) => {
      if (found.length === 0) found = this.#rowOf(combination, index, 0)
    })
    return found
  }

  #closeSpoilt(): void {
    this.#eachOpen((combination, index) => {
      const row = this.#rowOf(combination, index, noLevel)
      if (this.#isSpoilt(row)) this.#open[combination.start + index] = 0
    })
  }

  #isSpoilt(row: Levels): boolean {
    return this.#culprits.some((culprit) =>
      culprit.every(({ factor, level }) => row[factor] === level),
    )
  }

  /** A row with a tuple, and one level at all other factors. */
  #rowOf({ factors }: Combination, index: number, level: number): number[] {
    const row = this.#factors.map(() => level)
    let rest = index
    for (const factor of factors.toReversed()) {
      const count = this.#countOf(factor)
      row[factor] = rest % count
      rest = Math.floor(rest / count)
    }
    return row
  }

  #gainOfPairs(factor: number, row: Levels): number {
    const count = this.#levels.length
    let gain = 0
    for (let one = 0; one < count; one++) {
      if (one === factor || (row[one] ?? noLevel) < 0) continue
      const first = Math.min(one, factor)
      const second = Math.max(one, factor)
      const start = this.#starts[first * count + second] ?? 0
      const place = start + (row[first] ?? 0) * this.#countOf(second) + (row[second] ?? 0)
      gain += this.#open[place] ?? 0
    }
    return gain
  }

  #gainOfTriples(factor: number, row: Levels): number {
    const count = this.#levels.length
    let gain = 0
    for (let one = 0; one < count; one++) {
      if (one === factor || (row[one] ?? noLevel) < 0) continue
      for (let other = one + 1; other < count; other++) {
        if (other === factor || (row[other] ?? noLevel) < 0) continue
        const place =
          factor < one
            ? this.#placeOfTriple(factor, one, other, row)
            : factor < other
              ? this.#placeOfTriple(one, factor, other, row)
              : this.#placeOfTriple(one, other, factor, row)
        gain += this.#open[place] ?? 0
      }
    }
    return gain
  }

  /** The place of three factors, which are in their order. */
  #placeOfTriple(one: number, two: number, three: number, row: Levels): number {
    const count = this.#levels.length
    const start = this.#starts[(one * count + two) * count + three] ?? 0
    const pair = (row[one] ?? 0) * this.#countOf(two) + (row[two] ?? 0)
    return start + pair * this.#countOf(three) + (row[three] ?? 0)
  }

  #placeIn({ factors, start }: Combination, row: Levels): number {
    let place = 0
    for (const factor of factors) place = place * this.#countOf(factor) + (row[factor] ?? 0)
    return start + place
  }

  #eachOpen(see: (combination: Combination, index: number) => void): void {
    for (const one of this.#combinations) {
      for (let index = 0; index < one.size; index++) {
        if (this.#open[one.start + index] === 1) see(one, index)
      }
    }
  }

  #countOf(factor: number): number {
    return this.#levels[factor] ?? 1
  }
}

/** All combinations of some factors, from one of them on. */
function* combinationsOf(
  factors: readonly number[],
  size: number,
  from: number,
): Iterable<readonly number[]> {
  for (let index = from; index < factors.length && size > 0; index++) {
    const one = factors[index] ?? 0
    if (size === 1) yield [one]
    for (const rest of combinationsOf(factors, size - 1, index + 1)) yield [one, ...rest]
  }
}
