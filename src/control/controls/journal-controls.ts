import { MissingError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import type { JournalPosition, JournalStep } from '../../state/journal.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'
import {
  type JournalQuery,
  journalFilter,
  type Mark,
  type NewMark,
  newMark,
} from '../../state/journal-entry.ts'
import type { HarDocument } from '../har/har-document.ts'
import type { Access } from './access.ts'

/** The latest exchanges. */
export interface JournalControls {
  /** Where the journal ends; unlike the ids of entries, a position is never used again after a reset. */
  readonly position: JournalPosition
  /** Gives the first entry after a position, and says whether nothing before it is missing. */
  next(after: JournalPosition): JournalStep
  /** The entries that match, oldest first. */
  entries(query?: JournalQuery): JournalEntry[]
  /** The latest entry that matches, if any. */
  last(query?: JournalQuery): JournalEntry | undefined
  get(id: number): JournalEntry
  clear(): void
  /** The latest changes of the world between exchanges, oldest first. */
  marks(): Mark[]
  /** Marks that a test begins or ends, so that nothing is concluded across it. */
  mark(mark: NewMark): void
  /**
   * The entries that match, as HAR 1.2: for a browser's developer tools, or to be replayed by Playwright.
   *
   * @param origin What the addresses begin with; by default what clients sent as `Host`, or `http://localhost`.
   */
  har(query?: JournalQuery, origin?: string): Promise<HarDocument>
  /**
   * Calls a listener with each new entry, across resets; returns a function that ends this. What a listener throws is
   * reported, and harms neither the exchange nor other listeners.
   */
  subscribe(listener: (entry: JournalEntry) => void): () => void
  /** Calls a listener with each new mark, across resets; returns a function that ends this. */
  subscribeMarks(listener: (mark: Mark) => void): () => void
}

/** Makes the controls of a sandbox's journal. */
export function journalControls({ state }: Access): JournalControls {
  const entries = (query: JournalQuery = {}) =>
    state().journal.entries(readInput(journalFilter, query))
  return {
    get position() {
      return state().journal.position
    },
    next: (after) => state().journal.next(after),
    entries,
    last: (query) => entries(query).at(-1),
    get(id) {
      const entry = state().journal.get(id)
      if (entry !== undefined) return entry
      throw new MissingError(`Cannot find request ${show(id)}: the journal has no such entry`)
    },
    clear: () => state().journal.clear(),
    marks: () => state().journal.marks.all(),
    mark(value) {
      const { kind, name } = readInput(newMark, value)
      const { journal, clock } = state()
      journal.mark(kind, clock.now(), name)
    },
    async har(query, origin) {
      const found = entries(query)
      // Loaded late: pages seldom need it.
      const { servedAt, toHar } = await import('../har/har.ts')
      return toHar(found, origin === undefined ? servedAt('http://localhost') : () => origin)
    },
    subscribe: (listener) => state().journal.subscribe(listener),
    subscribeMarks: (listener) => state().journal.marks.subscribe(listener),
  }
}
