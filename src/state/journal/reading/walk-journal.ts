import type { Journal } from '../journal.ts'
import type { JournalEntry } from '../journal-entry.ts'
import { type JournalFilter, matchesFilter } from '../journal-filter.ts'

/**
 * Gives the entries of a journal that match a filter, one by one, oldest first, and `undefined` for others; it skips what
 * the journal forgets before its turn, and what comes later.
 */
export function* walkJournal(
  journal: Journal,
  filter: JournalFilter,
): Generator<JournalEntry | undefined> {
  const { id: lastId } = journal.position
  let id = filter.limit === undefined ? 0 : yield* beforeLatest(filter.limit, journal, filter)
  for (;;) {
    const entry = journal.entryAfter(id)
    if (entry === undefined || entry.id > lastId) return
    id = entry.id
    yield matchesFilter(entry, filter) ? journal.get(id) : undefined
  }
}

/** Returns the id before the latest ones that match; looks at one entry in each step. */
function* beforeLatest(
  count: number,
  journal: Journal,
  filter: JournalFilter,
): Generator<undefined, number> {
  let id = journal.position.id + 1
  let found = 0
  for (;;) {
    const entry = journal.entryBefore(id)
    if (entry === undefined) return 0
    id = entry.id
    if (matchesFilter(entry, filter)) found++
    if (found === count) return id - 1
    yield undefined
  }
}
