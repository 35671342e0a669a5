import type { GapSettings } from '../contract/gap-settings.ts'
import type { GapChoices } from '../contract/gaps.ts'
import type { Outcome } from '../contract/message.ts'
import { createControls, type StateControls } from '../control/controls.ts'
import { handle } from '../engine/handle.ts'
import { InputError } from '../input/input-error.ts'
import { readInput } from '../input/schema.ts'
import type { Beginning } from '../state/beginning.ts'
import { SharedMemory } from '../state/limits.ts'
import { Redactor } from '../state/redactor.ts'
import { freshState, readSnapshot, type State } from '../state/state.ts'
import { callControl } from './call-control.ts'
import type { ControlStep, Step } from './step-record.ts'
import { TriedChoices } from './tried-choices.ts'

/** Has left: so no fault waits. */
const gone = AbortSignal.abort()

/** Gives a beginning whose worlds share nothing with sandboxes. */
export function replayable(beginning: Beginning): Beginning {
  return { ...beginning, memory: new SharedMemory(), redactor: new Redactor() }
}

/** A sandbox that is taken through the steps of another one, if need be under other choices at some gaps. */
export class World {
  #state: State
  readonly #controls: StateControls
  readonly #tried: TriedChoices

  constructor(beginning: Beginning, other: Partial<GapChoices> = {}) {
    this.#tried = new TriedChoices(other, beginning.gaps)
    // Each step says when it was; so no clock runs, and nothing is kept of what is only looked at.
    const begun: Beginning = {
      ...beginning,
      gaps: { ...beginning.gaps, ...other },
      clock: { mode: 'frozen', now: 0, scale: 1 },
      journalSize: 0,
    }
    this.#state = freshState(begun)
    this.#controls = createControls({
      state: () => this.#state,
      observers: [],
      past: () => this.#state.journal.past(),
      shown: undefined,
      replace: (next) => {
        this.#state = next
      },
      fresh: (seed = this.#state.seed) => freshState(begun, seed),
      restored: (snapshot) =>
        readInput({ read: (found) => readSnapshot(found, begun) }, snapshot, 'snapshot'),
      coverage: () => Promise.reject(new InputError('Cannot report coverage: a replay has none')),
      keepSecret() {},
      bounds: () => begun,
      shareMemory() {},
    })
  }

  /** Takes a step; gives the outcome of a request. */
  async take(step: Step): Promise<Outcome | undefined> {
    const { clock } = this.#state
    clock.set(this.#tried.timeOf(step))
    if (step.kind === 'request') {
      const visit = this.#state.journal.visit('direct', undefined)
      return await handle(step.request, this.#state, visit, gone)
    }
    this.#control(step)
    return undefined
  }

  /**
   * Chooses otherwise from now on.
   *
   * @throws {@link InputError} for what is no choice.
   */
  choose(gaps: GapSettings): void {
    this.#controls.setGaps(gaps)
  }

  #control(step: ControlStep): void {
    // Each step has its time.
    if (!step.name.startsWith('clock.')) {
      try {
        callControl(this.#controls, step.name, step.given)
      } catch (thrown) {
        // What a control is about may not be there under another choice.
        if (!(thrown instanceof InputError)) throw thrown
      }
      this.#state.clock.freeze()
    }
    const { gaps } = this.#state
    this.#state = { ...this.#state, gaps: { ...gaps, ...this.#tried.after(step, gaps) } }
  }
}
