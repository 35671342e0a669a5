import type { ApiRequest } from '../contract/message.ts'
import type { ControlCall, ControlObserver } from '../control/access.ts'
import type { VisitFacts } from '../state/exchange.ts'
import { type AskedRequest, Journal, type Recorder } from '../state/journal.ts'
import { type Mark, Marks } from '../state/journal-entry.ts'
import type { ByteBudget, Evictable } from '../state/limits.ts'
import { type State, saveState, writeSnapshot } from '../state/state.ts'

/** A request as it came. */
export interface RequestStep {
  readonly do: 'request'
  /** The sandbox's time, in Unix milliseconds. */
  readonly at: number
  readonly request: ApiRequest
  /** The id of its exchange in the journal; `undefined` for one that wasn't answered. */
  readonly number: number | undefined
  /** Its way in, and its answer's way out as far as that is known by now; `undefined` if nothing is. */
  readonly visit: VisitFacts | undefined
}

/** A control that changed something. */
export interface ControlStep extends ControlCall {
  readonly do: 'control'
}

/** Something that was done to a sandbox. */
export type Step = RequestStep | ControlStep

/** What came before all that is known of a sandbox. */
interface Earlier {
  /** How many requests. */
  readonly exchanges: number
  /** The sandbox's time at which the known begins, in Unix milliseconds. */
  readonly until: number
}

/** Some of what was done to a sandbox, without gaps: since it began, or since a copy of its state was made. */
class Segment {
  readonly steps: Step[]
  readonly earlier: Earlier | undefined
  /** The place of its latest step among all that share the bytes. */
  place: number
  /** What the steps take, a copy not counted: it takes no more than the sandbox itself. */
  bytes = 0

  constructor(place: number, copy?: { readonly step: ControlStep; readonly earlier: Earlier }) {
    this.place = place
    this.steps = copy === undefined ? [] : [copy.step]
    this.earlier = copy?.earlier
  }
}

/** How many bytes the steps of a segment take before another one begins. */
const segmentBytes = 4_194_304

/** What a step takes beside its text: its headers, its visit, and the objects. */
const stepBytes = 1_000

/** What is known of what was done to a sandbox. */
export interface KnownSteps {
  readonly steps: readonly Step[]
  /** What came before; `undefined` where the steps reach back to the beginning of the sandbox. */
  readonly earlier: Earlier | undefined
  /** How the world changed between the exchanges: the latest marks, over resets. */
  readonly marks: readonly Mark[]
}

/**
 * What was done to a sandbox: requests as references to those that came, and controls. There are two segments of it at
 * most. When the newer one is full, the next begins with a copy of the state, and the older one is forgotten.
 */
export class StepRecord implements Recorder, ControlObserver, Evictable {
  #older: Segment | undefined
  /** `undefined` when all is forgotten: then the next one begins with a copy. */
  #newer: Segment | undefined
  /** How many requests there were, known or not. */
  #asked = 0
  /** Whether a control is under way, whose own calls of others are part of it. */
  #isBusy = false
  #budget: ByteBudget
  readonly #state: () => State
  readonly #marks = new Marks()

  /** @param budget The bytes that it shares with other records; what was asked longest ago goes first. */
  constructor(budget: ByteBudget, state: () => State) {
    this.#budget = budget
    this.#state = state
    this.#newer = new Segment(budget.nextPlace())
  }

  get known(): KnownSteps {
    const older = this.#older
    this.#newer ??= this.#begun()
    const { steps, earlier } = this.#newer
    const marks = this.#marks.all()
    if (older === undefined) return { steps: steps.slice(), earlier, marks }
    // The newer one goes on where the older one ends, and needs no copy then.
    return { steps: [...older.steps, ...steps.slice(1)], earlier: older.earlier, marks }
  }

  addMark(mark: Mark): void {
    this.#marks.add(mark)
  }

  addRequest(request: ApiRequest, at: number, visit: VisitFacts): AskedRequest {
    const bytes = stepBytes + request.url.length + request.body.length
    const segment = this.#withRoomFor(bytes)
    const step = { do: 'request' as const, at, request, number: undefined, visit }
    this.#asked++
    this.#put(segment, step, bytes)
    return step
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

  /** The place of the oldest that it keeps. */
  get oldest(): number | undefined {
    return (this.#older ?? this.#newer)?.place
  }

  /** Forgets the older segment, or all, for want of room. */
  dropOldest(): void {
    const dropped = this.#older ?? this.#newer
    if (this.#older === undefined) this.#newer = undefined
    this.#older = undefined
    if (dropped !== undefined) this.#budget.remove(this, dropped.bytes)
  }

  /** Shares its bytes with others from now on. */
  join(budget: ByteBudget): void {
    const [older, newer] = [this.#older, this.#newer]
    const bytes = (older?.bytes ?? 0) + (newer?.bytes ?? 0)
    this.#older = undefined
    this.#newer = undefined
    this.#budget.remove(this, bytes)
    this.#budget = budget
    for (const one of [older, newer]) if (one !== undefined) one.place = budget.nextPlace()
    this.#older = older
    this.#newer = newer
    budget.add(this, bytes)
  }

  /** The segment in which the next step stands: another one, where the newer one has no room. */
  #withRoomFor(bytes: number): Segment {
    const newer = this.#newer
    if (newer !== undefined && newer.bytes + bytes <= segmentBytes) return newer
    if (this.#older !== undefined) this.dropOldest()
    this.#older = newer
    this.#newer = this.#begun()
    return this.#newer
  }

  /** A segment that begins with a copy of the state. */
  #begun(): Segment {
    const step = restoringStep(this.#state())
    return new Segment(this.#budget.nextPlace(), {
      step,
      earlier: { exchanges: this.#asked, until: step.at },
    })
  }

  #put(segment: Segment, step: Step, bytes: number): void {
    segment.steps.push(step)
    segment.bytes += bytes
    segment.place = this.#budget.nextPlace()
    this.#budget.add(this, bytes)
  }

  #forget(): void {
    while (this.#newer !== undefined) this.dropOldest()
  }
}

/** The control that makes everything as it is in a state. */
function restoringStep(state: State): ControlStep {
  // What stands in a journal changes no answer.
  const saved = saveState({ ...state, journal: new Journal(0, (text) => text) })
  return {
    do: 'control',
    at: state.clock.now(),
    name: 'restore',
    // Written when it is asked for: it may be large.
    get given() {
      return [writeSnapshot(saved)]
    },
  }
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
  if (name === 'restore') return [{ ...first, journal: { lastId: 0, list: [], marks: [] } }]
  return given
}
