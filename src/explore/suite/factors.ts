import type { GapName } from '../../contract/gaps.ts'
import type { GapChoice } from '../other-choices.ts'
import type { Culprit, Levels } from './open-tuples.ts'
import { choiceText, type Row, rowOf } from './row.ts'

/** Choices as the levels of factors. */
export class Factors {
  readonly #byGap = new Map<GapName, GapChoice[]>()

  constructor(choices: readonly GapChoice[]) {
    for (const one of choices) this.#byGap.set(one.gap, [...(this.#byGap.get(one.gap) ?? []), one])
  }

  /** What tells these factors from others. */
  get names(): readonly string[] {
    return [...this.#byGap.values()].flat().map(choiceText)
  }

  /** How many levels each has, with the usual one. */
  get counts(): readonly number[] {
    return [...this.#byGap.values()].map(({ length }) => length + 1)
  }

  /** Whether some factors, by their numbers, are all at some gaps. */
  areAt(factors: readonly number[], gaps: ReadonlySet<GapName>): boolean {
    const all = [...this.#byGap.keys()]
    return factors.every((factor) => {
      const gap = all[factor]
      return gap !== undefined && gaps.has(gap)
    })
  }

  levelsOf(row: Row): Levels {
    return [...this.#byGap].map(([gap, choices]) => {
      const own = row.find((one) => one.gap === gap)
      return own === undefined ? 0 : choices.findIndex((one) => one.choice === own.choice) + 1
    })
  }

  rowOf(levels: Levels): Row {
    const choices = [...this.#byGap.values()]
    return rowOf(levels.flatMap((level, index) => choices[index]?.[level - 1] ?? []))
  }

  partsOf(culprits: readonly Row[]): Culprit[] {
    const gaps = [...this.#byGap.keys()]
    return culprits.map((row) => {
      const levels = this.levelsOf(row)
      return row
        .map(({ gap }) => gaps.indexOf(gap))
        .map((factor) => ({
          factor,
          level: levels[factor] ?? 0,
        }))
    })
  }
}
