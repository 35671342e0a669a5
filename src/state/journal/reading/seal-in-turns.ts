import type { Pace } from '../../clock/pace.ts'
import type { Journal } from '../journal.ts'

/** How often to look for entries that came meanwhile: each time there are fewer. */
const rounds = 3

/**
 * Does what `seal()` does, bit by bit, so that next to nothing is left to do for that. The keys that are to be hidden must
 * be known until then.
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
