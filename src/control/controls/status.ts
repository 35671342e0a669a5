import type { Judgement } from '../../audit/auditor.ts'
import { severities } from '../../audit/severity.ts'
import { changedGaps, type GapView } from '../../contract/gap-settings.ts'
import type { RateLimitMode } from '../../state/beginning.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import type { State } from '../../state/state.ts'
import type { Status } from '../views/status-view.ts'
import type { ClockControls } from './clock-controls.ts'
import type { FaultControls } from './fault-controls.ts'
import type { JournalControls } from './journal-controls.ts'
import type { KeyControls } from './key-controls.ts'
import type { PetControls } from './pet-controls.ts'

/** The controls that tell where a sandbox stands. */
interface Gauges {
  readonly clock: ClockControls
  readonly pets: PetControls
  readonly keys: KeyControls
  readonly faults: FaultControls
  readonly journal: JournalControls
  readonly gaps: GapView
  readonly rateLimit: RateLimitMode
  state(): State
  judgementSoFar(): Judgement | undefined
}

/** How many keys and faults a status lists at most. */
const maxListed = 20

/** How many exchanges a status lists at most. */
const maxRequests = 5

/** How many findings a status lists at most. */
const maxFindings = 3

/** Takes a look at a sandbox. */
export function takeStatus(controls: Gauges): Status {
  const { clock, rateLimit, pets, keys, gaps, journal } = controls
  const all = controls.state().keys.all()
  const faults = controls.faults.list()
  const judgement = controls.judgementSoFar()
  return {
    clock: clock.read(),
    rateLimit,
    counts: { pets: pets.size, keys: all.length, faults: faults.length },
    keys: all.slice(0, maxListed).map(({ key }) => keys.get(key)),
    faults: faults.slice(0, maxListed),
    gaps: changedGaps(gaps),
    requests: journal.entries({ limit: maxRequests }).map(recentOf),
    ...(judgement === undefined ? {} : { findings: summaryOf(judgement) }),
  }
}

function summaryOf({ findings, judged }: Judgement): NonNullable<Status['findings']> {
  const bySeverity = severities.map((severity) =>
    findings.filter((one) => one.severity === severity),
  )
  const [errors = [], warnings = [], patterns = []] = bySeverity
  return {
    judged,
    counts: { error: errors.length, warning: warnings.length, info: patterns.length },
    worst: bySeverity.flat().slice(0, maxFindings),
  }
}

function recentOf(entry: JournalEntry): Status['requests'][number] {
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
