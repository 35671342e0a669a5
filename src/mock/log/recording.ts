import type { ApiRequest } from '../api/message.ts'
import type { ByteBudget, Evictable } from './byte-budget.ts'
import { cutBody, type OpenRequest, type RequestTiming, timingOf } from './logged-request.ts'
import type { StateChange } from './request-view.ts'

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

/** A request to replay. */
export interface RequestStep {
  readonly do: 'request'
  /** The sandbox's time, in Unix milliseconds. */
  readonly at: number
  readonly request: ApiRequest
  /** Its id in the log; `undefined` if its outcome isn't known yet. */
  readonly number: number | undefined
  readonly timing: RequestTiming
}

/** A control call that changed the state. */
export interface ControlStep extends ControlCall {
  readonly do: 'control'
}

/** A step in the history of a sandbox. */
export type Step = RequestStep | ControlStep

/** The part of the history that was dropped. */
interface Dropped {
  /** Number of dropped requests. */
  readonly requests: number
  /** The sandbox's time from which on the history is complete, in Unix milliseconds. */
  readonly before: number
}

/** A continuous part of a sandbox's history, from its start or from a copy of its state. */
class Segment {
  readonly steps: (OpenRequest | ControlStep)[]
  readonly dropped: Dropped | undefined
  /** The age of its latest step in the byte budget. */
  age: number
  /** Bytes of the steps. A copy of the state isn't counted, since it takes no more than the sandbox itself. */
  bytes = 0

  constructor(age: number, copy?: { readonly step: ControlStep; readonly dropped: Dropped }) {
    this.age = age
    this.steps = copy === undefined ? [] : [copy.step]
    this.dropped = copy?.dropped
  }
}

/** Maximum number of events to keep. */
export const maxMarks = 1_000

/** Size of a segment in bytes; after that another one begins. */
const segmentBytes = 4_194_304

/** Bytes of a step besides its text, for its headers and objects. */
const stepBytes = 1_000

/** The known history of a sandbox. */
export interface KnownSteps {
  readonly steps: readonly Step[]
  /** The dropped part; `undefined` if the steps go back to the start of the sandbox. */
  readonly dropped: Dropped | undefined
  /** The latest events between requests, including those before resets. */
  readonly marks: readonly StateChange[]
}

/**
 * The requests of a log in the order of their starts, and the control calls between them; captures and what-if replay
 * them. There are at most two segments. When the newer one is full, the older one is dropped and the next one begins
 * with a copy of the state.
 */
export class Recording implements Evictable, ControlObserver {
  #older: Segment | undefined
  /** `undefined` after everything was dropped; the next segment then begins with a copy of the state. */
  #newer: Segment | undefined
  /** Number of all requests, including dropped ones. */
  #requests = 0
  /** Whether a control call is running; the calls that it makes are part of it. */
  #isBusy = false
  #budget: ByteBudget
  readonly #copyState: () => ControlStep
  readonly #marks: StateChange[] = []

  /**
   * @param budget The bytes that it shares with other recordings; the oldest steps are evicted first.
   * @param copyState Returns the control call that restores the current state.
   */
  constructor(budget: ByteBudget, copyState: () => ControlStep) {
    this.#budget = budget
    this.#copyState = copyState
    this.#newer = new Segment(budget.nextAge())
  }

  get known(): KnownSteps {
    const older = this.#older
    this.#newer ??= this.#begun()
    const { steps, dropped } = this.#newer
    const marks = this.#marks.slice()
    if (older === undefined) return { steps: steps.map(stepOf), dropped, marks }
    // The newer segment continues the older one, so its copy of the state isn't needed.
    const all = [...older.steps, ...steps.slice(1)]
    return { steps: all.map(stepOf), dropped: older.dropped, marks }
  }

