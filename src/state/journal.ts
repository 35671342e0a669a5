import { InputError, isRecord, parseWhole, show } from '../contract/input.ts'
import {
  boundedExchange,
  type Exchange,
  fitsFilter,
  type JournalEntry,
  type JournalFilter,
  showExchange,
} from './journal-entry.ts'

/** How many exchanges a journal keeps when nothing else is asked for. */
export const defaultJournalSize = 1_000

interface Entry {
  readonly id: number
  readonly exchange: Exchange | JournalEntry
}

/** The latest exchanges of a sandbox, oldest first. */
export class Journal {
  readonly #size: number
  /** A ring once it is full: the oldest entry is then at `#next`. */
  #entries: Entry[] = []
  #next = 0
  #lastId = 0
  readonly #listeners = new Set<(entry: JournalEntry) => void>()
  readonly #secrets: () => readonly string[]

  /**
   * @param size How many exchanges to keep; 0 for none.
   * @param secrets Gives the keys that no entry may show whole.
   */
  constructor(size: number, secrets: () => readonly string[]) {
    this.#size = size
    this.#secrets = secrets
  }

  get lastId(): number {
    return this.#lastId
  }

  add(exchange: Exchange): void {
    this.#lastId++
    if (this.#size > 0) {
      this.#put({ id: this.#lastId, exchange: boundedExchange(exchange) })
    }
    if (this.#listeners.size === 0) return
    const entry = this.#shown(this.#lastId, exchange)
    for (const listener of this.#listeners) listener(entry)
  }

  /** The entries that fit a filter, oldest first. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    const found = this.#entries
      .toSorted((left, right) => left.id - right.id)
      .filter(({ id, exchange }) => fitsFilter(id, exchange, filter))
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

  /** Calls a listener with each entry to come; returns what ends that. */
  subscribe(listener: (entry: JournalEntry) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Lets the listeners of another journal hear this one's entries. */
  adopt(other: Journal): void {
    for (const listener of other.#listeners) this.#listeners.add(listener)
  }

  save() {
    return { lastId: this.#lastId, list: this.entries() }
  }

  /** @throws {@link InputError} */
  restore(value: unknown): void {
    if (!isRecord(value) || !Array.isArray(value.list)) {
      throw new InputError(
        `Cannot restore the journal: found ${show(value)}; use what a snapshot has`,
      )
    }
    this.#lastId = parseWhole(value.lastId, 0, 1e15, "the journal's last id")
    this.clear()
    for (const entry of value.list.slice(-this.#size || value.list.length)) {
      if (!isEntry(entry)) {
        throw new InputError(
          `Cannot restore a journal entry: found ${show(entry)}; use what a snapshot has`,
        )
      }
      if (this.#size > 0) this.#put({ id: entry.id, exchange: entry })
    }
  }

  /** Puts an entry in the place of the one that is too old by now. */
  #put(entry: Entry): void {
    if (this.#entries.length < this.#size) {
      this.#entries.push(entry)
      return
    }
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.#size
  }

  /** Shows an exchange, or one that was restored, which has lost its secrets already. */
  #shown(id: number, exchange: Exchange | JournalEntry): JournalEntry {
    if ('why' in exchange) return exchange
    const { token } = exchange
    const secrets = this.#secrets()
    const isKnown = token === '' || secrets.includes(token)
    return showExchange(id, exchange, isKnown ? secrets : [token, ...secrets])
  }
}

function isEntry(value: unknown): value is JournalEntry {
  return (
    isRecord(value) &&
    typeof value.id === 'number' &&
    typeof value.why === 'string' &&
    isRecord(value.request) &&
    isRecord(value.outcome) &&
    isRecord(value.quota)
  )
}
