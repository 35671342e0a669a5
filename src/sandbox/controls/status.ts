import type { AuditResult } from '../../checks/audit/auditor.ts'
import { type Finding, finding, severities } from '../../checks/audit/finding.ts'
import { type ChangedGap, changedGaps, gapNames, viewGaps } from '../../mock/api/gaps.ts'
import { list, optional, view } from '../../mock/input/object.ts'
import { described, type Input, named } from '../../mock/input/schema.ts'
import { either, instantText, integer, oneOf, string } from '../../mock/input/values.ts'
import { outcomeStatus, type RequestView, requestFilter } from '../../mock/log/request-view.ts'
import { rateLimitMode } from '../../mock/state/beginning.ts'
import type { State } from '../../mock/state/state.ts'
import type { AuditControls } from './audit.ts'
import { clockView } from './clock.ts'
import { faultView } from './faults.ts'
import { routesOn } from './http/route.ts'
import { type KeyView, keyView, viewKey } from './keys.ts'

const count = integer(0, 1e15)

const changedGap = view({
  /** Name of the gap. */
  gap: oneOf(gapNames),
  /** Its value; a duration or an instant is text. */
  value: either(string, integer(0, 1e15)),
  /** Its default. */
  default: either(string, integer(0, 1e15)),
})

const recentRequest = view({
  /** Id of the request in the log. */
  id: integer(1, 1e15),
  /** The sandbox's time at its start, ISO 8601 in UTC. */
  at: instantText,
  /** The method, in upper case. */
  method: string,
  /** The request target, with abbreviated keys. */
  url: string,
  /** The abbreviated key, if one was sent. */
  key: optional(described('The beginning of the key, if one was sent.', string)),
  /** The response status, or the kind of broken connection. */
  status: described('The status, or how the connection broke.', outcomeStatus),
  /** The reason for the response in words, with the clause or gap. */
  why: described('The reason for the response, with the clause or gap.', string),
})

/** One of the latest requests in a status. */
export interface RecentRequest extends Input<typeof recentRequest> {}

const findingsSummary = view({
  /** Number of requests that were checked. */
  checked: count,
  /** Number of findings for each severity. */
  counts: view({
    /** Number of errors. */
    error: count,
    /** Number of warnings. */
    warning: count,
    /** Number of findings for information. */
    info: count,
  }),
  /** The three worst findings. */
  worst: list<Finding, Finding>(finding),
})

/** The findings in a status. */
export interface FindingsSummary extends Input<typeof findingsSummary> {}

/** Summary of a sandbox. */
export const statusView = named(
  'Status',
  view({
    /** The clock. */
    clock: clockView,
    /** Whether limits reject requests, or only count them. */
    rateLimits: rateLimitMode,
    /** Numbers of pets, keys and faults in all. */
    counts: described(
      'How many there are in all.',
      view({
        /** Number of pets. */
        pets: count,
        /** Number of keys. */
        keys: count,
        /** Number of faults. */
        faults: count,
      }),
    ),
    /** The first 20 keys. */
    keys: described('The first 20 keys.', list<KeyView, KeyView>(keyView)),
    /** The first 20 faults. */
    faults: described('The first 20 faults.', list(faultView)),
    /** The gaps whose value isn't the default. */
    gaps: described(
      'The gaps whose value is not the default.',
      list<ChangedGap, ChangedGap>(changedGap),
    ),
    /** The latest 5 requests, oldest first. */
    requests: described(
      'The latest 5 requests, oldest first.',
      list<RecentRequest, RecentRequest>(recentRequest),
    ),
    /**
     * The findings on clients: the number for each severity, and the worst three. In process, absent until the first
     * call of `findings()`.
     */
    findings: optional<FindingsSummary, FindingsSummary>(
      described(
        'The findings on clients: how many of each severity, and the worst three. In process, absent until you first call `findings()`.',
        findingsSummary,
      ),
    ),
  }),
)

/** Summary of a sandbox: the state that the other controls return one by one, at a single moment. */
export interface Status extends Input<typeof statusView> {}

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

function summaryOf({ findings, requests }: AuditResult): NonNullable<Status['findings']> {
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

function recentOf(entry: RequestView): Status['requests'][number] {
  const { id, at, key, request, outcome, why } = entry
  return {
    id,
    at,
    method: request.method,
    url: request.url,
    ...(key === undefined ? {} : { key }),
    status: 'status' in outcome ? outcome.status : outcome.kind,
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
    output: statusView,
    async run({ controls }) {
      // Starts the audit, so that the status includes findings.
      await controls.findings()
      return controls.status()
    },
  }),
} as const