  addMark(mark: StateChange): void {
    this.#marks.push(mark)
    if (this.#marks.length > maxMarks) this.#marks.shift()
  }

  /** Adds a request that has started. */
  begin(request: OpenRequest): void {
    const { url, body } = request.request
    const bytes = stepBytes + url.length + body.length
    const segment = this.#withRoomFor(bytes)
    this.#requests++
    this.#put(segment, request, bytes)
  }

  /** Counts the size of a request's outcome. */
  end({ outcome }: OpenRequest): void {
    if (this.#newer === undefined || !('body' in outcome)) return
    this.#newer.bytes += outcome.body.length
    this.#budget.add(this, outcome.body.length)
  }

  /** Executes a control call, and records it if it succeeds. */
  execute<Result>(call: ControlCall, run: () => Result): Result {
    if (this.#isBusy) return run()
    this.#isBusy = true
    try {
      const segment = this.#withRoomFor(stepBytes)
      const result = run()
      const copy = copyOf(recordableInput(call, result))
      // A step that can't be copied is missing, so all before is dropped; the next copy of the state includes its
      // effect.
      if (copy === undefined) this.#forget()
      else this.#put(segment, { do: 'control', ...call, given: copy.given }, copy.bytes)
      return result
    } finally {
      this.#isBusy = false
    }
  }

  get oldest(): number | undefined {
    return (this.#older ?? this.#newer)?.age
  }

  /** Drops the older segment, or all if there is only one. */
  evictOldest(): void {
    const dropped = this.#older ?? this.#newer
    if (this.#older === undefined) this.#newer = undefined
    this.#older = undefined
    if (dropped === undefined) return
    this.#budget.remove(this, dropped.bytes)
    // The requests may stay in the log for long, but are not replayed any more.
    for (const step of dropped.steps) if ('request' in step) step.request = cutBody(step.request)
  }

  /** Moves the recording to another budget. */
  useBudget(budget: ByteBudget): void {
    const [older, newer] = [this.#older, this.#newer]
    const bytes = this.bytes
    this.#older = undefined
    this.#newer = undefined
    this.#budget.remove(this, bytes)
    this.#budget = budget
    for (const one of [older, newer]) if (one !== undefined) one.age = budget.nextAge()
    this.#older = older
    this.#newer = newer
    budget.add(this, bytes)
  }

  /** @throws Error naming the violated invariant. */
  check(): void {
    const { used, max } = this.#budget
    if (this.bytes < 0 || this.bytes > used) {
      throw new Error(`The recording takes ${this.bytes} bytes, and its budget counts ${used}`)
    }
    if (used > max) throw new Error(`The recordings take ${used} bytes of ${max}`)
  }

  /** Bytes of all that it keeps. */
  get bytes(): number {
    return (this.#older?.bytes ?? 0) + (this.#newer?.bytes ?? 0)
  }

  /** Returns the segment for the next step: a new one if the newer one has no room. */
  #withRoomFor(bytes: number): Segment {
    const newer = this.#newer
    if (newer !== undefined && newer.bytes + bytes <= segmentBytes) return newer
    if (this.#older !== undefined) this.evictOldest()
    this.#older = newer
    this.#newer = this.#begun()
    return this.#newer
  }

  /** Creates a segment that begins with a copy of the state. */
  #begun(): Segment {
    const step = this.#copyState()
    const dropped = { requests: this.#requests, before: step.at }
    return new Segment(this.#budget.nextAge(), { step, dropped })
  }

  #put(segment: Segment, step: OpenRequest | ControlStep, bytes: number): void {
    segment.steps.push(step)
    segment.bytes += bytes
    segment.age = this.#budget.nextAge()
    this.#budget.add(this, bytes)
  }

  #forget(): void {
    while (this.#newer !== undefined) this.evictOldest()
  }
}

/** Returns a step with its current timing, which doesn't change while a replay waits. */
function stepOf(step: OpenRequest | ControlStep): Step {
  if (!('request' in step)) return step
  const { at, request, id } = step
  return { do: 'request', at, request, number: id === 0 ? undefined : id, timing: timingOf(step) }
}

/** Returns an isolated copy of a control call's arguments; `undefined` if they can't be copied or exceed a segment. */
function copyOf(given: readonly unknown[]) {
  // Both throw a RangeError for input that is nested deeper than the stack.
  try {
    const bytes = stepBytes + lengthOf(given)
    return bytes > segmentBytes ? undefined : { given: structuredClone(given), bytes }
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
