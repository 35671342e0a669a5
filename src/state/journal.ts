import type { ApiRequest, DoorName } from '../contract/message.ts'
import type { Read } from '../input/schema.ts'
import { formatInstant } from '../input/values.ts'
import {
  bytesOf,
  cutBody,
  type Exchange,
  KeptVisit,
  keptOf,
  Sequence,
  showExchange,
  type VisitFacts,
} from './exchange.ts'
import {
  type JournalEntry,
  type JournalFilter,
  type Mark,
  type MarkKind,
  Marks,
  type savedJournal,
} from './journal-entry.ts'
import type { ByteBudget, Evictable } from './limits.ts'
import { Listeners } from './listeners.ts'
import { type HideKeys, redactKey } from './redactor.ts'

/** How many bytes of a journal a snapshot has: the latest. */
const savedBytes = 4_194_304

/** How many exchanges a journal keeps by default. */
export const defaultJournalSize = 1_000

/** A place in a journal, before or after one of its entries. */
export interface JournalPosition {
  /** Tells a journal from any other, such as the one before a reset. */
  readonly epoch: string
  /** The id of the latest entry before it. */
  readonly id: number
}

/** A step from one position to the next. */
export interface JournalStep {
  readonly position: JournalPosition
  /** `undefined` at the journal's end. */
  readonly entry: JournalEntry | undefined
  /** Whether nothing between the two positions is missing. */
  readonly isWhole: boolean
}

/** A request that was admitted. */
export interface AskedRequest {
  readonly request: ApiRequest
  /** The id of its exchange in the journal, by which everything names it; `undefined` until it is answered. */
  number: number | undefined
}

/** Who keeps the requests that a sandbox is asked, in the order in which they come. */
export interface Recorder {
  /**
   * Keeps a request, or an earlier one that is the same.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   */
  addRequest(request: ApiRequest, at: number, visit: VisitFacts): AskedRequest
  /** Keeps a mark. */
  addMark(mark: Mark): void
}

/** What happens to a sandbox, for who judges it: an exchange that was decided, or a mark. */
export type Happening =
  | { readonly id: number; readonly exchange: Exchange }
  | { readonly mark: Mark }

/** An exchange in a journal. */
interface Kept {
  readonly id: number
  readonly bytes: number
  /** Its place among all that share the bytes. */
  place: number
  /** As the engine reported it, or only as the journal showed it, if it was restored. */
  readonly exchange: Exchange | JournalEntry
}

