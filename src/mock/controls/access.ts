import type { AuditResult } from '../../checks/audit/auditor.ts'
import type { CoverageReport } from '../../checks/coverage/coverage-report.ts'
import type { SharedMemory } from '../log/byte-budget.ts'
import type { ControlCall, ControlObserver } from '../log/recording.ts'
import type { SandboxEvent } from '../log/request-log.ts'
import type { StateChangeKind } from '../log/request-view.ts'
import type { SeedPart } from '../state/beginning.ts'
import type { State } from '../state/state.ts'
import type { UnderWay } from './under-way.ts'

/** How controls reach their sandbox's state, which a change of a part, a reset or a restore replaces. */
export interface ControlContext {
  state(): State
  readonly observer: ControlObserver | undefined
  /** All that has happened, as far as it is known, for who judges it. */
  past(): SandboxEvent[]
  /** The requests that wait for their response. */
  readonly underWay: UnderWay
  /** The verdict of a report that is only shown; else clients are judged. */
  readonly shown: AuditResult | undefined
  /** Hides a text from now on as if it were a key. */
  keepSecret(text: string): void
  /** @throws {@link FullError} when there is no room for the state; then nothing changes. */
  replace(state: State): void
  /** Makes the state that the sandbox starts with, with another seed if one is given. */
  fresh(seed?: SeedPart): State
  /** Reads a snapshot of any sandbox as a state of this one. */
  restored(snapshot: unknown): State
  /** Lets the sandbox share memory with others. */
  shareMemory(memory: SharedMemory): void
  coverage(): Promise<CoverageReport>
}

/** Makes functions into controls of which the observer hears, by their names. */
export function recorded({ state, observer }: ControlContext) {
  return <Given extends readonly unknown[], Answer>(
    name: ControlCall['name'],
    control: (...given: Given) => Answer,
  ) =>
    (...given: Given): Answer => {
      const call = { at: state().clock.now(), name, given }
      const run = () => control(...given)
      return observer === undefined ? run() : observer.execute(call, run)
    }
}

/** Puts a mark into the journal of the state in force, at its time. */
export function markChange({ state }: ControlContext, kind: StateChangeKind): void {
  const { requests, clock } = state()
  requests.mark(kind, clock.now())
}

/** Makes functions that change something into controls of which the observer hears, and which leave a mark. */
export function mutation(access: ControlContext, kind: StateChangeKind) {
  const observed = recorded(access)
  return <Given extends readonly unknown[], Answer>(
    name: ControlCall['name'],
    change: (...given: Given) => Answer,
  ) =>
    observed(name, (...given: Given) => {
      const answer = change(...given)
      markChange(access, kind)
      return answer
    })
}
