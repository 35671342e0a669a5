import { InputError, isRecord, parseWhole, show } from '../../input/input-error.ts'
import {
  type Exchange,
  fitsFilter,
  type JournalEntry,
  type JournalFilter,
  KeptExchange,
  showExchange,
} from './journal-entry.ts'

/** How many exchanges a journal keeps when nothing else is asked for. */
export const defaultJournalSize = 1_000

/** Hides the keys of a sandbox in a text, and the token that was sent, whosever it is. */
export type HideKeys = (text: string, token: string) => string

/** The latest exchanges of a sandbox, oldest first. */
export class Journal {
  readonly #size: number
  /** A ring once it is full: the oldest entry is then at `#next`. */
  #entries: KeptExchange[] = []
  #next = 0
  #lastId = 0
  #listeners = new Set<(entry: JournalEntry) => void>()
  readonly #hide: HideKeys

  /**
   * @param size How many exchanges to keep; 0 for none.
   * @param hide Hides the keys that no entry may show whole.
   */
  constructor(size: number, hide: HideKeys) {
    this.#size = size
    this.#hide = hide
  }

  get lastId(): number {
    return this.#lastId
  }

  add(exchange: Exchange): void {
    this.#lastId++
    if (this.#size > 0) this.#put(new KeptExchange(this.#lastId, exchange.token, exchange))
    if (this.#listeners.size === 0) return
    const entry = this.#shown(this.#lastId, exchange)
    for (const listener of this.#listeners) listener(entry)
  }

  /** The entries that fit a filter, oldest first. */
  entries(filter: JournalFilter = {}): JournalEntry[] {
    const found = this.#entries
      .toSorted((left, right) => left.id - right.id)
      .filter((entry) => fitsFilter(entry, filter))
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
      if (this.#size > 0) this.#put(new KeptExchange(entry.id, undefined, entry))
    }
  }

  /** Puts an entry in the place of the one that is too old by now. */
  #put(entry: KeptExchange): void {
    if (this.#entries.length < this.#size) {
      this.#entries.push(entry)
      return
    }
    this.#entries[this.#next] = entry
    this.#next = (this.#next + 1) % this.#size
  }

  /** Shows an exchange, or one that was restored, which has lost its secrets already. */
  #shown(id: number, exchange: Exchange | JournalEntry): JournalEntry {
    if ('why' in exchange) return structuredClone(exchange)
    const { token } = exchange
    return showExchange(id, exchange, (text) => this.#hide(text, token))
  }
}

function isEntry(value: unknown): value is JournalEntry {
  return (
    isRecord(value) &&
    typeof value.id === 'number' &&
    typeof value.at === 'string' &&
    Number.isFinite(Date.parse(value.at)) &&
    typeof value.durationMs === 'number' &&
    typeof value.why === 'string' &&
    Array.isArray(value.faults) &&
    isRecord(value.quota) &&
    isRequest(value.request) &&
    isOutcome(value.outcome)
  )
}

function isRequest(value: unknown): boolean {
  return (
    isRecord(value) &&
    [value.method, value.url, value.body].every((part) => typeof part === 'string') &&
    isRecord(value.headers)
  )
}

function isOutcome(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (value.kind === 'disconnect' || value.kind === 'timeout') return true
  return (
    (value.kind === 'reply' || value.kind === 'broken-reply') &&
    typeof value.status === 'number' &&
    typeof value.body === 'string' &&
    isRecord(value.headers)
  )
}
