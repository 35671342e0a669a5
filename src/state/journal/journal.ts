import type { ApiRequest, DoorName } from '../../contract/message.ts'
import type { Read } from '../../input/schema.ts'
import { Listeners } from '../listeners.ts'
import type { HideKeys } from '../redactor.ts'
import type { AskedRequest, KeepableExchange, Recorder, ShowableExchange } from './exchange.ts'
import { type Happening, History, inOrder } from './facts/history.ts'
import { KeptVisit } from './facts/visit.ts'
import type { JournalEntry, savedJournal } from './journal-entry.ts'
import { type JournalFilter, matchesFilter } from './journal-filter.ts'
import { isSamePosition, type JournalPosition, type JournalStep } from './journal-position.ts'
import { bounded, KeptExchange } from './kept-exchange.ts'
import type { Mark, MarkKind } from './mark.ts'
import { Marks } from './marks.ts'
import type { Keeper, SharedBytes } from './shared-bytes.ts'

/** How many bytes of a journal a snapshot has: the latest. */
const savedBytes = 4_194_304

/** How many exchanges a journal keeps by default. */
export const defaultJournalSize = 1_000

/** The latest exchanges of a sandbox, oldest first. */
export class Journal implements Keeper {
  /** Random, and in no snapshot: what goes on from one is another journal. */
  readonly #epoch = crypto.getRandomValues(new Uint32Array(2)).join('')
  /** The id of the last entry that it was restored with. */
  #startId = 0
  /** Where the journal ended that this one follows. */
  #precedent: JournalPosition | undefined
  readonly #size: number
  /** By ascending id; those before `#start` are forgotten. */
  #entries: (KeptExchange | undefined)[] = []
  #start = 0
  #lastId = 0
  #nextNumber: number | undefined
  /** Whether another journal follows this one. */
  #isOver = false
  /** The bytes that it shares with other journals; `undefined` before it is in force. */
  #shared: SharedBytes | undefined
  #listeners = new Listeners<JournalEntry>()
  #recorder: Recorder | undefined
  readonly #hide: HideKeys
  readonly marks = new Marks()
  #history = new History()

  /**
   * @param size How many exchanges to keep; 0 for none.
   * @param hide Abbreviates the keys that no entry may show whole.
   */
  constructor(size: number, hide: HideKeys) {
    this.#size = size
    this.#hide = hide
  }

  /** Has a recorder keep all requests to come, here and in the journals that follow. */
  recordBy(recorder: Recorder): void {
    this.#recorder = recorder
  }

  /** Notes that a request has begun; gives what stands for it from now on. */
  begin(request: ApiRequest, at: number): AskedRequest {
    const asked = this.#recorder?.addRequest(request, at) ?? { request, number: undefined }
    asked.number = this.#nextNumber
    this.#nextNumber = undefined
    return asked
  }

  /** Gives the next request the number that it had in another sandbox, of which this one is a replay. */
  numberNext(number: number | undefined): void {
    this.#nextNumber = number
  }

