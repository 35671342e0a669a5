import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { asGiven, type Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'
import { Listeners } from '../listeners.ts'
import type { HideKeys } from '../redact.ts'
import type { Exchange } from './exchange.ts'
import { type JournalEntry, journalEntry } from './journal-entry.ts'
import { type JournalFilter, matchesFilter } from './journal-filter.ts'
import { KeptExchange } from './kept-exchange.ts'
import { showExchange } from './show-exchange.ts'

/** How many exchanges a journal keeps by default. */
export const defaultJournalSize = 1_000

/** A journal as a snapshot has it. */
export const savedJournal = object({ lastId: whole(0, 1e15), list: list(asGiven(journalEntry)) })

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

/** The latest exchanges of a sandbox, oldest first. */
export class Journal {
  /** Random, and in no snapshot: what goes on from one is another journal. */
  readonly #epoch = Array.from(crypto.getRandomValues(new Uint32Array(2)), toBase36).join('')
  /** The id of the last entry that it was restored with. */
  #startId = 0
  /** Where the journal ended that this one follows. */
  #precedent: JournalPosition | undefined
  readonly #size: number
  /** A ring buffer: once it is full, the oldest entry is at `#next`. */
  #entries: KeptExchange[] = []
  #next = 0
  #lastId = 0
  #listeners = new Listeners<JournalEntry>()
  readonly #hide: HideKeys

  /**
   * @param size How many exchanges to keep; 0 for none.
   * @param hide Abbreviates the keys that no entry may show whole.
   */
  constructor(size: number, hide: HideKeys) {
    this.#size = size
    this.#hide = hide
  }

  add(exchange: Exchange): void {
    this.#lastId++
    this.#put(new KeptExchange(this.#lastId, exchange.token, exchange))
    if (this.#listeners.size === 0) return
    this.#listeners.tell(this.#shown(this.#lastId, exchange))
  }

  /** The entries that match a filter, oldest first. */
  entries(filter: JournalFilter): JournalEntry[] {
    const found = this.#inOrder().filter((entry) => matchesFilter(entry, filter))
    const latest = filter.limit === undefined ? found : found.slice(-filter.limit)
    return latest.map(({ id, exchange }) => this.#shown(id, exchange))
  }

  get(id: number): JournalEntry | undefined {
    const found = this.#entries.find((entry) => entry.id === id)
    return found === undefined ? undefined : this.#shown(id, found.exchange)
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
    const isFollowing = isOwn || isSame(after, this.#precedent)
    const found = this.#entries
      .filter(({ id }) => id > startId)
      .reduce<KeptExchange | undefined>(
        (first, entry) => (first === undefined || entry.id < first.id ? entry : first),
        undefined,
      )
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
    this.#entries = []
    this.#next = 0
  }

  /** Reduces the entries to what they show, before a key to be hidden in them is forgotten. */
  seal(): void {
    this.#entries = this.#entries.map(({ id, token, exchange }) => {
      return new KeptExchange(id, token, this.#shown(id, exchange))
    })
  }

  /** Calls a listener with each new entry; returns a function that ends this. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Follows another journal: takes its listeners, which hear no more of that one. */
  adopt(other: Journal): void {
    this.#precedent = other.position
    this.#listeners = other.#listeners
    other.#listeners = new Listeners()
  }

  save(): Read<typeof savedJournal> {
    const shown = this.#inOrder().map(({ id, exchange }) => this.#shown(id, exchange))
    return { lastId: this.#lastId, list: shown }
  }

  /** Goes on from a saved journal; of too many entries, the latest are kept. */
  restore({ lastId, list: entries }: Read<typeof savedJournal>): void {
    this.clear()
    this.#lastId = lastId
    this.#startId = lastId
    for (const entry of entries) {
      this.#put(new KeptExchange(entry.id, undefined, entry))
    }
  }

  #inOrder(): KeptExchange[] {
    return this.#entries.toSorted((left, right) => left.id - right.id)
  }

  /** Adds an entry, in place of the oldest once the journal is full. */
  #put(entry: KeptExchange): void {
    if (this.#entries.length < this.#size) {
      this.#entries.push(entry)
    } else if (this.#size > 0) {
      this.#entries[this.#next] = entry
      this.#next = (this.#next + 1) % this.#size
    }
  }

  /** Shows an exchange; a restored one has lost its secrets already. */
  #shown(id: number, exchange: Exchange | JournalEntry): JournalEntry {
    if ('why' in exchange) return structuredClone(exchange)
    return showExchange(id, exchange, (text) => this.#hide(text, exchange.token))
  }
}

function toBase36(word: number): string {
  return word.toString(36)
}

function isSame(one: JournalPosition, other: JournalPosition | undefined): boolean {
  return one.epoch === other?.epoch && one.id === other.id
}
