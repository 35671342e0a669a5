import { list } from '../../input/collections.ts'
import { object } from '../../input/object.ts'
import { asGiven, type Read } from '../../input/schema.ts'
import { whole } from '../../input/values.ts'
import { reportError } from '../report-error.ts'
import type { Exchange } from './exchange.ts'
import { type JournalEntry, journalEntry } from './journal-entry.ts'
import { type JournalFilter, matchesFilter } from './journal-filter.ts'
import { KeptExchange } from './kept-exchange.ts'
import { showExchange } from './show-exchange.ts'

/** How many exchanges a journal keeps when nothing else is asked for. */
export const defaultJournalSize = 1_000

/** A journal as a snapshot has it. */
export const savedJournal = object({ lastId: whole(0, 1e15), list: list(asGiven(journalEntry)) })

/** The latest exchanges of a sandbox, oldest first. */
export class Journal {
  readonly #size: number
  /** A ring once it is full: the oldest entry is then at `#next`. */
  #entries: KeptExchange[] = []
  #next = 0
  #lastId = 0
  #listeners = new Set<(entry: JournalEntry) => void>()
  readonly #secrets: () => readonly string[]

  /**
   * @param size How many exchanges to keep; 0 for none.
   * @param secrets Gives the keys that no entry may show whole.
   */
  constructor(size: number, secrets: () => readonly string[]) {
    this.#size = size
    this.#secrets = secrets
  }

  add(exchange: Exchange): void {
    this.#lastId++
    this.#put(new KeptExchange(this.#lastId, exchange.token, exchange))
    if (this.#listeners.size === 0) return
    const entry = this.#shown(this.#lastId, exchange)
    for (const listener of [...this.#listeners]) tell(listener, entry)
  }

  /** The entries that fit a filter, oldest first. */
  entries(filter: JournalFilter): JournalEntry[] {
    const found = this.#inOrder().filter((entry) => matchesFilter(entry, filter))
    const latest = filter.limit === undefined ? found : found.slice(-filter.limit)
    return latest.map(({ id, exchange }) => this.#shown(id, exchange))
  }

  get(id: number): JournalEntry | undefined {
    const found = this.#entries.find((entry) => entry.id === id)
    return found === undefined ? undefined : this.#shown(id, found.exchange)
  }

  clear(): void {
    this.#entries = []
    this.#next = 0
  }

  /** Keeps of the entries only what they show, before a key that may not stand in them is forgotten. */
  seal(): void {
    this.#entries = this.#entries.map(({ id, token, exchange }) => {
      return new KeptExchange(id, token, this.#shown(id, exchange))
    })
  }

  /** Calls a listener with each entry to come; returns what ends that. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    const listeners = this.#listeners
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }

  /** Takes the listeners of another journal, which hear no more of that one. */
  adopt(other: Journal): void {
    this.#listeners = other.#listeners
    other.#listeners = new Set()
  }

  save(): Read<typeof savedJournal> {
    const shown = this.#inOrder().map(({ id, exchange }) => this.#shown(id, exchange))
    return { lastId: this.#lastId, list: shown }
  }

  /** Goes on from a saved journal; of too many entries, the latest are kept. */
  restore({ lastId, list: entries }: Read<typeof savedJournal>): void {
    this.clear()
    this.#lastId = lastId
    for (const entry of entries) {
      this.#put(new KeptExchange(entry.id, undefined, entry))
    }
  }

  #inOrder(): KeptExchange[] {
    return this.#entries.toSorted((left, right) => left.id - right.id)
  }

  /** Puts an entry in the place of the one that is too old by now. */
  #put(entry: KeptExchange): void {
    if (this.#entries.length < this.#size) {
      this.#entries.push(entry)
    } else if (this.#size > 0) {
      this.#entries[this.#next] = entry
      this.#next = (this.#next + 1) % this.#size
    }
  }

  /** Shows an exchange, or one that was restored, which has lost its secrets already. */
  #shown(id: number, exchange: Exchange | JournalEntry): JournalEntry {
    if ('why' in exchange) return structuredClone(exchange)
    return showExchange(id, exchange, [exchange.token, ...this.#secrets()])
  }
}

/** Calls a listener of the user's; what it throws harms neither the exchange nor other listeners. */
function tell(listener: (entry: JournalEntry) => void, entry: JournalEntry): void {
  try {
    listener(entry)
  } catch (error) {
    reportError(error)
  }
}
