import type { AuditResult } from '../../checks/audit/auditor.ts'
import { finding, severities } from '../../checks/audit/finding.ts'
import { list, optional, view } from '../input/object.ts'
import { described, type Input, named } from '../input/schema.ts'
import { either, instantText, integer, oneOf, string } from '../input/values.ts'
import { outcomeStatus, type RequestView, requestFilter } from '../log/request-view.ts'
import { changedGaps, gapNames, viewGaps } from '../spec/gaps.ts'
import { rateLimitMode } from '../state/beginning.ts'
import type { State } from '../state/state.ts'
import type { AuditControls } from './audit.ts'
import { clockView } from './clock.ts'
import { faultView } from './faults.ts'
import { routesOn } from './http/route.ts'
import { keyView, viewKey } from './keys.ts'

const count = integer(0, 1e15)

const changedGap = view({
  gap: oneOf(gapNames),
  value: either(string, integer(0, 1e15)),
  default: either(string, integer(0, 1e15)),
})

const recentRequest = view({
  id: integer(1, 1e15),
  at: instantText,
  method: string,
  url: string,
  key: optional(described('The beginning of the key, if one was sent.', string)),
  status: described('The status, or how the connection broke.', outcomeStatus),
  why: described('The reason for the response, with the clause or gap.', string),
})

/** Summary of a sandbox. */
export const statusView = named(
  'Status',
  view({
    clock: clockView,
    rateLimits: rateLimitMode,
    counts: described(
      'How many there are in all.',
      view({ pets: count, keys: count, faults: count }),
    ),
    keys: described('The first 20 keys.', list(keyView)),
    faults: described('The first 20 faults.', list(faultView)),
    gaps: described('The gaps whose value is not the default.', list(changedGap)),
    requests: described('The latest 5 requests, oldest first.', list(recentRequest)),
    findings: optional(
      described(
        'The findings on clients: how many of each severity, and the worst three. In process, absent until you first call `findings()`.',
        view({
          checked: count,
          counts: view({ error: count, warning: count, info: count }),
          worst: list(finding),
        }),
      ),
    ),
  }),
)

/** Summary of a sandbox: the state that the other controls return one by one, at a single moment. */
export type Status = Input<typeof statusView>

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
