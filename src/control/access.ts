import type { Judgement } from '../audit/auditor.ts'
import type { CoverageReport } from '../coverage/coverage-report.ts'
import type { SeedPart } from '../state/beginning.ts'
import type { Happening } from '../state/journal.ts'
import type { MarkKind } from '../state/journal-entry.ts'
import type { SharedMemory } from '../state/limits.ts'
import type { State } from '../state/state.ts'
import type { UnderWay } from './under-way.ts'

/** The controls that change what a sandbox answers; none of these is asynchronous. */
export const changingControls = [
  'clock.advance',
  'clock.set',
  'clock.freeze',
  'clock.resume',
  'clock.scale',
  'clock.followSystem',
  'clock.change',
  'pets.create',
  'pets.change',
  'pets.delete',
  'pets.clear',
  'keys.issue',
  'keys.change',
  'keys.delete',
  'keys.setRemaining',
  'faults.add',
  'faults.remove',
  'faults.clear',
  'setGaps',
  'setRateLimit',
  'scenario',
  'reset',
  'reseed',
  'restore',
] as const

/** A control that is executed. */
export interface ControlCall {
  /** When, on the sandbox's clock. */
  readonly at: number
  readonly name: (typeof changingControls)[number]
  readonly given: readonly unknown[]
}

/** Is told of controls that change something. */
export interface ControlObserver {
  /** Executes a control, and those that it calls itself. */
  execute<Answer>(call: ControlCall, run: () => Answer): Answer
}

/** How controls reach their sandbox's state, which a change of a part, a reset or a restore replaces. */
export interface Access {
  state(): State
  readonly observer: ControlObserver | undefined
  /** All that has happened, as far as it is known, for who judges it. */
  past(): Happening[]
  readonly underWay: UnderWay
  /** The verdict of a report that is only shown; else clients are judged. */
  readonly shown: Judgement | undefined
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
  /** @throws {@link InputError} when coverage is off. */
  coverage(): Promise<CoverageReport>
}

/** Makes functions into controls of which the observer hears, by their names. */
export function observing({ state, observer }: Access) {
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
export function markChange({ state }: Access, kind: MarkKind): void {
  const { journal, clock } = state()
  journal.mark(kind, clock.now())
}

/** Makes functions that change something into controls of which the observer hears, and which leave a mark. */
export function changing(access: Access, kind: MarkKind) {
  const observed = observing(access)
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
