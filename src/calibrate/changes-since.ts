import { type GapName, gapNames, gaps } from '../contract/gaps.ts'
import { duration } from '../input/duration.ts'
import { InputError } from '../input/input-error.ts'
import { instant } from '../input/instant.ts'
import { isRecord, namesOf } from '../input/record.ts'
import type { CalibratedClause, CalibratedGap, CalibrationProblem, ClauseName } from './findings.ts'

/** What a report says, as far as it is compared. */
interface Compared {
  readonly gaps: { readonly [Name in GapName]: CalibratedGap }
  readonly clauses: { readonly [Name in ClauseName]: CalibratedClause }
  readonly unexplained: readonly CalibrationProblem[]
}

/**
 * Lists what a service does otherwise than in an earlier report; seeing more than that had is no change.
 *
 * @throws {@link InputError} for what is no such report.
 */
export function changesSince(baseline: unknown, now: Compared): string[] {
  const isReport = isRecord(baseline) && baseline.calibration === 1
  if (!isReport || !isRecord(baseline.gaps) || !isRecord(baseline.clauses)) {
    throw new InputError(
      'Cannot compare with the baseline: it is no report of calibrate; use a file of --report json=FILE',
    )
  }
  const { gaps: oldGaps, clauses: oldClauses } = baseline
  const changed = gapNames.flatMap((name) => {
    const old = oldGaps[name]
    if (!isRecord(old) || !Array.isArray(old.choices)) return []
    const before = old.choices.map(String)
    const { choices: after } = now.gaps[name]
    const isSame = before.some((one) => after.some((other) => overlap(name, one, other)))
    if (isSame || (before.length === 0 && after.length === 0)) return []
    return [`${name}: ${listed(before)} before, ${listed(after)} now`]
  })
  const broken = namesOf(now.clauses).filter((name) => {
    const before = Object.hasOwn(oldClauses, name) ? oldClauses[name] : undefined
    const wasBroken = isRecord(before) && before.verdict === 'broken'
    return now.clauses[name].verdict === 'broken' && !wasBroken
  })
  const unexplained = Array.isArray(baseline.unexplained) ? baseline.unexplained : []
  const known = new Set(unexplained.map((one) => (isRecord(one) ? one.problem : '')))
  const problems = new Set(now.unexplained.map(({ problem }) => problem))
  const news = [...problems].filter((problem) => !known.has(problem))
  return [
    ...changed,
    ...broken.map((name) => `clause ${name} is broken now`),
    ...news.map((problem) => `unexplained now: ${problem}`),
  ]
}

function listed(choices: readonly string[]): string {
  return choices.length === 0 ? 'none' : choices.join(' or ')
}

/** Whether two choices have something in common; those of values may be ranges. */
function overlap(name: GapName, one: string, other: string): boolean {
  const [left, right] = [boundsOf(name, one), boundsOf(name, other)]
  return one === other || (left.from <= right.to && right.from <= left.to)
}

/** The bounds of a value; `NaN` for what is none. */
function boundsOf(name: GapName, text: string): { from: number; to: number } {
  const { kind } = gaps[name]
  const [from = Number.NaN, to = from] = text.split('..').map((one) => {
    if (kind === 'choice' || kind === 'count') return kind === 'count' ? Number(one) : Number.NaN
    try {
      return kind === 'instant' ? instant.read(one) : duration.read(one)
    } catch {
      return Number.NaN
    }
  })
  return { from, to }
}
