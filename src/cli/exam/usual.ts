import type { OperationName } from '../../contract/endpoints.ts'
import { wholeSuite } from '../../explore/suite/observation.ts'
import type { RowRun } from '../explore/suite/suite-runner.ts'
import type { ProvedFinding, RequestDigest, Testimony } from './witness.ts'

/** What a suite and its client do when nothing goes wrong; further runs are held against it. */
export interface Usual {
  /** How many tests there are; 0 if single tests aren't known. */
  readonly tests: number
  /** How long the longest run has taken. */
  readonly ms: number
  readonly requests: number
  /** How often each request comes at most. */
  readonly sent: ReadonlyMap<RequestDigest, number>
  readonly broken: ReadonlyMap<string, string>
  readonly operations: ReadonlySet<OperationName>
  readonly isParallel: boolean
  readonly findings: readonly ProvedFinding[]
  readonly coverage: Testimony['coverage']
}

/** Puts together what the runs at the defaults have shown. */
export function usualOf(
  runs: readonly RowRun[],
  [first, ...others]: readonly [Testimony, ...Testimony[]],
): Usual {
  const all = [first, ...others]
  const sent = new Map<RequestDigest, number>()
  for (const [request, count] of all.flatMap((one) => [...one.sent])) {
    sent.set(request, Math.max(count, sent.get(request) ?? 0))
  }
  const names = new Set(runs.flatMap(({ results }) => [...results.keys()]))
  names.delete(wholeSuite)
  return {
    tests: names.size,
    ms: Math.max(...runs.map(({ command }) => command.ms)),
    requests: Math.max(...all.map(({ requests }) => requests)),
    sent,
    broken: new Map(all.flatMap(({ broken }) => [...broken])),
    operations: new Set(all.flatMap(({ operations }) => [...operations])),
    isParallel: all.some(({ isParallel }) => isParallel),
    findings: first.findings,
    coverage: first.coverage,
  }
}

/** The requests that were sent again, and how much more often than by the suite itself. */
export function resentIn({ sent }: Testimony, usual: Usual): ReadonlyMap<RequestDigest, number> {
  const more = [...sent].map(([request, count]): [RequestDigest, number] => [
    request,
    count - Math.max(usual.sent.get(request) ?? 0, 1),
  ])
  return new Map(more.filter(([, count]) => count > 0))
}
