import type { ControlObserver } from '../../mock/log/recording.ts'
import type { SandboxEvent } from '../../mock/log/request-log.ts'
import type { StateChangeKind } from '../../mock/log/request-view.ts'
import type { SharedMemory } from '../../mock/log/shared-memory.ts'
import type { SeedPart } from '../../mock/state/beginning.ts'
import type { State } from '../../mock/state/state.ts'
import type { ChangingControl } from './http/routes.ts'
import type { UnderWay } from './under-way.ts'

/** Access of controls to their sandbox, whose state object changes of a part, resets and restores replace. */
export interface ControlContext {
  state(): State
  readonly observer: ControlObserver | undefined
  /** Returns all events still known, for the audit. */
  past(): SandboxEvent[]
  /** Requests that wait for their response. */
  readonly underWay: UnderWay
  /** Redacts a text from now on, like a key. */
  keepSecret(text: string): void
  /** @throws {@link FullError} if the state doesn't fit into memory limits; then nothing changes. */
  replace(state: State): void
  /** Creates the initial state of the sandbox, with another seed if one is given. */
  fresh(seed?: SeedPart): State
  /** Parses a snapshot of any sandbox into a state of this one. */
  restored(snapshot: unknown): State
  /** Makes the sandbox share memory budgets with others. */
  shareMemory(memory: SharedMemory): void
  /** Whether coverage is recorded from the first request on; by default only under `check`. */
  readonly coverage: boolean | undefined
}

/** Returns a function that turns functions into controls that the observer records by name. */
export function recorded({ state, observer }: ControlContext) {
  return <Given extends readonly unknown[], Result>(
    name: ChangingControl,
    control: (...given: Given) => Result,
  ) =>
    (...given: Given): Result => {
      const call = { at: state().clock.now(), name, given }
      const run = () => control(...given)
      return observer === undefined ? run() : observer.execute(call, run)
    }
}

/** Adds an event to the request log of the current state, at its time. */
export function markChange({ state }: ControlContext, kind: StateChangeKind): void {
  const { requests, clock } = state()
  requests.mark(kind, clock.now())
}

/** As {@link recorded}, for controls that change something: each call also adds an event to the request log. */
export function mutation(access: ControlContext, kind: StateChangeKind) {
  const observed = recorded(access)
  return <Given extends readonly unknown[], Result>(
    name: ChangingControl,
    change: (...given: Given) => Result,
  ) =>
    observed(name, (...given: Given) => {
      const result = change(...given)
      markChange(access, kind)
      return result
    })
}
