import type { ApiRequest } from '../spec/message.ts'
import type { ByteBudget, Evictable } from './byte-budget.ts'
import { cutBody, type OpenRequest, type RequestTiming, timingOf } from './logged-request.ts'
import type { StateChange } from './request-view.ts'

/** The controls that change what a sandbox answers; none of these is asynchronous. */
export const changingControls = [
  'clock.advance',
  'clock.set',
  'clock.freeze',
  'clock.resume',
  'clock.setSpeed',
  'clock.useSystemTime',
  'clock.update',
  'pets.create',
  'pets.update',
  'pets.delete',
  'pets.clear',
  'keys.issue',
  'keys.update',
  'keys.delete',
  'keys.setRemaining',
  'faults.add',
  'faults.remove',
  'faults.clear',
  'setGaps',
  'setRateLimits',
  'scenario',
  'reset',
  'replaceSeed',
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

/** A request as it is replayed. */
export interface RequestStep {
  readonly do: 'request'
  /** The sandbox's time, in Unix milliseconds. */
  readonly at: number
  readonly request: ApiRequest
  /** Its id in the log; `undefined` if its outcome isn't known yet. */
  readonly number: number | undefined
  readonly timing: RequestTiming
}

/** A control that changed something. */
export interface ControlStep extends ControlCall {
  readonly do: 'control'
}

/** Something that was done to a sandbox. */
export type Step = RequestStep | ControlStep

/** The requests before those that are kept. */
interface Dropped {
  /** Number of them. */
  readonly requests: number
  /** The sandbox's time from which on all is kept, in Unix milliseconds. */
  readonly before: number
}

/** Some of what was done to a sandbox, without gaps: since it began, or since a copy of its state was made. */
class Segment {
  readonly steps: (OpenRequest | ControlStep)[]
  readonly dropped: Dropped | undefined
  /** The age of its latest step among all that share the bytes. */
  age: number
  /** What the steps take, a copy not counted: it takes no more than the sandbox itself. */
  bytes = 0

  constructor(age: number, copy?: { readonly step: ControlStep; readonly dropped: Dropped }) {
    this.age = age
    this.steps = copy === undefined ? [] : [copy.step]
    this.dropped = copy?.dropped
  }
}

/** The most marks that are kept. */
export const maxMarks = 1_000

/** How many bytes the steps of a segment take before another one begins. */
const segmentBytes = 4_194_304

/** What a step takes beside its text: its headers, and the objects. */
const stepBytes = 1_000

/** What is known of what was done to a sandbox. */
export interface KnownSteps {
  readonly steps: readonly Step[]
  /** What came before; `undefined` where the steps reach back to the beginning of the sandbox. */
  readonly dropped: Dropped | undefined
  /** How the world changed between the exchanges: the latest marks, over resets. */
  readonly marks: readonly StateChange[]
}

/**
 * The requests of a log in the order of their starts, and the controls between them, from which captures and what-if
 * replay. There are two segments of it at most. When the newer one is full, the next begins with a copy of the state, and
 * the older one is forgotten.
 */
export class Recording implements Evictable, ControlObserver {
  #older: Segment | undefined
  /** `undefined` when all is forgotten: then the next one begins with a copy. */
  #newer: Segment | undefined
  /** Number of all requests, known or not. */
  #requests = 0
  /** Whether a control is under way, whose own calls of others are part of it. */
  #isBusy = false
  #budget: ByteBudget
  readonly #copyState: () => ControlStep
  readonly #marks: StateChange[] = []

  /**
   * @param budget The bytes that it shares with other recordings; the oldest go first.
   * @param copyState Returns the control that makes everything as it is now.
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
    // The newer one goes on where the older one ends, and needs no copy then.
    const all = [...older.steps, ...steps.slice(1)]
    return { steps: all.map(stepOf), dropped: older.dropped, marks }
  }

  addMark(mark: StateChange): void {
    this.#marks.push(mark)
    if (this.#marks.length > maxMarks) this.#marks.shift()
  }

  /** Adds a request that has begun. */
  begin(request: OpenRequest): void {
    const { url, body } = request.request
    const bytes = stepBytes + url.length + body.length
    const segment = this.#withRoomFor(bytes)
    this.#requests++
    this.#put(segment, request, bytes)
  }

  /** Counts what the outcome of a request takes. */
  end({ outcome }: OpenRequest): void {
    if (this.#newer === undefined || !('body' in outcome)) return
    this.#newer.bytes += outcome.body.length
    this.#budget.add(this, outcome.body.length)
  }

  /** Carries out a control, and keeps it if it succeeds. */
  execute<Answer>(call: ControlCall, run: () => Answer): Answer {
    if (this.#isBusy) return run()
    this.#isBusy = true
    try {
      const segment = this.#withRoomFor(stepBytes)
      const answer = run()
      const copy = copyOf(recordableInput(call, answer))
      // Without it, all before is forgotten, too: a copy of the state shows what it has done.
      if (copy === undefined) this.#forget()
      else this.#put(segment, { do: 'control', ...call, given: copy.given }, copy.bytes)
      return answer
    } finally {
      this.#isBusy = false
    }
  }

  get oldest(): number | undefined {
    return (this.#older ?? this.#newer)?.age
  }

  /** Forgets the older segment, or all, for want of room. */
  evictOldest(): void {
    const dropped = this.#older ?? this.#newer
    if (this.#older === undefined) this.#newer = undefined
    this.#older = undefined
    if (dropped === undefined) return
    this.#budget.remove(this, dropped.bytes)
    // They may be shown for long, and are not replayed any more.
    for (const step of dropped.steps) if ('request' in step) step.request = cutBody(step.request)
  }

  /** Shares its bytes with others from now on. */
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

  /** @throws Error naming what doesn't hold after each step. */
  check(): void {
    const { used, max } = this.#budget
    if (this.bytes < 0 || this.bytes > used) {
      throw new Error(`The recording takes ${this.bytes} bytes, and its budget counts ${used}`)
    }
    if (used > max) throw new Error(`The recordings take ${used} bytes of ${max}`)
  }

  /** The bytes of all that it keeps. */
  get bytes(): number {
    return (this.#older?.bytes ?? 0) + (this.#newer?.bytes ?? 0)
  }

  /** The segment in which the next step stands: another one, where the newer one has no room. */
  #withRoomFor(bytes: number): Segment {
    const newer = this.#newer
    if (newer !== undefined && newer.bytes + bytes <= segmentBytes) return newer
    if (this.#older !== undefined) this.evictOldest()
    this.#older = newer
    this.#newer = this.#begun()
    return this.#newer
  }

  /** A segment that begins with a copy of the state. */
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

/** A step as it is now: what a replay takes of a request doesn't change while it waits. */
function stepOf(step: OpenRequest | ControlStep): Step {
  if (!('request' in step)) return step
  const { at, request, id } = step
  return { do: 'request', at, request, number: id === 0 ? undefined : id, timing: timingOf(step) }
}

/** A copy that nobody else can change; `undefined` of what can't be copied, or is larger than a segment. */
function copyOf(given: readonly unknown[]) {
  const bytes = stepBytes + lengthOf(given)
  if (bytes > segmentBytes) return undefined
  try {
    return { given: structuredClone(given), bytes }
  } catch {
    return undefined
  }
}

/** About how many bytes a control takes: to write it as JSON would take several times as long. */
function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const [name, part] of Object.entries(value)) length += name.length + 4 + lengthOf(part)
  return length
}

/** What a control was given, with what it drew at random, and without what changes no answer. */
function recordableInput({ name, given }: ControlCall, answer: unknown): readonly unknown[] {
  const [first, ...others] = given
  if (typeof first !== 'object' || first === null) return given
  if (name === 'keys.issue' && typeof answer === 'object' && answer !== null && 'key' in answer) {
    return [{ ...first, key: answer.key }, ...others]
  }
  if (name === 'restore') return [{ ...first, requests: { lastId: 0, list: [], changes: [] } }]
  return given
}
