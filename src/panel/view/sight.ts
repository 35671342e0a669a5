import { isBeginning } from '../../console/model/filter-entries.ts'
import type { KeyView } from '../../control/keys.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { ClockReading } from '../../state/clock.ts'
import type { Fault } from '../../state/faults.ts'
import type { JournalEntry } from '../../state/journal-entry.ts'

/** How many requests a panel shows. */
export const mostEntries = 20

/** How many keys a panel knows: as many as somebody might look through. */
const mostKeys = 500

/** What a panel shows of a sandbox, of one moment. */
export interface Sight {
  readonly clock: ClockReading
  /** The latest first. */
  readonly entries: readonly JournalEntry[]
  readonly keys: readonly KeyView[]
  /** Those that may still strike. */
  readonly faults: readonly Fault[]
  /** The key that clients use, as far as it can be told; `undefined` where none has come. */
  readonly keyInUse: string | undefined
}

/**
 * Takes a look at a sandbox.
 *
 * @param before What was seen last: a key stays in use while no other comes.
 */
export function lookAt(
  { clock, journal, keys: { get }, state, faults }: Sandbox,
  before?: Sight,
): Sight {
  const entries = journal.entries({ limit: mostEntries }).reverse()
  // Not the list of all, since each takes a while.
  const keys = state()
    .keys.all()
    .slice(0, mostKeys)
    .map(({ key }) => get(key))
  return {
    clock: clock.read(),
    entries,
    keys,
    faults: faults
      .list()
      .filter(({ times, struck }) => typeof times !== 'number' || struck < times),
    keyInUse: keyInUse(entries, keys) ?? before?.keyInUse,
  }
}

/** The key of the latest request that came with one; where the journal shows too little of it, its figures tell. */
function keyInUse(entries: readonly JournalEntry[], keys: readonly KeyView[]): string | undefined {
  for (const { key, quota, decision } of entries) {
    const isRefused = decision.code === 'unauthorized'
    const alike = keys
      .filter((one) => key !== undefined && isBeginning(key, one.key))
      .filter(({ state }) => !isRefused || state === 'revoked' || state === 'expired')
    const [first] = alike
    const fitting = alike.find((one) => one[quota.window].limit === quota.limit)
    if (first !== undefined) return (fitting ?? first).key
  }
  return undefined
}
