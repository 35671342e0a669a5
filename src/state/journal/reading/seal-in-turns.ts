import type { Pace } from '../../clock/pace.ts'
import type { Journal } from '../journal.ts'

/** How often to look for entries that came meanwhile: each time there are fewer. */
const rounds = 3

/**
 * Does what `seal()` does, bit by bit, and leaves it next to nothing to do. The keys to be hidden must stay known until it
 * is done.
 */
export async function sealInTurns(journal: Journal, pace: Pace): Promise<void> {
  let id = 0
  for (let round = 0; round < rounds; round++) {
    const { id: lastId } = journal.position
    for (;;) {
      const entry = journal.entryAfter(id)
      if (entry === undefined || entry.id > lastId) break
      id = entry.id
      const shown = 'why' in entry.exchange ? undefined : journal.get(id)
      if (shown !== undefined) entry.seal(shown)
      await pace()
    }
  }
}