  /** Adds an exchange; none whose state has gone meanwhile. */
  add(exchange: KeepableExchange, asked: AskedRequest): void {
    if (this.#isOver) return
    const id = asked.number ?? this.#lastId + 1
    asked.number = id
    this.#lastId = Math.max(this.#lastId, id)
    const isHeard = this.#listeners.size > 0
    if (this.#size > 0 || isHeard) {
      const kept = new KeptExchange(id, exchange.token, exchange.kept(), this)
      if (this.#size > 0) this.#put(kept)
      if (isHeard) this.#listeners.tell(this.#shown(id, kept.exchange))
    }
    const { watchers } = this.#history
    if (watchers.size > 0) watchers.tell({ id, exchange })
  }

  /** All that happened, in order, as far as it still has it. */
  past(): Happening[] {
    const exchanges = this.#kept().flatMap(({ id, exchange }) =>
      'why' in exchange ? [] : [{ id, exchange }],
    )
    return inOrder(exchanges, this.marks.all())
  }

  /**
   * Calls a watcher with all to come, over resets too.
   *
   * @param conclude Called before anything changes by which the watcher judges; none is needed by one that judges at once.
   */
  watch(watcher: (happening: Happening) => void, conclude?: () => void): void {
    this.#history.watchers.add(watcher)
    if (conclude !== undefined) this.#history.concluders.add(conclude)
  }

  /** Has watchers conclude, since something is about to change. */
  conclude(): void {
    this.#history.concluders.tell(undefined)
  }

  /** Notes that a request begins to come in. */
  visit(door: DoorName, connection: number | undefined): KeptVisit {
    return new KeptVisit(door, connection, this.#history.sequence)
  }

  /** The number of a caller, by its token. */
  callerOf(token: string): number {
    return this.#history.callers.numberOf(token)
  }

  /**
   * Adds a mark.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   * @param name That of a test.
   */
  mark(kind: MarkKind, at: number, name?: string): void {
    const shown = name === undefined ? undefined : this.#hide(name)
    const { sequence, watchers } = this.#history
    watchers.tell({ mark: this.marks.add(kind, at, sequence, shown) })
  }

  /** The entries that match a filter, oldest first. */
  entries(filter: JournalFilter): JournalEntry[] {
    const found = this.#kept().filter((entry) => matchesFilter(entry, filter))
    const latest = filter.limit === undefined ? found : found.slice(-filter.limit)
    return latest.map(({ id, exchange }) => this.#shown(id, exchange))
  }

  get(id: number): JournalEntry | undefined {
    const found = this.#entries[this.#placeAfter(id - 1)]
    return found?.id === id ? this.#shown(id, found.exchange) : undefined
  }

  /** Where it ends. */
  get position(): JournalPosition {
    return { epoch: this.#epoch, id: this.#lastId }
  }

  /**
   * Gives the first entry after a position that it still has; after a position of another journal, its first own one.
   */
  next(after: JournalPosition): JournalStep {
    const isOwn = after.epoch === this.#epoch
    const startId = isOwn ? after.id : this.#startId
    const isFollowing = isOwn || isSamePosition(after, this.#precedent)
    const found = this.#entries[this.#placeAfter(startId)]
    if (found === undefined) {
      const isWhole = isFollowing && startId === this.#lastId
      return { position: this.position, entry: undefined, isWhole }
    }
    const { id, exchange } = found
    return {
      position: { epoch: this.#epoch, id },
      entry: this.#shown(id, exchange),
      isWhole: isFollowing && id === startId + 1,
    }
  }

  clear(): void {
    while (this.#start < this.#entries.length) this.dropOldest()
  }

  /** Forgets its oldest entry. */
  dropOldest(): void {
    const oldest = this.#entries[this.#start]
    if (oldest === undefined) return
    this.#entries[this.#start] = undefined
    this.#start++
    // Now and then, so that it costs next to nothing.
    if (this.#start >= 256 && this.#start * 2 >= this.#entries.length) {
      this.#entries.splice(0, this.#start)
      this.#start = 0
    }
    this.#shared?.remove(oldest)
  }

  /** Keeps its entries, and those to come, in bytes that it shares with other journals. */
  join(shared: SharedBytes): void {
    const before = this.#shared
    this.#shared = shared
    for (const entry of this.#kept()) {
      before?.remove(entry)
      shared.add(entry)
    }
  }

  /** Calls a listener with each new entry; returns a function that ends this. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    return this.#listeners.add(listener)
  }

  /**
   * Follows another journal: goes on with its sequence, and takes its listeners, which hear no more of that one; that one
   * keeps nothing more.
   */
  adopt(other: Journal): void {
    this.#precedent = other.position
    // So that a number names one request, whatever becomes of the state.
    this.#lastId = Math.max(this.#lastId, other.#lastId)
    this.#startId = Math.max(this.#startId, this.#lastId)
    this.#listeners = other.#listeners
    this.#recorder = other.#recorder
    other.#listeners = new Listeners()
    this.marks.adopt(other.marks)
    other.#history.goOnFrom(this.#history)
    this.#history = other.#history
    other.#history = new History()
    other.clear()
    other.#isOver = true
  }

  /** Gives the journal as it is now: of many or long entries only the latest, so that snapshots stay short. */
  save(): Read<typeof savedJournal> {
    const kept = this.#kept()
    let first = kept.length
    for (let bytes = 0; first > 0; first--) {
      bytes += kept[first - 1]?.bytes ?? 0
      if (bytes > savedBytes) break
    }
    const list = kept.slice(first).map(({ id, exchange }) => this.#shown(id, exchange))
    // Only those between two exchanges say anything of them.
    const [from = 0, to = 0] = [list[0], list.at(-1)].map((one) => one?.order.start)
    const isBetween = ({ order }: Mark): boolean => order > from && order < to
    return { lastId: this.#lastId, list, marks: this.marks.all().filter(isBetween) }
  }

  /** Goes on from a saved journal; of too many entries, the latest are kept. */
  restore(saved: Read<typeof savedJournal>): void {
    const { lastId, list: entries, marks } = saved
    this.clear()
    const byId = [...entries].sort((left, right) => left.id - right.id)
    const { sequence, callers } = this.#history
    for (const { order, caller } of byId) {
      sequence.goOnFrom(order.answer ?? order.start)
      callers.goOnFrom(caller)
    }
    for (const { order } of marks) sequence.goOnFrom(order)
    this.marks.restore(marks)
    this.#lastId = Math.max(lastId, byId.at(-1)?.id ?? 0)
    this.#startId = this.#lastId
    if (this.#size === 0) return
    for (const entry of byId.slice(-this.#size)) {
      const { request, outcome } = entry
      const kept = { ...entry, request: bounded(request), outcome: bounded(outcome) }
      this.#put(new KeptExchange(entry.id, undefined, kept, this))
    }
  }

  /** Its entries, oldest first. */
  #kept(): KeptExchange[] {
    return this.#entries.slice(this.#start).filter((entry) => entry !== undefined)
  }

  /** The place of the first entry with a higher id. */
  #placeAfter(id: number): number {
    let low = this.#start
    let high = this.#entries.length
    while (low < high) {
      const middle = (low + high) >> 1
      const entry = this.#entries[middle]
      if (entry === undefined || entry.id <= id) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Adds an entry, in place of the oldest once the journal is full. */
  #put(entry: KeptExchange): void {
    if (this.#entries.length - this.#start >= this.#size) this.dropOldest()
    // At the end, but in a replay of requests that were answered in another order than they came.
    this.#entries.splice(this.#placeAfter(entry.id), 0, entry)
    this.#shared?.add(entry)
  }

  /** Shows an exchange; a restored one has lost its secrets already. */
  #shown(id: number, exchange: ShowableExchange | JournalEntry): JournalEntry {
    if ('why' in exchange) return structuredClone(exchange)
    return exchange.show(id, (text) => this.#hide(text, exchange.token))
  }
}
