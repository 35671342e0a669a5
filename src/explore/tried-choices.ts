import { type GapChoices, type GapName, gapNames } from '../contract/gaps.ts'
import { sunsetUnder } from '../control/scenarios.ts'
import { lastInstantAt } from '../input/instant.ts'
import type { ControlStep, Step } from './step-record.ts'

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
  timeOf({ at }: Step): number {
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
      const before = { ...inForce, ...this.#pick(this.#begun) }
      this.#laterMs = sunsetUnder(inForce) - sunsetUnder(before)
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
