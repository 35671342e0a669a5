import type { LoggedRequest, OpenRequest } from './logged-request.ts'
import type { StateChange } from './request-view.ts'
import type { Kept, KeptBytes } from './shared-memory.ts'

/** A control call that is executed. */
export interface ControlCall {
  /** The sandbox's time of the call, in Unix milliseconds. */
  readonly at: number
  /** Name of the typed control, such as `keys.update`. */
  readonly name: string
  readonly given: readonly unknown[]
}

/** Observes control calls that change the state. */
export interface ControlObserver {
  /** Executes a control call, including the calls that it makes itself. */
  execute<Result>(call: ControlCall, run: () => Result): Result
}

/** A recorded request, to replay. */
export interface RecordedRequest extends LoggedRequest {
  readonly do: 'request'
}

/** A recorded control call, which changed the state. */
export interface RecordedControl extends ControlCall {
  readonly do: 'control'
}

/** A step in the history of a sandbox. */
export type RecordedStep = RecordedRequest | RecordedControl

/** The part of the history that was dropped. */
interface Dropped {
  /** Number of dropped requests. */
  readonly requests: number
  /** The sandbox's time from which on the history is complete, in Unix milliseconds. */
  readonly before: number
}

/** Maximum number of events to keep. */
export const maxMarks = 1_000

/** Maximum number of steps in a recording. */
export const maxSteps = 5_000

/** Maximum size of a control call in a recording, in bytes. */
const maxCallBytes = 4_194_304

/** Bytes of a control call besides its texts. */
const callBytes = 1_000

/** The known history of a sandbox. */
export interface KnownSteps {
  readonly steps: readonly RecordedStep[]
  /** The dropped part; `undefined` if the steps go back to the start of the sandbox. */
  readonly dropped: Dropped | undefined
  /** The latest events between requests, including those before resets. */
  readonly marks: readonly StateChange[]
}

/** A control call in a recording. */
interface RecordedCall extends Kept {
  readonly control: RecordedControl
}

/** A place from which the steps can be replayed without those before it. */
interface Restart {
  /** Number of steps before it. */
  readonly place: number
  /** Restores the state at that place. */
  readonly copy: RecordedControl
  readonly dropped: Dropped
}

/**
 * The requests of a log in the order of their starts, and the control calls between them; captures and what-if replay
 * them. If there are too many, the older half is dropped, and a copy of the state takes its place.
 */
export class Recording implements ControlObserver {
  readonly #steps: (OpenRequest | RecordedCall)[] = []
  #dropped: Dropped | undefined
  /** The place in the middle of the steps; `undefined` if there are few. */
  #middle: Restart | undefined
  /** Number of all requests, including dropped ones. */
  #requests = 0
  /** Whether a control call is running; the calls that it makes are part of it. */
  #isBusy = false
  readonly #kept: KeptBytes
  readonly #copyState: () => RecordedControl
  readonly #marks: StateChange[] = []

  /**
   * @param kept Counts the bytes of the steps.
   * @param copyState Returns the control call that restores the current state.
   */
  constructor(kept: KeptBytes, copyState: () => RecordedControl) {
    this.#kept = kept
    this.#copyState = copyState
  }

  get known(): KnownSteps {
    return {
      steps: this.#steps.map(stepOf),
      dropped: this.#dropped,
      marks: this.#marks.slice(),
    }
  }

  addMark(mark: StateChange): void {
    this.#marks.push(mark)
    if (this.#marks.length > maxMarks) this.#marks.shift()
  }

  /** Adds a request that has started. */
  begin(request: OpenRequest): void {
    this.#makeRoom()
    this.#requests++
    this.#put(request)
  }

  /** Executes a control call, and records it if it succeeds. */
  execute<Result>(call: ControlCall, run: () => Result): Result {
    if (this.#isBusy) return run()
    this.#isBusy = true
    try {
      this.#makeRoom()
      const result = run()
      this.#addCall(call, result)
      return result
    } finally {
      this.#isBusy = false
    }
  }

  /** Drops the steps before the middle, or all if there are few; a copy of the state takes their place. */
  dropOlder(): void {
    const { place, copy, dropped } = this.#middle ?? this.#restartHere()
    this.#middle = undefined
    for (const step of this.#steps.splice(0, place)) this.#kept.release(step)
    this.#dropped = dropped
    // A copy takes no more than the sandbox itself.
    const first = { control: copy, bytes: 0, holders: 1 }
    this.#steps.unshift(first)
  }

  #makeRoom(): void {
    if (this.#steps.length >= maxSteps) this.dropOlder()
    if (this.#steps.length >= maxSteps / 2) this.#middle ??= this.#restartHere()
  }

  #restartHere(): Restart {
    const copy = this.#copyState()
    const dropped = { requests: this.#requests, before: copy.at }
    return { place: this.#steps.length, copy, dropped }
  }

  #put(step: OpenRequest | RecordedCall): void {
    this.#kept.hold(step)
    this.#steps.push(step)
  }

  #addCall(call: ControlCall, result: unknown): void {
    const copy = copyOf(recordableInput(call, result))
    if (copy === undefined) {
      // A call that can't be copied is missing, so the steps before it can't be replayed any more.
      this.#middle = undefined
      this.dropOlder()
      return
    }
    const control: RecordedControl = { do: 'control', ...call, given: copy.given }
    this.#put({ control, bytes: copy.bytes, holders: 0 })
  }
}

/** Returns a step as it is now; a request may get its outcome while a replay waits. */
function stepOf(step: OpenRequest | RecordedCall): RecordedStep {
  return 'control' in step ? step.control : { do: 'request', ...step }
}

/** Returns an isolated copy of a control call's arguments; `undefined` if they can't be copied or are too large. */
function copyOf(given: readonly unknown[]) {
  // Both throw a RangeError for input that is nested deeper than the stack.
  try {
    const bytes = callBytes + 2 * lengthOf(given)
    return bytes > maxCallBytes ? undefined : { given: structuredClone(given), bytes }
  } catch {
    return undefined
  }
}

/** Estimates the size of a value; serializing it as JSON would take several times as long. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const [name, part] of Object.entries(value)) length += name.length + 4 + lengthOf(part)
  return length
}

/**
 * Returns the arguments of a control call, including values it drew at random and excluding data that doesn't change
 * any response.
 */
function recordableInput({ name, given }: ControlCall, result: unknown): readonly unknown[] {
  const [first, ...others] = given
  if (typeof first !== 'object' || first === null) return given
  if (name === 'keys.issue' && typeof result === 'object' && result !== null && 'key' in result) {
    return [{ ...first, key: result.key }, ...others]
  }
  if (name === 'restore') return [{ ...first, requests: { lastId: 0, list: [], changes: [] } }]
  return given
}
