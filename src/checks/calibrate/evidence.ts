import { type Gap, type GapName, type GapValues, gaps } from '../../mock/api/gaps.ts'
import { mapTable, namesOf } from '../../mock/input/record.ts'
import { formatDuration, formatInstant, lastInstantAt } from '../../mock/input/values.ts'

/** Result for a gap. */
export interface CalibratedGap {
  /** Number of values that agree: one, several, or none; `not-seen` if no request depends on the gap. */
  readonly result: 'confirmed' | 'narrowed' | 'not-seen' | 'contradicted'
  /** Values that agree, in the form of `--gap NAME=VALUE`; a value that is only bounded is `FROM..TO`. */
  readonly values: readonly string[]
  /** Requests that show it, by their place in the HAR files. */
  readonly requests: readonly number[]
  /** Command that would show the value, for a gap that isn't confirmed. */
  readonly ask?: string | undefined
}

/** Problem with one response. */
export interface CalibrationProblem {
  /** The request, by its place in the HAR files. */
  readonly request: number
  /** Description of the problem. */
  readonly problem: string
}

/** Result for a clause. */
export interface CalibratedClause {
  /** Whether the responses keep the clause; `not-seen` if no request depends on it. */
  readonly result: 'kept' | 'broken' | 'not-seen'
  /** Requests that were checked against the clause. */
  readonly requests: readonly number[]
  /** Responses that break the clause. */
  readonly problems: readonly CalibrationProblem[]
}

/** Result for each clause that a response can break. */
export type CalibratedClauses = {
  /** The content type of bodies, `application/json` (spec 1). */
  readonly '1': CalibratedClause
  /** The form of pets and of lists of pets (spec 2). */
  readonly '2': CalibratedClause
  /** The pets in a list: at most `limit`, all of the requested status (spec 4.1). */
  readonly '4.1': CalibratedClause
  /** The added pet, with the values of the request (spec 4.2). */
  readonly '4.2': CalibratedClause
  /** The requested pet, and the removal of its operation on 5 December 2030 (spec 4.3). */
  readonly '4.3': CalibratedClause
  /** The rejection of requests without a valid key (spec 5.3). */
  readonly '5.3': CalibratedClause
  /** The Error body of error responses (spec 7). */
  readonly '7': CalibratedClause
  /** The rate-limit headers of all responses (spec 8). */
  readonly '8': CalibratedClause
  /** The rejection of requests beyond the limit (spec 8.1). */
  readonly '8.1': CalibratedClause
  /** The `Retry-After` of a 429, which doesn't end before `X-RateLimit-Reset` (spec 8.2). */
  readonly '8.2': CalibratedClause
}

/** A clause that a response can break. */
export type ClauseName = keyof CalibratedClauses

/** Clauses that a response can break. */
const clauseNames = ['1', '2', '4.1', '4.2', '4.3', '5.3', '7', '8', '8.1', '8.2'] as const

export type Choice = string | number

/** Evidence about a gap: its values, or values and ranges as text if any value is allowed. */
type ToldOf<Name extends GapName> = (typeof gaps)[Name] extends { readonly kind: 'enum' }
  ? GapValues[Name]
  : string

/** Values of some gaps that together explain a response. */
export type Option = { readonly [Name in GapName]?: Choice }

/** Requests that are the evidence for something. */
type Source = OneSource | readonly OneSource[]

interface OneSource {
  readonly number: number
}

/** Alternative explanations, one of which is true. */
interface Constraint {
  readonly options: readonly Option[]
  readonly requests: number[]
}

/** Evidence about a gap so far. */
interface Known {
  /** Values that agree; empty if the gap is contradicted. */
  choices: readonly Choice[]
  readonly all: readonly Choice[]
  readonly requests: Set<number>
}

/** Placeholder for a service's behaviour that fits no value of a gap. */
const noChoice = 'no choice'

/** Least and greatest values of gaps at which any value is allowed. */
const bounds = {
  instant: [formatInstant(0), formatInstant(lastInstantAt)],
  duration: ['1ms', formatDuration(lastInstantAt)],
  shift: ['1ms', formatDuration(lastInstantAt)],
  count: ['0', '1000000000'],
} as const

/** Returns all values of a gap, as ranges where any value is allowed. */
function allOf(gap: Gap): readonly Choice[] {
  if (gap.kind === 'enum') return gap.values
  const range = bounds[gap.kind].join('..')
  if (gap.kind === 'shift') return [gap.default, range]
  return gap.kind === 'count' ? [range, 'never'] : [range]
}

/** Words for all values of a kind. */
const anyOf = {
  instant: 'instant',
  duration: 'duration',
  shift: 'duration',
  count: 'number',
} as const

