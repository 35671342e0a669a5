import { runStep } from '../../mock/api/control-step.ts'
import { endpoints, sunsetOf } from '../../mock/api/endpoints.ts'
import { type GapName, type GapSettings, type GapValues, gapNames } from '../../mock/api/gaps.ts'
import type { Outcome } from '../../mock/api/message.ts'
import { handle } from '../../mock/engine/handle.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { readInput } from '../../mock/input/schema.ts'
import { lastInstantAt } from '../../mock/input/values.ts'
import type { RecordedControl, RecordedRequest } from '../../mock/log/recording.ts'
import { Redactor } from '../../mock/log/redactor.ts'
import { SharedMemory } from '../../mock/log/shared-memory.ts'
import type { SandboxConfig } from '../../mock/state/beginning.ts'
import { freshState, readSnapshot, type State } from '../../mock/state/state.ts'
import { createControls, type StateControls } from '../controls/controls.ts'
import { UnderWay } from '../controls/under-way.ts'

/** Signal of a client that has disconnected, so that no fault waits. */
const abortedSignal = AbortSignal.abort()

/** Part of a sandbox's configuration that a replay uses; the two share no state. */
export type ReplayConfig = Pick<
  SandboxConfig,
  'seed' | 'randomSeed' | 'gaps' | 'rateLimits' | 'limits'
>

/** Part of a step that a replay uses, whether the step was recorded or captured. */
type ReplayStep = RecordedControl | Pick<RecordedRequest, 'do' | 'at' | 'request'>

/** A sandbox that replays the steps of another one, optionally with other gap values. */
export class ReplaySandbox {
  #state: State
  readonly #controls: StateControls
  readonly #tried: GapOverrides

  constructor(beginning: ReplayConfig, other: Partial<GapValues> = {}) {
    this.#tried = new GapOverrides(other, beginning.gaps)
    // Each step has its own time, so the clock is frozen. The log keeps no requests, since none are shown.
    const begun: SandboxConfig = {
      ...beginning,
      gaps: { ...beginning.gaps, ...other },
      clock: { mode: 'frozen', now: 0, speed: 1 },
      maxRequests: 0,
      memory: new SharedMemory(),
      redactor: new Redactor(),
      secrets: new Set(),
    }
    this.#state = freshState(begun)
    this.#controls = createControls({
      state: () => this.#state,
      observer: undefined,
      underWay: new UnderWay(),
      past: () => this.#state.requests.past(),
      replace: (next) => {
        this.#state = next
      },
      fresh: (seed = this.#state.seed) => freshState(begun, seed),
      restored: (snapshot) =>
        readInput({ parse: (found) => readSnapshot(found, begun) }, snapshot, 'snapshot'),
      coverage: false,
      keepSecret() {},
      shareMemory() {},
    })
  }

  /** Replays a step; returns the outcome of a request. */
  async take(step: ReplayStep): Promise<Outcome | undefined> {
    this.#tried.enter(step, this.#controls)
    if (step.do === 'control') return undefined
    const arrived = this.#state.requests.arrive('direct', undefined)
    return await handle(step.request, this.#state, arrived, abortedSignal)
  }

  /**
   * Sets gaps from this step on.
   *
   * @throws {@link InputError} for an invalid value.
   */
  choose(gaps: GapSettings): void {
    this.#controls.setGaps(gaps)
  }
}

/** Executes a control call as it was recorded. */
function replayControl(controls: StateControls, { name, given }: RecordedControl): void {
  try {
    runStep(controls, { control: name, args: given })
  } catch (thrown) {
    // The target of a control may not exist with other gap values.
    if (!(thrown instanceof InputError)) throw thrown
  }
}

/** Gap values that replace those a sandbox began with; a value that a control sets stays as it is. */
export class GapOverrides {
  readonly #tried: Partial<GapValues>
  readonly #begun: GapValues
  readonly #chosen = new Set<GapName>()
  /** Offset added to recorded step times after a scenario moved the clock, in milliseconds. */
  #clockShiftMs = 0

  /** @param begun Gap values that the sandbox began with. */
  constructor(tried: Partial<GapValues>, begun: GapValues) {
    this.#tried = tried
    this.#begun = begun
  }

  /**
   * Brings a sandbox to a step: sets the frozen clock to the time of the step, and executes a control. The caller
   * handles a request.
   */
  enter(step: ReplayStep, controls: StateControls): void {
    controls.state().clock.set(Math.min(step.at + this.#clockShiftMs, lastInstantAt))
    if (step.do === 'request') return
    // The times of the steps already show what the clock's controls did.
    if (!step.name.startsWith('clock.')) {
      replayControl(controls, step)
      controls.state().clock.freeze()
    }
    const again = this.#after(step, controls.state().gaps)
    if (Object.keys(again).length > 0) controls.setGaps(again)
  }

  /**
   * Records a control that was executed.
   *
   * @param inForce Gap values after the control.
   * @returns Gap values to set again.
   */
  #after({ name, given: [first] }: RecordedControl, inForce: GapValues): Partial<GapValues> {
    const given: object = typeof first === 'object' && first !== null ? first : {}
    const resets = (part: string): boolean =>
      name === 'reset' &&
      (!('only' in given) || !Array.isArray(given.only) || given.only.includes(part))
    if (name === 'setGaps') {
      for (const gap of gapNames) if (gap in given) this.#chosen.add(gap)
    }
    if (resets('gaps')) this.#chosen.clear()
    if (name === 'scenario' && (first === 'sunset-tomorrow' || first === 'sunset-passed')) {
      const { deprecated } = endpoints.getPet
      const before = { ...inForce, ...this.#pick(this.#begun) }
      this.#clockShiftMs =
        sunsetOf(deprecated, inForce.sunsetTime) - sunsetOf(deprecated, before.sunsetTime)
    }
    const isMode = name === 'clock.update' && 'mode' in given && given.mode === 'system'
    const isSet = name === 'clock.set' || (name === 'clock.update' && 'set' in given)
    if (isSet || isMode || name === 'clock.useSystemTime' || resets('clock')) this.#clockShiftMs = 0
    if (name !== 'restore') return {}
    this.#clockShiftMs = 0
    // A snapshot contains all values. Where it has an initial value, one taken in this replay would have the tried
    // value.
    for (const gap of gapNames) {
      if (inForce[gap] === this.#begun[gap]) this.#chosen.delete(gap)
      else this.#chosen.add(gap)
    }
    return this.#pick(this.#tried)
  }

  /** Returns the given values of the gaps that are overridden now. */
  #pick(choices: Partial<GapValues>): Partial<GapValues> {
    const tried = gapNames.filter((gap) => gap in this.#tried && !this.#chosen.has(gap))
    return Object.fromEntries(tried.map((gap) => [gap, choices[gap]]))
  }
}
