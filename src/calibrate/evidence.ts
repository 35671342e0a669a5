import { type GapChoices, type GapName, gapNames, gaps } from '../contract/gaps.ts'

/** Choices at some gaps that together explain what was seen. */
export type Option = { readonly [Name in GapName]?: string | number }

interface Constraint {
  readonly options: readonly Option[]
  readonly exchanges: number[]
}

/** What is told of a gap at which any value will do; a range is `FROM..TO`. */
export interface Told {
  readonly choices: readonly string[]
  readonly exchanges: readonly number[]
}

/** What is known of a gap. */
export interface Known {
  readonly choices: readonly (string | number)[]
  readonly exchanges: readonly number[]
}

/** Collects what exchanges tell of the gaps, and finds the choices that agree with all of it. */
export class Evidence {
  /** By its options, since most exchanges tell the same. */
  readonly #constraints = new Map<string, Constraint>()

  /** Notes that one of some options holds. */
  add(options: readonly Option[], ...exchanges: readonly number[]): void {
    if (options.length === 0 || options.some((one) => Object.keys(one).length === 0)) return
    const name = JSON.stringify(options)
    const known = this.#constraints.get(name) ?? { options, exchanges: [] }
    for (const one of exchanges) if (known.exchanges.at(-1) !== one) known.exchanges.push(one)
    this.#constraints.set(name, known)
  }

  /** Notes that a gap has one of some choices. */
  only<Name extends GapName>(
    gap: Name,
    choices: readonly GapChoices[Name][],
    ...exchanges: readonly number[]
  ): void {
    this.add(
      choices.map((choice) => ({ [gap]: choice })),
      ...exchanges,
    )
  }

  /** Finds the choices at each gap that is chosen from a list. */
  solve(): ReadonlyMap<GapName, Known> {
    const known = new Map<
      GapName,
      { choices: readonly (string | number)[]; exchanges: Set<number> }
    >()
    for (const name of gapNames) {
      const gap = gaps[name]
      if (gap.kind === 'choice') known.set(name, { choices: gap.choices, exchanges: new Set() })
    }
    const broken = new Set<GapName>()
    // First each by itself, so that what contradicts itself is known before anything is concluded from it.
    for (let round = 0, isChanged = true; isChanged; round++) {
      isChanged = false
      for (const { options, exchanges } of this.#constraints.values()) {
        const fits = (one: Option): boolean =>
          Object.entries(one).every(([name, choice]) => {
            const gap = known.get(name as GapName)
            return broken.has(name as GapName) || gap === undefined || gap.choices.includes(choice)
          })
        const left = round === 0 ? options : options.filter(fits)
        for (const name of gapsIn(options)) {
          const gap = known.get(name)
          if (gap === undefined || broken.has(name)) continue
          const allowed = left.map((one) => one[name])
          // An option that says nothing of a gap allows all of its choices.
          if (left.length > 0 && allowed.includes(undefined)) continue
          const choices = gap.choices.filter((choice) => allowed.includes(choice))
          if (choices.length < fullCount(name)) for (const one of exchanges) gap.exchanges.add(one)
          if (choices.length === gap.choices.length) continue
          if (choices.length === 0) broken.add(name)
          gap.choices = choices
          isChanged = true
        }
      }
      if (round === 0) isChanged = true
    }
    return new Map(
      [...known].map(([name, { choices, exchanges }]) => [
        name,
        { choices: broken.has(name) ? [] : choices, exchanges: inOrder(exchanges) },
      ]),
    )
  }

  /** The choices at a gap that agree with all that is known so far. */
  choicesAt(name: GapName): readonly (string | number)[] {
    return this.solve().get(name)?.choices ?? []
  }
}

function gapsIn(options: readonly Option[]): Set<GapName> {
  return new Set(options.flatMap((one) => Object.keys(one) as GapName[]))
}

function fullCount(name: GapName): number {
  const gap = gaps[name]
  return gap.kind === 'choice' ? gap.choices.length : 0
}

/** Sorts numbers, each once. */
export function inOrder(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}
