import type { JournalEntry } from '../journal-entry.ts'
import { bounded, bytesOf } from '../kept-exchange.ts'

/** The latest entries of a journal that is read one by one, as many as fit into some bytes. */
export class LatestEntries {
  readonly #mostBytes: number
  #entries: JournalEntry[] = []
  #start = 0
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  add(found: JournalEntry): void {
    const entry = { ...found, request: bounded(found.request), outcome: bounded(found.outcome) }
    this.#entries.push(entry)
    this.#bytes += bytesOf(entry)
    while (this.#bytes > this.#mostBytes && this.#start < this.#entries.length) this.#dropFirst()
  }

  list(): JournalEntry[] {
    return this.#entries.slice(this.#start)
  }

  #dropFirst(): void {
    const first = this.#entries[this.#start]
    if (first !== undefined) this.#bytes -= bytesOf(first)
    this.#start++
    if (this.#start < 1_000) return
    this.#entries = this.list()
    this.#start = 0
  }
}
