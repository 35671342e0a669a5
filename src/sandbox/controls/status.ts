import type { AuditResult } from '../../checks/audit/auditor.ts'
import { type Finding, severities } from '../../checks/audit/finding.ts'
import { type ChangedGap, changedGaps, viewGaps } from '../../mock/api/gaps.ts'
import { type RequestView, requestFilter } from '../../mock/log/request-view.ts'
import { statusOf } from '../../mock/log/show-request.ts'
import type { RateLimitMode } from '../../mock/state/beginning.ts'
import type { ClockReading } from '../../mock/state/clock.ts'
import type { Fault } from '../../mock/state/faults.ts'
import type { State } from '../../mock/state/state.ts'
import type { AuditControls } from './audit.ts'
import { routesOn } from './http/route.ts'
import { type KeyView, viewKey } from './keys.ts'

/** One of the latest requests in a status. */
export interface RecentRequest {
  /** Id of the request in the log. */
  readonly id: number
  /** The sandbox's time at its start, ISO 8601 in UTC. */
  readonly at: string
  /** The method, in upper case. */
  readonly method: string
  /** The request target, with abbreviated keys. */
  readonly url: string
  /** The abbreviated key, if one was sent. */
  readonly key?: string | undefined
  /** The response status, or the kind of broken connection. */
  readonly status: number | 'disconnect' | 'timeout'
  /** The reason for the response in words, with the clause or gap. */
  readonly why: string
}

/** The findings in a status. */
export interface FindingsSummary {
  /** Number of requests that were checked. */
  readonly checked: number
  /** Number of findings for each severity. */
  readonly counts: {
    /** Number of errors. */
    readonly error: number
    /** Number of warnings. */
    readonly warning: number
    /** Number of findings for information. */
    readonly info: number
  }
  /** The three worst findings. */
  readonly worst: readonly Finding[]
}

/** Summary of a sandbox: the state that the other controls return one by one, at a single moment. */
export interface Status {
  /** The clock. */
  readonly clock: ClockReading
  /** Whether limits reject requests, or only count them. */
  readonly rateLimits: RateLimitMode
  /** Numbers of pets, keys and faults in all. */
  readonly counts: {
    /** Number of pets. */
    readonly pets: number
    /** Number of keys. */
    readonly keys: number
    /** Number of faults. */
    readonly faults: number
  }
  /** The first 20 keys. */
  readonly keys: readonly KeyView[]
  /** The first 20 faults. */
  readonly faults: readonly Fault[]
  /** The gaps whose value isn't the default. */
  readonly gaps: readonly ChangedGap[]
  /** The latest 5 requests, oldest first. */
  readonly requests: readonly RecentRequest[]
  /**
   * The findings on clients: the number for each severity, and the worst three. In process, absent until the first
   * call of `findings()`.
   */
  readonly findings?: FindingsSummary | undefined
}

/** Maximum number of keys, and of faults, in a status. */
const maxListed = 20

/** Maximum number of requests in a status. */
const maxRequests = 5

/** Maximum number of findings in a status. */
const maxFindings = 3

/** Returns the status of a sandbox, with the findings so far. */
export function takeStatus(state: State, result: AuditResult | undefined): Status {
  const { clock, rateLimits, pets, gaps, requests } = state
  const keys = state.keys.all()
  const faults = state.faults.list()
  return {
    clock: clock.read(),
    rateLimits,
    counts: { pets: pets.size, keys: keys.length, faults: faults.length },
    keys: keys.slice(0, maxListed).map((key) => viewKey(key, state)),
    faults: faults.slice(0, maxListed),
    gaps: changedGaps(viewGaps(gaps)),
    requests: requests.entries(requestFilter.parse({ limit: maxRequests })).map(recentOf),
    ...(result === undefined ? {} : { findings: summaryOf(result) }),
  }
}

function summaryOf({ findings, requests }: AuditResult): FindingsSummary {
  const bySeverity = severities.map((severity) =>
    findings.filter((one) => one.severity === severity),
  )
  const [errors = [], warnings = [], patterns = []] = bySeverity
  return {
    checked: requests,
    counts: { error: errors.length, warning: warnings.length, info: patterns.length },
    worst: bySeverity.flat().slice(0, maxFindings),
  }
}

function recentOf(entry: RequestView): RecentRequest {
  const { id, at, key, request, why } = entry
  return {
    id,
    at,
    method: request.method,
    url: request.url,
    ...(key === undefined ? {} : { key }),
    status: statusOf(entry),
    why,
  }
}

const route = routesOn<{
  readonly controls: Pick<AuditControls, 'findings'> & { status(): Status }
}>('sandbox')

/** Route of the status. */
export const statusRoutes = {
  status: route('status', {
    summary: 'See where it stands: clock, limits, keys, faults, changed gaps, latest requests',
    description:
      'Summarizes, at one moment, what the other controls return one by one; long lists are cut short.',
    async run({ controls }) {
      // Starts the audit, so that the status includes findings.
      await controls.findings()
      return controls.status()
    },
  }),
} as const
