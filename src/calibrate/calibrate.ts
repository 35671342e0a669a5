import { type GapName, gapNames } from '../contract/gaps.ts'
import { InputError } from '../input/input-error.ts'
import { mapTable } from '../input/record.ts'
import { askFor } from './ask-for.ts'
import { changesSince } from './changes-since.ts'
import {
  type CalibratedClause,
  type CalibratedGap,
  type CalibrationProblem,
  type ClauseName,
  Findings,
} from './findings.ts'
import { judgeIds } from './judge-ids.ts'
import { judgeQuotas } from './judge-quotas.ts'
import { judgeReplies } from './judge-replies.ts'
import { readArchives } from './read-archives.ts'

export type { CalibratedClause, CalibratedGap, CalibrationProblem } from './findings.ts'

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
  const findings = new Findings()
  const mostSkew = judgeQuotas(history, findings)
  judgeIds(exchanges, findings)
  judgeReplies(exchanges, findings, mostSkew)
  const gaps = findings.gaps()
  const report: Calibration = {
    calibration: 1,
    baseUrl: history.baseUrl,
    exchanges: { read: history.read, judged: exchanges.filter(({ isJudged }) => isJudged).length },
    gaps: mapTable(gaps, (name) =>
      gaps[name].verdict === 'shown'
        ? gaps[name]
        : { ...gaps[name], ask: askFor(name, history.baseUrl) },
    ),
    clauses: findings.clauses(),
    unexplained: findings.unexplained,
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
