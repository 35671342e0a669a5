import type { ApiRequest } from '../contract/message.ts'
import type { ControlCall, ControlObserver } from '../control/access.ts'
import { InputError } from '../input/input-error.ts'
import type { VisitFacts } from '../state/exchange.ts'
import { type AskedRequest, Journal, type Recorder } from '../state/journal.ts'
import { type Mark, Marks } from '../state/journal-entry.ts'
import type { Counted, Keeper, SharedBytes } from '../state/limits.ts'
import { type State, takeSnapshot } from '../state/state.ts'

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
interface Earlier {
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
class Stretch {
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

/** How many bytes the steps of a record take at most. */
export const mostBytes = 8_388_608

/** How many bytes the steps of a stretch take before another one begins. */
const stretchBytes = mostBytes / 2

/** How many bytes a state may take of which a record makes a copy: some milliseconds. */
export const mostStateBytes = 4_194_304

/** What a request takes beside its text: its headers, its visit, and the objects. */
const requestBytes = 1_000

/** Records share their bytes in pieces of this size. */
const pieceBytes = 16_384

/** What is known of what was done to a sandbox. */
export interface KnownSteps {
  /** `undefined` if all is forgotten. */
  readonly steps: readonly Step[] | undefined
  /** What came before; `undefined` where the steps reach back to the beginning of the sandbox. */
  readonly earlier: Earlier | undefined
  /** How the world changed between the exchanges: the latest marks, over resets. */
  readonly marks: readonly Mark[]
  /** Whether the sandbox holds too much for a record that begins in the middle. */
  readonly isLarge: boolean
}

/**
 * What was done to a sandbox: requests as references to those that came, and controls. There are two stretches of it at
 * most. When the newer one is full, the next begins with a copy of the state, and the older one is forgotten. Where the
 * state is too large to be copied, all is forgotten once it takes more than its bytes.
 */
export class StepRecord implements Recorder, ControlObserver, Keeper {
  #older: Stretch | undefined
  /** `undefined` when all is forgotten. */
  #newer: Stretch | undefined = new Stretch()
  /** How many requests there were, known or not. */
  #asked = 0
  /** How many bytes of requests there were since all was forgotten. */
  #missed = 0
  /** Whether a control is under way, whose own calls of others are part of it. */
  #isBusy = false
  #budget: SharedBytes
  readonly #state: () => State
  /** The latest control that replaced the seed; `lost` if it can't be kept. */
  #seed: ControlStep | 'lost' | undefined
  readonly #marks = new Marks()

  /** @param budget The bytes that it shares with other records. */
  constructor(budget: SharedBytes, state: () => State) {
    this.#budget = budget
    this.#state = state
  }