/** The latest exchanges of a sandbox, oldest first. */
export class Journal implements Evictable {
  /** Random, and in no snapshot: what goes on from one is another journal. */
  readonly #epoch = crypto.getRandomValues(new Uint32Array(2)).join('')
  /** The id of the last entry that it was restored with. */
  #startId = 0
  /** Where the journal ended that this one follows. */
  #precedent: JournalPosition | undefined
  readonly #size: number
  /** By ascending id. */
  readonly #entries: Kept[] = []
  #lastId = 0
  #nextNumber: number | undefined
  /** Whether another journal follows this one. */
  #isOver = false
  /** The bytes that it shares with other journals; `undefined` before it is in force. */
  #shared: ByteBudget | undefined
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
    this.#history.recorder = recorder
  }

  /** Notes that a request has begun; returns what stands for it from now on. */
  begin(request: ApiRequest, at: number, visit: VisitFacts): AskedRequest {
    const recorded = this.#history.recorder?.addRequest(request, at, visit)
    const asked = recorded ?? { request, number: undefined }
    asked.number = this.#nextNumber
    this.#nextNumber = undefined
    return asked
  }

  /** Has its sequence go on after a place, if it isn't further already. */
  goOnFrom(order: number): void {
    this.#history.sequence.goOnFrom(order)
  }

  /** Where its sequence stands. */
  get lastOrder(): number {
    return this.#history.sequence.last
  }

  /** Gives the next request the number that it had in another sandbox, of which this one is a replay. */
  numberNext(number: number | undefined): void {
    this.#nextNumber = number
  }

  /** Adds an exchange; none whose state has gone meanwhile. */
  add(exchange: Exchange, asked: AskedRequest): void {
    if (this.#isOver) return
    const id = asked.number ?? this.#lastId + 1
    asked.number = id
    this.#lastId = Math.max(this.#lastId, id)
    const kept = keptOf(exchange)
    if (this.#size > 0) this.#put(id, kept)
    const { listeners, watchers } = this.#history
    if (listeners.size > 0) listeners.tell(this.#shown({ id, exchange: kept }))
    watchers.tell({ id, exchange })
  }

  /** All that happened, in order, as far as it still has it. */
  past(): Happening[] {
    const exchanges = this.#entries.flatMap(({ id, exchange }) =>
      'why' in exchange ? [] : [{ id, exchange }],
    )
    const marks = this.marks.all().map((mark) => ({ mark }))
    return inOrder([...exchanges, ...marks])
  }

  /** Calls a watcher with all to come, over resets too; returns a function that ends this. */
  watch(watcher: (happening: Happening) => void): () => void {
    return this.#history.watchers.add(watcher)
  }

  /** Notes that a request begins to come in. */
  visit(door: DoorName, connection: number | undefined): KeptVisit {
    return new KeptVisit(door, connection, this.#history.sequence)
  }

  /** The number of a caller, by its token. */
  callerOf(token: string): number {
    return this.#history.callers.numberOf(token)
  }

  /** The number of a caller that has sent a request; `undefined` for any other. */
  knownCaller(token: string): number | undefined {
    return this.#history.callers.find(token)
  }

  /**
   * Adds a mark.
   *
   * @param at The sandbox's time, in Unix milliseconds.
   * @param name That of a test.
   */
  mark(kind: MarkKind, at: number, name?: string): void {
    const { sequence, recorder, watchers } = this.#history
    const shown = name === undefined ? {} : { name: this.#hide(name) }
    const mark = { order: sequence.next(), at: formatInstant(at), kind, ...shown }
    this.marks.add(mark)
    recorder?.addMark(mark)
    watchers.tell({ mark })
  }

  /** The entries that match a filter, oldest first. */
  entries(filter: JournalFilter): JournalEntry[] {
    const found = this.#entries.filter((entry) => matchesFilter(entry, filter))
    const latest = filter.limit === undefined ? found : found.slice(-filter.limit)
    return latest.map((kept) => this.#shown(kept))
  }

  get(id: number): JournalEntry | undefined {
    const found = this.#entries[this.#placeAfter(id - 1)]
    return found?.id === id ? this.#shown(found) : undefined
  }

  /** Where it ends. */
  get position(): JournalPosition {
    return { epoch: this.#epoch, id: this.#lastId }
  }

  /**
   * Returns the first entry after a position that it still has; after a position of another journal, its first own one.
   */
  next(after: JournalPosition): JournalStep {
    const isOwn = after.epoch === this.#epoch
    const startId = isOwn ? after.id : this.#startId
    const isPrecedent = after.epoch === this.#precedent?.epoch && after.id === this.#precedent.id
    const isFollowing = isOwn || isPrecedent
    const found = this.#entries[this.#placeAfter(startId)]
    if (found === undefined) {
      const isWhole = isFollowing && startId === this.#lastId
      return { position: this.position, entry: undefined, isWhole }
    }
    return {
      position: { epoch: this.#epoch, id: found.id },
      entry: this.#shown(found),
      isWhole: isFollowing && found.id === startId + 1,
    }
  }

  clear(): void {
    while (this.#entries.length > 0) this.dropOldest()
  }

  /** The place of its oldest entry. */
  get oldest(): number | undefined {
    return this.#entries[0]?.place
  }

  /** Forgets its oldest entry. */
  dropOldest(): void {
    const dropped = this.#entries.shift()
    if (dropped !== undefined) this.#shared?.remove(this, dropped.bytes)
  }

  /** Keeps its entries, and those to come, in bytes that it shares with other journals. */
  join(shared: ByteBudget): void {
    const entries = this.#entries.splice(0)
    for (const { bytes } of entries) this.#shared?.remove(this, bytes)
    this.#shared = shared
    for (const entry of entries) {
      entry.place = shared.nextPlace()
      this.#entries.push(entry)
      shared.add(this, entry.bytes)
    }
  }

  /** Calls a listener with each new entry; returns a function that ends this. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    return this.#history.listeners.add(listener)
  }

  /** Follows another journal, and goes on with its history; that one keeps nothing more. */
  adopt(other: Journal): void {
    this.#precedent = other.position
    // So that a number names one request, whatever becomes of the state.
    this.#lastId = Math.max(this.#lastId, other.#lastId)
    this.#startId = this.#lastId
    other.#history.goOnFrom(this.#history)
    this.#history = other.#history
    other.#history = new History()
    other.clear()
    other.#isOver = true
  }

  /** Returns the journal as it is now: of many or long entries only the latest, so that snapshots stay short. */
  save(): Read<typeof savedJournal> {
    const kept = this.#entries
    let first = kept.length
    for (let bytes = 0; first > 0; first--) {
      bytes += kept[first - 1]?.bytes ?? 0
      if (bytes > savedBytes) break
    }
    const list = kept.slice(first).map((one) => this.#shown(one))
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
      const [request, outcome] = [cutBody(entry.request), cutBody(entry.outcome)]
      this.#put(entry.id, { ...entry, request, outcome })
    }
  }

  /** The place of the first entry with a higher id. */
  #placeAfter(id: number): number {
    return this.#entries.findLastIndex((entry) => entry.id <= id) + 1
  }

  /** Adds an entry, in place of the oldest once the journal is full. */
  #put(id: number, exchange: Kept['exchange']): void {
    const bytes = bytesOf(exchange)
    const entry: Kept = { id, exchange, bytes, place: this.#shared?.nextPlace() ?? 0 }
    if (this.#entries.length >= this.#size) this.dropOldest()
    if (id > (this.#entries.at(-1)?.id ?? 0)) this.#entries.push(entry)
    // In a replay of requests that were answered in another order than they came.
    else this.#entries.splice(this.#placeAfter(id), 0, entry)
    this.#shared?.add(this, bytes)
  }

  /** Shows an exchange; a restored one has lost its secrets already. */
  #shown({ id, exchange }: Pick<Kept, 'id' | 'exchange'>): JournalEntry {
    if ('why' in exchange) return structuredClone(exchange)
    return showExchange(id, exchange, (text) => this.#hide(text, exchange.token))
  }
}

/** Whether an exchange matches a filter. */
function matchesFilter({ id, exchange }: Kept, filter: JournalFilter): boolean {
  const at = typeof exchange.at === 'number' ? exchange.at : Date.parse(exchange.at)
  const { outcome } = exchange
  const status = 'status' in outcome ? outcome.status : outcome.kind
  return (
    (filter.after === undefined || id > filter.after) &&
    (filter.operation === undefined || filter.operation === exchange.operation) &&
    (filter.method === undefined || filter.method === exchange.request.method) &&
    (filter.status === undefined || filter.status === status) &&
    (filter.key === undefined || hasKey(exchange, filter.key)) &&
    (filter.since === undefined || at >= filter.since) &&
    (filter.until === undefined || at < filter.until)
  )
}

/** Whether an exchange had a key, whole or abbreviated; of a restored one only its beginning is known. */
function hasKey(exchange: Kept['exchange'], key: string): boolean {
  if ('why' in exchange) return exchange.key === key || exchange.key === redactKey(key)
  const { token } = exchange
  return token === key || (token !== '' && redactKey(token) === key)
}

/** Puts what has happened in the order in which it was known: exchanges by the ends of their answers. */
export function inOrder(happenings: readonly Happening[]): Happening[] {
  return happenings.toSorted((one, other) => orderOf(one) - orderOf(other))
}

/** Where something stands in the sequence: a mark, or the end of an answer. */
function orderOf(happening: Happening): number {
  if ('mark' in happening) return happening.mark.order
  return happening.exchange.visit.answerOrder ?? 0
}

/** What of a sandbox goes on over resets: its sequence, its callers, and who watches. */
class History {
  readonly sequence = new Sequence()
  readonly callers = new Callers()
  readonly watchers = new Listeners<Happening>()
  readonly listeners = new Listeners<JournalEntry>()
  recorder: Recorder | undefined

  /** Goes on after all of another one. */
  goOnFrom({ sequence, callers }: History): void {
    this.sequence.goOnFrom(sequence.last)
    this.callers.goOnFrom(callers.last)
  }
}

/** How many callers are told apart; the one that came first is forgotten first. */
const maxCallers = 1_000

/** Numbers the tokens that requests come with, since an abbreviated key is no identity. */
class Callers {
  readonly #known = new Map<string, number>()
  last = 0

  /** The number of a token; `''` for none has one too. */
  numberOf(token: string): number {
    const known = this.#known.get(token)
    if (known !== undefined) return known
    this.last++
    this.#known.set(token, this.last)
    const [oldest = ''] = this.#known.keys()
    if (this.#known.size > maxCallers) this.#known.delete(oldest)
    return this.last
  }

  /** The number of a token that has one. */
  find(token: string): number | undefined {
    return this.#known.get(token)
  }

  /** Goes on after a number, if it isn't further already: whose those up to it were is not known. */
  goOnFrom(last: number): void {
    this.last = Math.max(this.last, last)
  }
}
