import { endpoints, sunsetOf } from '../contract/endpoints.ts'
import { type GapChoices, type GapName, type GapSettings, gapNames } from '../contract/gaps.ts'
import type { Outcome } from '../contract/message.ts'
import { yieldToEventLoop } from '../contract/yield-to-event-loop.ts'
import { createControls, type StateControls } from '../control/controls.ts'
import { handle } from '../engine/handle.ts'
import { InputError } from '../input/input-error.ts'
import { readInput } from '../input/schema.ts'
import { lastInstantAt } from '../input/values.ts'
import type { Beginning } from '../state/beginning.ts'
import { realNow } from '../state/clock.ts'
import { SharedMemory } from '../state/limits.ts'
import { Redactor } from '../state/redactor.ts'
import { freshState, readSnapshot, type State } from '../state/state.ts'
import type { ControlStep, RequestStep } from './step-record.ts'

/** Has left: so no fault waits. */
const gone = AbortSignal.abort()

/** What a world takes over of how a sandbox began; it shares nothing with it. */
export type WorldBeginning = Pick<
  Beginning,
  'seed' | 'randomSeed' | 'gaps' | 'rateLimit' | 'limits'
>

/** What a world takes of a step, whether it was recorded or captured. */
type WorldStep = ControlStep | Pick<RequestStep, 'do' | 'at' | 'request'>

/** A sandbox that is taken through the steps of another one, if need be under other choices at some gaps. */
export class World {
  #state: State
  readonly #controls: StateControls
  readonly #tried: TriedChoices

  constructor(beginning: WorldBeginning, other: Partial<GapChoices> = {}) {
    this.#tried = new TriedChoices(other, beginning.gaps)
    // Each step says when it was; so no clock runs, and nothing is kept of what is only looked at.
    const begun: Beginning = {
      ...beginning,
      gaps: { ...beginning.gaps, ...other },
      clock: { mode: 'frozen', now: 0, scale: 1 },
      journalSize: 0,
      memory: new SharedMemory(),
      redactor: new Redactor(),
      secrets: new Set(),
    }
    this.#state = freshState(begun)
    this.#controls = createControls({
      state: () => this.#state,
      observer: undefined,
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
      shareMemory() {},
    })
  }

  /** Takes a step; gives the outcome of a request. */
  async take(step: WorldStep): Promise<Outcome | undefined> {
    const { clock } = this.#state
    clock.set(this.#tried.timeOf(step))
    if (step.do === 'request') {
      const visit = this.#state.journal.visit('direct', undefined)
      return await handle(step.request, this.#state, visit, gone)
    }
    replayControl(this.#controls, step)
    const { gaps } = this.#state
    this.#state = { ...this.#state, gaps: { ...gaps, ...this.#tried.after(step, gaps) } }
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
}

/** Carries out a control as it was recorded, and stops the clock, since each step has its time. */
export function replayControl(
  controls: object & { readonly state: () => State },
  { name, given }: ControlStep,
): void {
  if (name.startsWith('clock.')) return
  const [group = '', member] = name.split('.')
  const owner: object = member === undefined ? controls : Reflect.get(controls, group)
  try {
    Reflect.apply(Reflect.get(owner, member ?? group), owner, given)
  } catch (thrown) {
    // What a control is about may not be there under another choice.
    if (!(thrown instanceof InputError)) throw thrown
  }
  controls.state().clock.freeze()
}

/** Choices that are tried in place of those with which a sandbox began; a choice that a control makes stays as it is. */
export class TriedChoices {
  readonly #tried: Partial<GapChoices>
  readonly #begun: GapChoices
  readonly #chosen = new Set<GapName>()
  /** How much later it is than it was, since a scenario has set the clock to another instant. */
  #laterMs = 0

  /** @param begun The choices with which the sandbox began. */
  constructor(tried: Partial<GapChoices>, begun: GapChoices) {
    this.#tried = tried
    this.#begun = begun
  }

  /** The time of a step under these choices. */
  timeOf({ at }: Pick<WorldStep, 'at'>): number {
    return Math.min(at + this.#laterMs, lastInstantAt)
  }

  /**
   * Notes a control that was carried out.
   *
   * @param inForce The choices after it.
   * @returns The choices that are to be in force again.
   */
  after({ name, given: [first] }: ControlStep, inForce: GapChoices): Partial<GapChoices> {
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
        sunsetOf(deprecated, inForce.sunsetInstant) - sunsetOf(deprecated, before.sunsetInstant)
    }
    const isMode = name === 'clock.change' && 'mode' in given && given.mode === 'system'
    const isSet = name === 'clock.set' || (name === 'clock.change' && 'set' in given)
    if (isSet || isMode || name === 'clock.followSystem' || resets('clock')) this.#laterMs = 0
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
  #pick(choices: Partial<GapChoices>): Partial<GapChoices> {
    const tried = gapNames.filter((gap) => gap in this.#tried && !this.#chosen.has(gap))
    return Object.fromEntries(tried.map((gap) => [gap, choices[gap]]))
  }
}

/** How long a replay keeps a thread at most before others get a turn. */
const sliceMs = 8

/** Lets others have a turn now and then, while something takes long. */
export class Turns {
  readonly #owner: AbortSignal | undefined
  #sliceEndsAt = realNow() + sliceMs

  /** @param owner Aborts when nobody waits for the end any more. */
  constructor(owner?: AbortSignal) {
    this.#owner = owner
  }

  /**
   * Lets others have a turn, if they are due.
   *
   * @throws {@link InputError} when nobody waits any more.
   */
  async give(): Promise<void> {
    if (this.#owner?.aborted !== true && realNow() <= this.#sliceEndsAt) return
    await yieldToEventLoop()
    if (this.#owner?.aborted) throw new InputError('Cannot go on: nobody waits for the answer')
    this.#sliceEndsAt = realNow() + sliceMs
  }
}
