import { type GapName, gapNames, gaps } from '../contract/gaps.ts'
import { duration } from '../input/duration.ts'
import { InputError } from '../input/input-error.ts'
import { instant } from '../input/instant.ts'
import { isRecord } from '../input/record.ts'

/** What a report says, as far as it is compared. */
interface Compared {
  readonly gaps: { readonly [Name in GapName]: { readonly choices: readonly string[] } }
  readonly clauses: Readonly<Record<string, { readonly verdict: string }>>
  readonly unexplained: readonly { readonly problem: string }[]
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
  const { gaps: oldGaps, clauses: oldClauses, unexplained } = baseline
  const changed = gapNames.flatMap((name) => {
    const before = choicesIn(oldGaps[name])
    const { choices: after } = now.gaps[name]
    if (before === undefined || (before.length === 0 && after.length === 0)) return []
    const isSame = before.some((one) => after.some((other) => overlap(name, one, other)))
    return isSame ? [] : [`${name}: ${listed(before)} before, ${listed(after)} now`]
  })
  const broken = Object.entries(now.clauses).flatMap(([name, { verdict }]) => {
    const before = Object.hasOwn(oldClauses, name) ? oldClauses[name] : undefined
    const wasBroken = isRecord(before) && before.verdict === 'broken'
    return verdict === 'broken' && !wasBroken ? [`clause ${name} is broken now`] : []
  })
  const known = new Set(
    (Array.isArray(unexplained) ? unexplained : []).map((one) =>
      isRecord(one) ? one.problem : '',
    ),
  )
  const problems = new Set(now.unexplained.map(({ problem }) => problem))
  const news = [...problems].filter((problem) => !known.has(problem))
  return [...changed, ...broken, ...news.map((problem) => `unexplained now: ${problem}`)]
}

function listed(choices: readonly string[]): string {
  return choices.length === 0 ? 'none' : choices.join(' or ')
}

function choicesIn(found: unknown): string[] | undefined {
  if (!isRecord(found) || !Array.isArray(found.choices)) return undefined
  return found.choices.map(String)
}

/** Whether two choices have something in common; those of values may be ranges. */
function overlap(name: GapName, one: string, other: string): boolean {
  const [left, right] = [boundsOf(name, one), boundsOf(name, other)]
  if (left === undefined || right === undefined) return one === other
  return left.from <= right.to && right.from <= left.to
}

function boundsOf(name: GapName, text: string): { from: number; to: number } | undefined {
  const { kind } = gaps[name]
  if (kind === 'choice' || text === 'none' || text === 'never') return undefined
  const read = (one: string): number => {
    if (kind === 'count') return Number(one)
    try {
      return kind === 'instant' ? instant.read(one) : duration.read(one)
    } catch {
      return Number.NaN
    }
  }
  const [from = '', to = from] = text.split('..')
  return { from: read(from), to: read(to) }
}