  get known(): KnownSteps {
    const [older, newer] = [this.#older, this.#newer]
    // The newer one goes on where the older one ends, and needs no copy then.
    const steps =
      older === undefined
        ? newer?.steps.slice()
        : [...older.steps, ...(newer?.steps.slice(1) ?? [])]
    const isLarge = bytesOfState(this.#state()) > mostStateBytes
    const marks = this.#marks.all()
    return { steps, earlier: (older ?? newer)?.earlier, marks, isLarge }
  }

  addMark(mark: Mark): void {
    this.#marks.add(mark)
  }

  addRequest(request: ApiRequest, at: number, visit: VisitFacts): AskedRequest {
    const bytes = requestBytes + request.url.length + request.body.length
    this.#makeRoom(bytes)
    this.#asked++
    const step = { kind: 'request' as const, at, request, number: undefined, visit }
    if (this.#newer === undefined) this.#missed += bytes
    else this.#put(this.#newer, step, bytes)
    return step
  }

  /** Carries out a control, and keeps it if it succeeds. */
  carryOut<Answer>(call: ControlCall, run: () => Answer): Answer {
    if (this.#isBusy) return run()
    this.#isBusy = true
    try {
      this.#makeRoom(requestBytes)
      const answer = run()
      this.#addControl(call, answer)
      return answer
    } finally {
      this.#isBusy = false
    }
  }

  /** Forgets the older stretch, or all, for want of room. */
  dropOldest(): void {
    const dropped = this.#older ?? this.#newer
    if (this.#older === undefined) {
      this.#newer = undefined
      this.#missed = 0
    }
    this.#older = undefined
    for (const piece of dropped?.pieces.splice(0) ?? []) this.#budget.remove(piece)
  }

  /** Shares its bytes with others from now on. */
  join(budget: SharedBytes): void {
    const stretches = [this.#older, this.#newer].filter((one) => one !== undefined)
    for (const { pieces } of stretches) {
      for (const piece of pieces.splice(0)) this.#budget.remove(piece)
    }
    this.#budget = budget
    for (const stretch of stretches) this.#share(stretch)
  }

  /** Begins another stretch, where this one has no room for some more bytes, or there is none. */
  #makeRoom(more: number): void {
    const newer = this.#newer
    if (newer !== undefined && newer.bytes + more <= stretchBytes) return
    const state = this.#state()
    const bytes = bytesOfState(state)
    // Not more often than it pays: sandboxes that want the same room would do little else.
    if (bytes > mostStateBytes || (newer === undefined && this.#missed < bytes)) return
    const step = restoringStep(state)
    const earlier = { exchanges: this.#asked, until: step.at }
    if (this.#older !== undefined) this.dropOldest()
    this.#older = this.#newer
    this.#newer = new Stretch({ step, bytes, earlier })
    this.#share(this.#newer)
  }

  #addControl({ at, name, given }: ControlCall, answer: unknown): void {
    const isSeed = name === 'reseed' || name === 'restore'
    // Nothing before these matters any more.
    const isBeginning = name === 'restore' || (name === 'reset' && given[0] === undefined)
    if (this.#newer === undefined && isBeginning) this.#beginAnew(name)
    if (this.#newer === undefined && !isSeed) return
    const copy = copyOf({ at, name, given: keptOf(name, given, answer) }, mostBytes)
    if (isSeed) this.#seed = copy?.step ?? 'lost'
    if (this.#newer === undefined) return
    if (copy === undefined) this.#forget()
    else this.#put(this.#newer, copy.step, requestBytes + copy.bytes)
  }

  /** Goes on from a control that leaves nothing as it was but the seed, which a reset returns to. */
  #beginAnew(name: string): void {
    if (name === 'reset' && this.#seed === 'lost') return
    this.#newer = new Stretch()
    if (name === 'restore' || this.#seed === undefined || this.#seed === 'lost') return
    this.#put(this.#newer, this.#seed, requestBytes + bytesOfControl(this.#seed))
  }

  #put(stretch: Stretch, step: Step, bytes: number): void {
    stretch.steps.push(step)
    stretch.bytes += bytes
    if ((this.#older?.bytes ?? 0) + stretch.bytes > mostBytes) {
      if (stretch.bytes > mostBytes) this.#forget()
      else this.dropOldest()
    }
    this.#share(stretch)
  }

  #forget(): void {
    while (this.#newer !== undefined) this.dropOldest()
  }

  /** Counts what a stretch takes among the bytes that it shares, as long as it is there. */
  #share(stretch: Stretch): void {
    const { pieces } = stretch
    while (
      (stretch === this.#newer || stretch === this.#older) &&
      stretch.allBytes > (pieces.length + 1) * pieceBytes
    ) {
      const piece = { bytes: pieceBytes, keeper: this }
      pieces.push(piece)
      this.#budget.add(piece)
    }
  }
}

/** What a pet counts for; with more of them than fit, copying would keep a process busy for too long. */
const petBytes = 600

/** What stands in a journal changes no answer. */
function noJournal(): Journal {
  return new Journal(0, (text) => text)
}

/** What a key with its windows, a fault or the windows of an unknown token counts for. */
const otherBytes = 1_024

/** How many bytes a copy of a state takes, rather too many. */
function bytesOfState({ pets, keys, faults, quotas, seed }: State): number {
  const countOfPets = pets.size + (seed?.pets?.length ?? 0)
  const others = keys.all().length + faults.list().length + quotas.size
  return countOfPets * petBytes + others * otherBytes
}

/** The control that makes everything as it is in a state. */
function restoringStep(state: State): ControlStep {
  const snapshot = takeSnapshot({ ...state, journal: noJournal() })
  return { kind: 'control', at: state.clock.now(), name: 'restore', given: [snapshot] }
}

/** A copy that nobody else can change; `undefined` of what can't be copied, or is too large. */
function copyOf(
  step: Omit<ControlStep, 'kind'>,
  most: number,
): { readonly step: ControlStep; readonly bytes: number } | undefined {
  if (step.given.some((one) => isLarge(one, most))) return undefined
  try {
    const copy: ControlStep = { kind: 'control', ...step, given: structuredClone(step.given) }
    const bytes = bytesOfControl(copy)
    return bytes > most ? undefined : { step: copy, bytes }
  } catch {
    return undefined
  }
}

/** Looks at seeds, snapshots and lists of pets, whose copies take long when they are larger than a record. */
function isLarge(given: unknown, most: number): boolean {
  if (Array.isArray(given)) return given.length * petBytes > most
  if (typeof given !== 'object' || given === null) return false
  if ('keys' in given && isLarge(given.keys, most)) return true
  if ('pets' in given) return isLarge(given.pets, most)
  return 'list' in given && isLarge(given.list, most)
}

/** About how many bytes a control takes: to write it as JSON would take several times as long. */
function bytesOfControl({ given }: ControlStep): number {
  return lengthOf(given)
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let length = 2
  for (const [name, part] of Object.entries(value)) length += name.length + 4 + lengthOf(part)
  return length
}

/** What a control was given, with what it drew at random, and without what changes no answer. */
function keptOf(name: string, given: readonly unknown[], answer: unknown): readonly unknown[] {
  const [first, ...others] = given
  if (typeof first !== 'object' || first === null) return given
  if (name === 'keys.issue' && typeof answer === 'object' && answer !== null && 'key' in answer) {
    return [{ ...first, key: answer.key }, ...others]
  }
  if (name === 'restore') return [{ ...first, journal: { lastId: 0, list: [], marks: [] } }]
  return given
}

const mebibyte = 2 ** 20

/**
 * Gives the steps of a record that has not forgotten all of them.
 *
 * @throws {@link InputError} if it has.
 */
export function knownSteps({ steps, isLarge }: KnownSteps): readonly Step[] {
  if (steps !== undefined) return steps
  const why = isLarge
    ? `more than ${mostBytes / mebibyte} MiB came after it, and what the sandbox holds takes more than ${mostStateBytes / mebibyte} MiB, so nothing can begin in the middle; reset the sandbox before the suite, or give it fewer pets`
    : 'there was no room for it in what all sandboxes may remember; reset the sandbox before the suite'
  throw new InputError(
    `Cannot replay what the sandbox was asked: it has forgotten the beginning, since ${why}`,
  )
}
