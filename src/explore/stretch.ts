import type { ApiRequest } from '../contract/message.ts'
import type { VisitFacts } from '../state/exchange.ts'
import type { Counted } from '../state/limits.ts'

/** A request as it came. */
interface RequestStep {
  readonly kind: 'request'
  /** The sandbox's time, in Unix milliseconds. */
  readonly at: number
  readonly request: ApiRequest
  /** The id of its exchange in the journal; `undefined` for one that wasn't answered. */
  readonly number: number | undefined
  /** Its way in, and its answer's way out as far as that is known by now; `undefined` if nothing is. */
  readonly visit: VisitFacts | undefined
}

/** A control that changed something, by its name among the typed controls, such as `keys.change`. */
export interface ControlStep {
  readonly kind: 'control'
  readonly at: number
  readonly name: string
  readonly given: readonly unknown[]
}

/** Something that was done to a sandbox. */
export type Step = RequestStep | ControlStep

/** What came before all that is known of a sandbox. */
export interface Earlier {
  /** How many requests. */
  readonly exchanges: number
  /** The sandbox's time at which the known begins, in Unix milliseconds. */
  readonly until: number
}

/** A copy of a sandbox's state, as the control that restores it, and what came before. */
interface Copy {
  readonly step: ControlStep
  readonly bytes: number
  readonly earlier: Earlier
}

/** Some of what was done to a sandbox, without gaps: since it began, or since a copy of its state was made. */
export class Stretch {
  readonly steps: Step[] = []
  /** What the steps take, the copy not counted. */
  bytes = 0
  readonly earlier: Earlier | undefined
  /** The pieces of memory that it shares with others. */
  readonly pieces: Counted[] = []
  readonly #copyBytes: number

  constructor(copy?: Copy) {
    this.earlier = copy?.earlier
    this.#copyBytes = copy?.bytes ?? 0
    if (copy !== undefined) this.steps.push(copy.step)
  }

  /** What it takes in all. */
  get allBytes(): number {
    return this.bytes + this.#copyBytes
  }
}
