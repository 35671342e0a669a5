import { readInput } from '../../../input/schema.ts'
import type { JournalEntry } from '../../../state/journal/journal-entry.ts'
import { type JournalQuery, journalFilter } from '../../../state/journal/journal-filter.ts'
import { walkJournal } from '../../../state/journal/reading/walk-journal.ts'
import type { SandboxControls } from '../../controls/controls.ts'

/** Gives the exchanges that match, each when it is asked for; `undefined` stands for one that doesn't. */
export function walkEntries(
  controls: SandboxControls,
  query: JournalQuery,
): Iterable<JournalEntry | undefined> {
  return walkJournal(controls.state().journal, readInput(journalFilter, query))
}
