import { type GapName, gapNames, type gaps as gapTable, gapValue } from '../../mock/api/gaps.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { isRecord, mapTable, namesOf } from '../../mock/input/record.ts'
import { askFor } from './ask-for.ts'
import { checkBans } from './check-bans.ts'
import { checkIds } from './check-ids.ts'
import { checkResponses } from './check-responses.ts'
import { checkRetryAfter, checkSkew } from './check-retry-after.ts'
import { checkWindows } from './check-windows.ts'
import {
  type CalibratedClauses,
  type CalibratedGap,
  type CalibrationProblem,
  Evidence,
} from './evidence.ts'
import { groupsOf } from './quota-reports.ts'
import { readArchives } from './read-archives.ts'

export type {
  CalibratedClause,
  CalibratedClauses,
  CalibratedGap,
  CalibrationProblem,
} from './evidence.ts'

/** Result of comparing the service in HAR files with the spec. */
export interface Calibration {
  /** Version of the format. */
  readonly calibration: 1
  /** Address of the API; null if no request was sent to one. */
  readonly baseUrl: string | null
  /** Numbers of requests. */
  readonly requests: {
    /** Number of requests in the files. */
    readonly read: number
    /** Number of requests to the API that were compared. */
    readonly checked: number
  }
  /** Each gap, with the values that the traffic shows. */
  readonly gaps: { readonly [Name in keyof typeof gapTable]: CalibratedGap }
  /** Each clause, and whether the service keeps it. */
  readonly clauses: CalibratedClauses
  /** Responses that no gap value explains. */
  readonly unexplained: readonly CalibrationProblem[]
  /** Differences from the baseline, if one was given. */
  readonly changes?: readonly string[] | undefined
}

/** Options of `calibrate()`. */
export interface CalibrateOptions {
  /** Address of the API, such as `https://api.example.com/v1`; by default found from the requests' paths. */
  readonly baseUrl?: string | undefined
  /** Earlier report to compare with. */
  readonly baseline?: unknown
}

/**
 * Returns the gap values that a real service uses, by its HAR files, and the clauses of the spec that it breaks.
 *
 * @param harFiles Parsed JSON of the files, which are read as one history.
 * @throws {@link InputError} if a file isn't HAR, if several places could be the API, or if the baseline isn't a
 * report.
 */
export function calibrate(
  harFiles: readonly unknown[],
  { baseUrl, baseline }: CalibrateOptions = {},
): Calibration {
  const history = readArchives(harFiles, baseUrl)
  const groups = groupsOf(history)
  const sequences = history.sequences.map((list) => list.filter(({ isChecked }) => isChecked))
  const checked = sequences.flat()
  const evidence = new Evidence()
  checkWindows(groups, evidence)
  const skew = checkSkew(groups, evidence)
  checkRetryAfter(groups, skew, evidence)
  checkBans(groups, skew, evidence)
  for (const sequence of sequences) checkIds(sequence, evidence)
  checkResponses(sequences, evidence, skew)
  const gaps = evidence.gaps()
  const report: Calibration = {
    calibration: 1,
    baseUrl: history.baseUrl,
    requests: { read: history.read, checked: checked.length },
    gaps: mapTable(gaps, (name) =>
      gaps[name].result === 'confirmed'
        ? gaps[name]
        : { ...gaps[name], ask: askFor(name, history.baseUrl) },
    ),
    clauses: evidence.clauses(),
    unexplained: evidence.unexplained,
  }
  return baseline === undefined ? report : { ...report, changes: changesSince(baseline, report) }
}

/** Returns whether a service matches the spec, or the baseline if there is one. */
export function matchesSpec({ gaps: found, clauses, unexplained, changes }: Calibration): boolean {
  if (changes !== undefined) return changes.length === 0
  const isBroken = Object.values(clauses).some(({ result }) => result === 'broken')
  const isContradicted = gapNames.some((name) => found[name].result === 'contradicted')
  return !isBroken && !isContradicted && unexplained.length === 0
}

/**
 * Lists a service's changes since an earlier report. Newly observed behaviour doesn't count as a change.
 *
 * @throws {@link InputError} if the baseline isn't a report.
 */
function changesSince(baseline: unknown, now: Calibration): string[] {
  const isReport = isRecord(baseline) && baseline.calibration === 1
  if (!isReport || !isRecord(baseline.gaps) || !isRecord(baseline.clauses)) {
    throw new InputError(
      'Cannot compare with the baseline: not a report of calibrate; use a file written by --report json=FILE',
    )
  }
  const { gaps: oldGaps, clauses: oldClauses } = baseline
  const changed = gapNames.flatMap((name) => {
    const old = oldGaps[name]
    if (!isRecord(old) || !Array.isArray(old.values)) return []
    const before = old.values.map(String)
    const { values: after } = now.gaps[name]
    const isSame = before.some((one) => after.some((other) => overlap(name, one, other)))
    if (isSame || (before.length === 0 && after.length === 0)) return []
    return [`${name}: ${listed(before)} before, ${listed(after)} now`]
  })
  const broken = namesOf(now.clauses).filter((name) => {
    const before = Object.hasOwn(oldClauses, name) ? oldClauses[name] : undefined
    const wasBroken = isRecord(before) && before.result === 'broken'
    return now.clauses[name].result === 'broken' && !wasBroken
  })
  const unexplained = Array.isArray(baseline.unexplained) ? baseline.unexplained : []
  const known = new Set(unexplained.map((one) => (isRecord(one) ? one.problem : '')))
  const problems = new Set(now.unexplained.map(({ problem }) => problem))
  return [
    ...changed,
    ...broken.map((name) => `clause ${name} is broken now`),
    ...[...problems].flatMap((one) => (known.has(one) ? [] : `unexplained now: ${one}`)),
  ]
}

function listed(choices: readonly string[]): string {
  return choices.length === 0 ? 'none' : choices.join(' or ')
}

/** Whether two values of a gap have something in common; either may be a range. */
function overlap(name: GapName, one: string, other: string): boolean {
  const [left, right] = [boundsOf(name, one), boundsOf(name, other)]
  return one === other || (left.from <= right.to && right.from <= left.to)
}

/** Returns the bounds of a value or range; `NaN` if it has none. */
function boundsOf(name: GapName, text: string): { from: number; to: number } {
  const { parse, fromText } = gapValue(name)
  const [from = Number.NaN, to = from] = text.split('..').map((one) => {
    try {
      return Number(parse(fromText?.(one) ?? one))
    } catch {
      return Number.NaN
    }
  })
  return { from, to }
}