/** Writes values of a gap for people: the ends of a range only where they are known. */
export function shownValues(name: GapName, values: readonly string[]): string {
  const { kind } = gaps[name]
  if (kind === 'enum') return values.join(', ')
  const [least, greatest] = bounds[kind]
  const texts = values.map((value) => {
    const [from, to] = value.split('..')
    if (to === undefined) return value
    if (from === least && to === greatest) return `any ${anyOf[kind]}`
    if (to === greatest) return `at least ${from}`
    return from === least ? `at most ${to}` : `${from} to ${to}`
  })
  return texts.join(', ')
}

/** Collects what requests show of the gaps and the clauses, and finds the values that agree with all of it. */
export class Evidence {
  readonly unexplained: CalibrationProblem[] = []
  readonly #checks: {
    readonly clause: ClauseName
    readonly request: number
    readonly problem: string | undefined
  }[] = []
  /** Constraints by their options, since most requests have the same ones. */
  readonly #constraints = new Map<string, Constraint>()

  /** Records that a response was checked against a clause, and the problem if there was one. */
  check(clause: ClauseName, { number: request }: OneSource, problem: string | undefined): void {
    this.#checks.push({ clause, request, problem })
  }

  /** Records a response that no gap value explains. */
  unexplain({ number: request }: OneSource, problem: string): void {
    this.unexplained.push({ request, problem })
  }

  /** Records alternative explanations of responses. */
  add(options: readonly Option[], ...sources: readonly Source[]): void {
    if (options.length === 0 || options.some((one) => namesOf(one).length === 0)) return
    const name = JSON.stringify(options)
    const known = this.#constraints.get(name) ?? { options, requests: [] }
    for (const { number } of sources.flat()) known.requests.push(number)
    this.#constraints.set(name, known)
  }

  /** Records that a gap has one of some values. */
  only<Name extends GapName>(
    gap: Name,
    choices: readonly ToldOf<Name>[],
    ...sources: readonly Source[]
  ): void {
    const options = choices.map((choice) => ({ [gap]: choice }))
    this.add(options, ...sources)
  }

  /** Records that a service's behaviour fits no value of a gap. */
  fitsNone(gap: GapName, ...sources: readonly Source[]): void {
    this.add([{ [gap]: noChoice }], ...sources)
  }

  /** Returns the result for each gap. */
  gaps(): { readonly [Name in GapName]: CalibratedGap } {
    const solved = this.#solve()
    return mapTable(solved, (name): CalibratedGap => {
      const { all, requests } = solved[name]
      const values = solved[name].choices.map(String)
      if (values.length === all.length) return { result: 'not-seen', values, requests: [] }
      const isOne = values.length === 1 && !values[0]?.includes('..')
      const result = isOne ? 'confirmed' : values.length === 0 ? 'contradicted' : 'narrowed'
      return { result, values, requests: inOrder(requests) }
    })
  }

  /** Returns the result for each clause. */
  clauses(): CalibratedClauses {
    const made = clauseNames.map((clause): [ClauseName, CalibratedClause] => {
      const checks = this.#checks.filter((one) => one.clause === clause)
      const problems = checks
        .flatMap(({ request, problem }) => (problem === undefined ? [] : { request, problem }))
        .toSorted((one, other) => one.request - other.request)
      const result = problems.length > 0 ? 'broken' : checks.length > 0 ? 'kept' : 'not-seen'
      return [clause, { result, requests: inOrder(checks.map((one) => one.request)), problems }]
    })
    // Each name has an entry.
    return Object.fromEntries(made) as Record<(typeof clauseNames)[number], CalibratedClause>
  }

  /** Finds the values at each gap that agree with all constraints. */
  #solve(): { readonly [Name in GapName]: Known } {
    const constraints = [...this.#constraints.values()]
    const known = mapTable(gaps, (name): Known => {
      const gap = gaps[name]
      const constrained = constraints.flatMap(({ options }) =>
        options.flatMap((one) => one[name] ?? []),
      )
      const ranges = gap.kind === 'enum' ? [] : constrained.filter((one) => one !== noChoice)
      const all = [...new Set([...allOf(gap), ...ranges])]
      return { choices: all, all, requests: new Set() }
    })
    const fits = (one: Option): boolean =>
      namesOf(one).every((name) => {
        const { choices } = known[name]
        return choices.length === 0 || choices.includes(one[name] ?? '')
      })
    // The first round applies each constraint by itself, so that contradictions are known before others depend on them.
    for (let round = 0, isChanged = true; round < 2 || isChanged; round++) {
      isChanged = false
      for (const { options, requests } of constraints) {
        const left = round === 0 ? options : options.filter(fits)
        for (const name of new Set(options.flatMap(namesOf))) {
          const gap = known[name]
          const allowed = left.map((one) => one[name])
          if (gap.choices.length === 0) continue
          // An option that doesn't contain a gap allows all of its values.
          if (left.length > 0 && allowed.includes(undefined)) continue
          const choices = gap.choices.filter((choice) => allowed.includes(choice))
          if (choices.length < gap.all.length) for (const one of requests) gap.requests.add(one)
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
