import { toJson } from '../contract/int64.ts'
import type { ApiRequest } from '../contract/message.ts'
import type { Recorder } from '../state/journal/exchange.ts'
import { Journal } from '../state/journal/journal.ts'
import type { Counted, Keeper, SharedBytes } from '../state/memory/shared-bytes.ts'
import { takeSnapshot } from '../state/snapshot/snapshot.ts'
import type { State } from '../state/state.ts'

/** A request as it came. */
interface RequestStep {
  readonly kind: 'request'
  /** The sandbox's time, in Unix milliseconds. */
  readonly at: number
  readonly request: ApiRequest
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

/** How many bytes a record takes at most; with more it has forgotten everything. */
export const mostBytes = 8_388_608

/** What a request takes beside its text: its headers, and the objects. */
const requestBytes = 800

/** What a pet counts for; with more of them than fit, copying would keep a process busy for too long. */
const petBytes = 600

/** Records share their bytes in pieces of this size. */
const pieceBytes = 262_144

/** What stands in a journal changes no answer. */
function noJournal(): Journal {
  return new Journal(0, (text) => text)
}

/** Stands for what is too large to be copied. */
const noCopy: () => void = () => {}

/** A class, so that V8 makes the steps of a busy sandbox in new space (decisions/009). */
class KeptRequest implements RequestStep {
  readonly kind = 'request'
  readonly at: number
  readonly request: ApiRequest

  constructor(request: ApiRequest, at: number) {
    this.request = request
    this.at = at
  }
}

/**
 * What was done to a sandbox since it began: requests as references to those that came, and controls. What would take
 * more than its bytes makes it forget all, and keep nothing more until the sandbox begins anew.
 */
export class StepRecord implements Recorder, Keeper {
  #steps: Step[] = []
  #bytes = 0
  #isForgotten = false
  /** Whether a control is under way, whose own calls of others are part of it. */
  #isBusy = false
  #pieces: Counted[] = []
  #budget: SharedBytes
  /** The latest control that replaced the seed; `lost` if it can't be kept. */
  #seed: ControlStep | 'lost' | undefined

  /** @param budget The bytes that it shares with other records. */
  constructor(budget: SharedBytes) {
    this.#budget = budget
  }

  /** The steps since the sandbox began; `undefined` if they are forgotten. */
  get steps(): readonly Step[] | undefined {
    return this.#isForgotten ? undefined : this.#steps.slice()
  }

  addRequest(request: ApiRequest, at: number): void {
    if (this.#isForgotten) return
    this.#steps.push(new KeptRequest(request, at))
    this.#count(requestBytes + request.url.length + request.body.length)
  }

  /** Carries out a control, and keeps it if it succeeds. */
  during<Answer>(step: Omit<ControlStep, 'kind'>, run: () => Answer): Answer {
    if (this.#isBusy) return run()
    this.#isBusy = true
    try {
      const answer = run()
      this.#addControl(step, answer)
      return answer
    } finally {
      this.#isBusy = false
    }
  }

  /** Keeps that everything is as in a state, as if that had been restored. */
  addRestored(state: State): void {
    const isLarge = state.pets.size * petBytes > mostBytes
    const kept = isLarge ? noCopy : takeSnapshot({ ...state, journal: noJournal() })
    this.#addControl({ at: state.clock.now(), name: 'restore', given: [kept] }, undefined)
  }

  /** Forgets all, for want of room. */
  dropOldest(): void {
    this.#isForgotten = true
    this.#clear()
  }

  /** Shares its bytes with others from now on. */
  join(budget: SharedBytes): void {
    const pieces = this.#pieces
    for (const piece of pieces) this.#budget.remove(piece)
    this.#budget = budget
    this.#pieces = []
    for (let piece = 0; piece < pieces.length && !this.#isForgotten; piece++) this.#addPiece()
  }

  #addControl({ at, name, given }: Omit<ControlStep, 'kind'>, answer: unknown): void {
    const isSeed = name === 'reseed' || name === 'restore'
    // Nothing before these matters any more.
    const isBeginning = name === 'restore' || (name === 'reset' && given[0] === undefined)
    if (this.#isForgotten && isBeginning) this.#beginAnew(name)
    if (this.#isForgotten && !isSeed) return
    const step = copyOf({ at, name, given: keptOf(name, given, answer) })
    if (isSeed) this.#seed = step ?? 'lost'
    if (this.#isForgotten) return
    if (step === undefined) {
      this.dropOldest()
      return
    }
    this.#steps.push(step)
    this.#count(requestBytes + bytesOf(step))
  }

  /** Goes on from a control that leaves nothing as it was but the seed, which a reset returns to. */
  #beginAnew(name: string): void {
    if (name === 'reset' && this.#seed === 'lost') return
    this.#isForgotten = false
    if (name === 'restore' || this.#seed === undefined || this.#seed === 'lost') return
    this.#steps.push(this.#seed)
    this.#count(requestBytes + bytesOf(this.#seed))
  }

  #count(bytes: number): void {
    this.#bytes += bytes
    if (this.#bytes > mostBytes) this.dropOldest()
    else if (this.#bytes > (this.#pieces.length + 1) * pieceBytes) this.#addPiece()
  }

  #addPiece(): void {
    const piece = { bytes: pieceBytes, keeper: this, older: undefined, newer: undefined }
    this.#pieces.push(piece)
    this.#budget.add(piece)
  }

  #clear(): void {
    this.#steps = []
    this.#bytes = 0
    for (const piece of this.#pieces.splice(0)) this.#budget.remove(piece)
  }
}

/** A copy that nobody else can change; `undefined` of what can't be copied, or is too large. */
function copyOf(step: Omit<ControlStep, 'kind'>): ControlStep | undefined {
  if (step.given.some(hasManyPets)) return undefined
  try {
    const copy: ControlStep = { kind: 'control', ...step, given: structuredClone(step.given) }
    return bytesOf(copy) > mostBytes ? undefined : copy
  } catch {
    return undefined
  }
}

/** Looks at seeds, snapshots and lists of pets, whose copies take long when they are larger than a record. */
function hasManyPets(given: unknown): boolean {
  if (Array.isArray(given)) return given.length * petBytes > mostBytes
  if (typeof given !== 'object' || given === null) return false
  if ('pets' in given) return hasManyPets(given.pets)
  return 'list' in given && hasManyPets(given.list)
}

function bytesOf({ given }: ControlStep): number {
  return toJson(given).length
}

/** What a control was given, with what it drew at random, and without what changes no answer. */
function keptOf(name: string, given: readonly unknown[], answer: unknown): readonly unknown[] {
  const [first, ...others] = given
  if (typeof first !== 'object' || first === null) return given
  if (name === 'keys.issue' && typeof answer === 'object' && answer !== null && 'key' in answer) {
    return [{ ...first, key: answer.key }, ...others]
  }
  if (name === 'restore') return [{ ...first, journal: { lastId: 0, list: [] } }]
  return given
}
