import { formatChoice, type GapName, gapNames, gaps } from '../contract/gaps.ts'
import { formatDuration } from '../input/duration.ts'
import { InputError } from '../input/input-error.ts'
import { formatInstant, lastInstantAt } from '../input/instant.ts'
import { definedOf, mapTable } from '../input/record.ts'
import { askFor } from './ask-for.ts'
import { changesSince } from './changes-since.ts'
import { Evidence, inOrder, type Known, type Told } from './evidence.ts'
import { judgeIds } from './judge-ids.ts'
import { judgeQuotas } from './judge-quotas.ts'
import { type ClauseName, clauseNames, judgeReplies, type Verdicts } from './judge-replies.ts'
import { readArchives, type Seen } from './read-archives.ts'

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

/** Which service archives were recorded with. */
export interface Calibration {
  readonly calibration: 1
  /** Where the API is; null if no request was sent to one. */
  readonly baseUrl: string | null
  readonly exchanges: { readonly read: number; readonly judged: number }
  readonly gaps: { readonly [Name in GapName]: CalibratedGap }
  readonly clauses: { readonly [Name in ClauseName]: CalibratedClause }
  readonly unexplained: readonly CalibrationProblem[]
  /** What is otherwise than in the baseline, if one was given. */
  readonly changes?: readonly string[] | undefined
}

/** How to read archives. */
export interface CalibrateOptions {
  /** Where the API is, such as `https://api.example.com/v1`; by default found from the requests' paths. */
  readonly baseUrl?: string | undefined
  /** An earlier report, to compare with. */
  readonly baseline?: unknown
}

/**
 * Finds out from archives (HAR 1.2) of a real service what it does where the interface leaves something open, and
 * whether it keeps to the rest.
 *
 * @throws {@link InputError} for what is no archive, when several places could be the API, and for what is no baseline.
 */
export function calibrate(
  archives: readonly unknown[],
  { baseUrl, baseline }: CalibrateOptions = {},
): Calibration {
  const history = readArchives(archives.map(parsed), baseUrl)
  const { exchanges } = history
  const evidence = new Evidence()
  const notes = new Notes()
  const { mostSkew, ...values } = judgeQuotas(history, evidence, notes)
  judgeIds(exchanges, evidence)
  judgeReplies(exchanges, evidence, notes, mostSkew)
  const known = evidence.solve()
  const told = { ...values, deprecatedSince: deprecatedSince(exchanges) }
  const report: Calibration = {
    calibration: 1,
    baseUrl: history.baseUrl,
    exchanges: { read: history.read, judged: exchanges.filter(({ isJudged }) => isJudged).length },
    gaps: mapTable(gaps, (name) => {
      const found = calibrated(name, known.get(name), told)
      const ask = found.verdict === 'shown' ? undefined : askFor(name, history.baseUrl)
      return { ...found, ...definedOf({ ask }) }
    }),
    clauses: notes.clauses(),
    unexplained: notes.unexplainedOnes,
  }
  return baseline === undefined ? report : { ...report, changes: changesSince(baseline, report) }
}

/** @throws {@link InputError} for a text that isn't JSON. */
function parsed(archive: unknown): unknown {
  if (typeof archive !== 'string') return archive
  try {
    return JSON.parse(archive)
  } catch {
    throw new InputError('Cannot read the archive: it is not valid JSON', [], 'not-json')
  }
}

/** Whether a service is as the interface says, or as the baseline was if there is one. */
export function isAsExpected({ gaps: found, clauses, unexplained, changes }: Calibration): boolean {
  if (changes !== undefined) return changes.length === 0
  const isBroken = Object.values(clauses).some(({ verdict }) => verdict === 'broken')
  const isContradicted = gapNames.some((name) => found[name].verdict === 'contradicted')
  return !isBroken && !isContradicted && unexplained.length === 0
}

/** Keeps what was held against each clause. */
class Notes implements Verdicts {
  readonly unexplainedOnes: CalibrationProblem[] = []
  readonly #checked = new Map<
    ClauseName,
    { exchanges: Set<number>; problems: CalibrationProblem[] }
  >()

  check(clause: ClauseName, exchange: number, problem: string | undefined): void {
    const known = this.#checked.get(clause) ?? { exchanges: new Set(), problems: [] }
    this.#checked.set(clause, known)
    known.exchanges.add(exchange)
    if (problem !== undefined) known.problems.push({ exchange, problem })
  }

  unexplained(exchange: number, problem: string): void {
    this.unexplainedOnes.push({ exchange, problem })
  }

  clauses(): Calibration['clauses'] {
    const found = clauseNames.map((name): [ClauseName, CalibratedClause] => {
      const { exchanges = [], problems = [] } = this.#checked.get(name) ?? {}
      const numbers = inOrder(exchanges)
      const verdict = problems.length > 0 ? 'broken' : numbers.length > 0 ? 'kept' : 'unseen'
      return [name, { verdict, exchanges: numbers, problems: problems.toSorted(byExchange) }]
    })
    return Object.fromEntries(found) as Calibration['clauses']
  }
}

function byExchange(one: CalibrationProblem, other: CalibrationProblem): number {
  return one.exchange - other.exchange
}

const allOfKind = {
  instant: [`${formatInstant(0)}..${formatInstant(lastInstantAt)}`],
  duration: [`1ms..${formatDuration(lastInstantAt)}`],
  count: ['0..1000000000', 'never'],
  shift: ['none', `1ms..${formatDuration(lastInstantAt)}`],
} as const

function calibrated(
  name: GapName,
  known: Known | undefined,
  told: Partial<Record<GapName, Told | undefined>>,
): CalibratedGap {
  const gap = gaps[name]
  if (gap.kind === 'choice') {
    const { choices = gap.choices, exchanges = [] } = known ?? {}
    const shown = choices.map((choice) => String(formatChoice(name, choice)))
    return verdictOf(shown, choices.length === gap.choices.length, exchanges)
  }
  const found = told[name]
  return found === undefined
    ? verdictOf(allOfKind[gap.kind], true, [])
    : verdictOf(found.choices, false, inOrder(found.exchanges))
}

function verdictOf(
  choices: readonly string[],
  isAll: boolean,
  exchanges: readonly number[],
): CalibratedGap {
  if (isAll) return { verdict: 'unseen', choices, exchanges: [] }
  if (choices.length === 0) return { verdict: 'contradicted', choices, exchanges }
  const isOne = choices.length === 1 && !choices[0]?.includes('..')
  return { verdict: isOne ? 'shown' : 'narrowed', choices, exchanges }
}

function deprecatedSince(exchanges: readonly Seen[]): Told | undefined {
  const found = exchanges.flatMap(({ target, headers: { deprecation = '' }, number, isJudged }) => {
    const seconds = /^\s*@(\d{1,12})\s*$/.exec(deprecation)?.[1]
    if (!isJudged || seconds === undefined || !/^\/pets\/./.test(target)) return []
    return [{ text: formatInstant(Number(seconds) * 1000), number }]
  })
  if (found.length === 0) return undefined
  const texts = [...new Set(found.map(({ text }) => text))]
  const numbers = found.map(({ number }) => number)
  return { choices: texts.length === 1 ? texts : [], exchanges: numbers }
}
