import { mapTable, namesOf } from '../../mock/input/record.ts'
import { formatDuration, formatInstant, lastInstantAt } from '../../mock/input/values.ts'
import { type Gap, type GapChoices, type GapName, gaps } from '../../mock/spec/gaps.ts'

/** What archives tell of a gap. */
export interface CalibratedGap {
  /** One choice agrees, some do, nothing told, or none agrees with all. */
  readonly verdict: 'shown' | 'narrowed' | 'unseen' | 'contradicted'
  /** Those that agree, as `--gap NAME=CHOICE` takes them; a value that is only bounded is `FROM..TO`. */
  readonly choices: readonly string[]
  readonly exchanges: readonly number[]
  /** A request that would tell, for a gap that isn't shown. */
  readonly ask?: string | undefined
}

/** Something wrong with one exchange. */
export interface CalibrationProblem {
  readonly exchange: number
  readonly problem: string
}

/** What archives tell of a clause. */
export interface CalibratedClause {
  readonly verdict: 'kept' | 'broken' | 'unseen'
  /** Those that were held against it. */
  readonly exchanges: readonly number[]
  readonly problems: readonly CalibrationProblem[]
}

/** The clauses that a reply can break. */
const clauseNames = ['1', '2', '4.1', '4.2', '4.3', '5.3', '7', '8', '8.1', '8.2'] as const

export type ClauseName = (typeof clauseNames)[number]

type Choice = string | number

/** What can be told of a gap: its choices; where any value will do, values and ranges of them as text. */
type ToldOf<Name extends GapName> = (typeof gaps)[Name] extends { readonly kind: 'choice' }
  ? GapChoices[Name]
  : string

/** Choices at some gaps that together explain what was seen. */
export type Option = { readonly [Name in GapName]?: Choice }

/** The exchanges that something was found in. */
type Source = OneSource | readonly OneSource[]

interface OneSource {
  readonly number: number
}

/** Some options, one of which holds. */
interface Constraint {
  readonly options: readonly Option[]
  readonly exchanges: number[]
}

/** What is known of a gap. */
interface Known {
  /** Those that agree; none once it is contradicted. */
  choices: readonly Choice[]
  readonly all: readonly Choice[]
  readonly exchanges: Set<number>
}

/** Stands for what a service does where no choice fits. */
const noChoice = 'no choice'

const longest = formatDuration(lastInstantAt)

/** All choices at a gap at which any value will do. */
const allOfKind = {
  instant: [`${formatInstant(0)}..${formatInstant(lastInstantAt)}`],
  duration: [`1ms..${longest}`],
  count: ['0..1000000000', 'never'],
} as const

function allOf(gap: Exclude<Gap, { readonly kind: 'choice' }>): readonly Choice[] {
  return gap.kind === 'shift' ? [gap.default, `1ms..${longest}`] : allOfKind[gap.kind]
}

/** Collects what exchanges tell of the gaps and the clauses, and finds the choices that agree with all of it. */
export class Findings {
  readonly unexplained: CalibrationProblem[] = []
  readonly #checks: {
    readonly clause: ClauseName
    readonly exchange: number
    readonly problem: string | undefined
  }[] = []
  /** By its options, since most exchanges tell the same. */
  readonly #constraints = new Map<string, Constraint>()

  /** Notes that a reply was held against a clause, and what is wrong with it. */
  check(clause: ClauseName, { number: exchange }: OneSource, problem: string | undefined): void {
    this.#checks.push({ clause, exchange, problem })
  }

  /** Notes a reply that no choice explains. */
  unexplain({ number: exchange }: OneSource, problem: string): void {
    this.unexplained.push({ exchange, problem })
  }

  /** Notes that one of some options holds. */
  add(options: readonly Option[], ...sources: readonly Source[]): void {
    if (options.length === 0 || options.some((one) => namesOf(one).length === 0)) return
    const name = JSON.stringify(options)
    const known = this.#constraints.get(name) ?? { options, exchanges: [] }
    for (const { number } of sources.flat()) known.exchanges.push(number)
    this.#constraints.set(name, known)
  }

  /** Notes that a gap has one of some choices. */
  only<Name extends GapName>(
    gap: Name,
    choices: readonly ToldOf<Name>[],
    ...sources: readonly Source[]
  ): void {
    const options = choices.map((choice) => ({ [gap]: choice }))
    this.add(options, ...sources)
  }

  /** Notes that a service does what none of a gap's choices does. */
  fitsNone(gap: GapName, ...sources: readonly Source[]): void {
    this.add([{ [gap]: noChoice }], ...sources)
  }

  /** Says what is known of each gap. */
  gaps(): { readonly [Name in GapName]: CalibratedGap } {
    const solved = this.#solve()
    return mapTable(solved, (name): CalibratedGap => {
      const { all, exchanges } = solved[name]
      const choices = solved[name].choices.map(String)
      if (choices.length === all.length) return { verdict: 'unseen', choices, exchanges: [] }
      const isOne = choices.length === 1 && !choices[0]?.includes('..')
      const verdict = isOne ? 'shown' : choices.length === 0 ? 'contradicted' : 'narrowed'
      return { verdict, choices, exchanges: inOrder(exchanges) }
    })
  }

  /** Says which clauses were kept. */
  clauses(): { readonly [Name in ClauseName]: CalibratedClause } {
    const made = clauseNames.map((clause): [ClauseName, CalibratedClause] => {
      const checks = this.#checks.filter((one) => one.clause === clause)
      const problems = checks
        .flatMap(({ exchange, problem }) => (problem === undefined ? [] : { exchange, problem }))
        .toSorted((one, other) => one.exchange - other.exchange)
      const verdict = problems.length > 0 ? 'broken' : checks.length > 0 ? 'kept' : 'unseen'
      return [clause, { verdict, exchanges: inOrder(checks.map((one) => one.exchange)), problems }]
    })
    return Object.fromEntries(made) as { readonly [Name in ClauseName]: CalibratedClause }
  }

  /** Finds the choices at each gap. */
  #solve(): { readonly [Name in GapName]: Known } {
    const constraints = [...this.#constraints.values()]
    const known = mapTable(gaps, (name): Known => {
      const gap = gaps[name]
      const told = constraints.flatMap(({ options }) => options.flatMap((one) => one[name] ?? []))
      const all =
        gap.kind === 'choice'
          ? gap.choices
          : [...new Set([...allOf(gap), ...told.filter((one) => one !== noChoice)])]
      return { choices: all, all, exchanges: new Set() }
    })
    const fits = (one: Option): boolean =>
      namesOf(one).every((name) => {
        const { choices } = known[name]
        return choices.length === 0 || choices.includes(one[name] ?? '')
      })
    // First each by itself, so that what contradicts itself is known before anything is concluded from it.
    for (let round = 0, isChanged = true; round < 2 || isChanged; round++) {
      isChanged = false
      for (const { options, exchanges } of constraints) {
        const left = round === 0 ? options : options.filter(fits)
        for (const name of new Set(options.flatMap(namesOf))) {
          const gap = known[name]
          const allowed = left.map((one) => one[name])
          if (gap.choices.length === 0) continue
          // An option that says nothing of a gap allows all of its choices.
          if (left.length > 0 && allowed.includes(undefined)) continue
          const choices = gap.choices.filter((choice) => allowed.includes(choice))
          if (choices.length < gap.all.length) for (const one of exchanges) gap.exchanges.add(one)
          isChanged ||= choices.length < gap.choices.length
          gap.choices = choices
        }
      }
    }
    return known
  }
}

function inOrder(numbers: Iterable<number>): number[] {
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}
