import { createControls, type StateControls } from '../../mock/controls/controls.ts'
import { UnderWay } from '../../mock/controls/under-way.ts'
import { handle } from '../../mock/engine/handle.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { readInput } from '../../mock/input/schema.ts'
import { lastInstantAt } from '../../mock/input/values.ts'
import { SharedMemory } from '../../mock/log/byte-budget.ts'
import type { ControlStep, RequestStep } from '../../mock/log/recording.ts'
import { Redactor } from '../../mock/log/redactor.ts'
import { endpoints, sunsetOf } from '../../mock/spec/endpoints.ts'
import { type GapName, type GapSettings, type GapValues, gapNames } from '../../mock/spec/gaps.ts'
import type { Outcome } from '../../mock/spec/message.ts'
import type { SandboxConfig } from '../../mock/state/beginning.ts'
import { freshState, readSnapshot, type State } from '../../mock/state/state.ts'

/** Has left: so no fault waits. */
const gone = AbortSignal.abort()

/** What a world takes over of how a sandbox began; it shares nothing with it. */
export type ReplayConfig = Pick<
  SandboxConfig,
  'seed' | 'randomSeed' | 'gaps' | 'rateLimits' | 'limits'
>

/** What a world takes of a step, whether it was recorded or captured. */
type ReplayStep = ControlStep | Pick<RequestStep, 'do' | 'at' | 'request'>

/** A sandbox that is taken through the steps of another one, if need be under other choices at some gaps. */
export class ReplaySandbox {
  #state: State
  readonly #controls: StateControls
  readonly #tried: GapOverrides

  constructor(beginning: ReplayConfig, other: Partial<GapValues> = {}) {
    this.#tried = new GapOverrides(other, beginning.gaps)
    // Each step says when it was; so no clock runs, and nothing is kept of what is only looked at.
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
      shown: undefined,
      replace: (next) => {
        this.#state = next
      },
      fresh: (seed = this.#state.seed) => freshState(begun, seed),
      restored: (snapshot) =>
        readInput({ parse: (found) => readSnapshot(found, begun) }, snapshot, 'snapshot'),
      coverage: () => Promise.reject(new InputError('Cannot report coverage: a replay has none')),
      keepSecret() {},
      shareMemory() {},
    })
  }

  /** Takes a step; returns the outcome of a request. */
  async take(step: ReplayStep): Promise<Outcome | undefined> {
    this.#tried.enter(step, this.#controls)
    if (step.do === 'control') return undefined
    const arrived = this.#state.requests.arrive('direct', undefined)
    return await handle(step.request, this.#state, arrived, gone)
  }

  /**
   * Chooses otherwise from now on.
   *
   * @throws {@link InputError} for what is no choice.
   */
  choose(gaps: GapSettings): void {
    this.#controls.setGaps(gaps)
  }
}

/** Carries out a control as it was recorded. */
function replayControl(controls: StateControls, { name, given }: ControlStep): void {
  const [group = '', member] = name.split('.')
  const owner: object = member === undefined ? controls : Reflect.get(controls, group)
  try {
    Reflect.apply(Reflect.get(owner, member ?? group), owner, given)
  } catch (thrown) {
    // What a control is about may not be there under another choice.
    if (!(thrown instanceof InputError)) throw thrown
  }
}

/** Choices that are tried in place of those with which a sandbox began; a choice that a control makes stays as it is. */
export class GapOverrides {
  readonly #tried: Partial<GapValues>
  readonly #begun: GapValues
  readonly #chosen = new Set<GapName>()
  /** How much later it is than it was, since a scenario has set the clock to another instant. */
  #laterMs = 0

  /** @param begun The choices with which the sandbox began. */
  constructor(tried: Partial<GapValues>, begun: GapValues) {
    this.#tried = tried
    this.#begun = begun
  }

  /**
   * Brings a sandbox to a step: to its time, at which the clock stands still, since each step has its own. Carries out a
   * control; it is for others to answer a request.
   */
  enter(step: ReplayStep, controls: StateControls): void {
    controls.state().clock.set(Math.min(step.at + this.#laterMs, lastInstantAt))
    if (step.do === 'request') return
    // What moved the clock then shows in the times of the steps.
    if (!step.name.startsWith('clock.')) {
      replayControl(controls, step)
      controls.state().clock.freeze()
    }
    const again = this.#after(step, controls.state().gaps)
    if (Object.keys(again).length > 0) controls.setGaps(again)
  }

  /**
   * Notes a control that was executed.
   *
   * @param inForce The choices after it.
   * @returns The choices that are to be in force again.
   */
  #after({ name, given: [first] }: ControlStep, inForce: GapValues): Partial<GapValues> {
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
      this.#laterMs =
        sunsetOf(deprecated, inForce.sunsetTime) - sunsetOf(deprecated, before.sunsetTime)
    }
    const isMode = name === 'clock.update' && 'mode' in given && given.mode === 'system'
    const isSet = name === 'clock.set' || (name === 'clock.update' && 'set' in given)
    if (isSet || isMode || name === 'clock.useSystemTime' || resets('clock')) this.#laterMs = 0
    if (name !== 'restore') return {}
    this.#laterMs = 0
    // A snapshot has all choices; who takes one under these has them in it where it has those of the beginning now.
    for (const gap of gapNames) {
      if (inForce[gap] === this.#begun[gap]) this.#chosen.delete(gap)
      else this.#chosen.add(gap)
    }
    return this.#pick(this.#tried)
  }

  /** The choices at the gaps that are tried now. */
  #pick(choices: Partial<GapValues>): Partial<GapValues> {
    const tried = gapNames.filter((gap) => gap in this.#tried && !this.#chosen.has(gap))
    return Object.fromEntries(tried.map((gap) => [gap, choices[gap]]))
  }
}
