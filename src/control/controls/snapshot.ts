import { formatChoice, gapNames, parseGaps } from '../../contract/gaps.ts'
import { InputError, isRecord, show } from '../../input/input-error.ts'
import { Clock } from '../../state/clock.ts'
import { Faults } from '../../state/faults.ts'
import { Keys } from '../../state/keys.ts'
import { Pets } from '../../state/pets.ts'
import { Quotas } from '../../state/quotas.ts'
import { parseRateLimitMode, type State } from '../../state/state.ts'

/** The form of snapshots; a newer one is refused. */
const snapshotVersion = 1

/** The whole state of a sandbox as plain JSON: int64 that a number can't hold are decimal strings. */
export interface Snapshot {
  readonly petstoreSandbox: number
  readonly [part: string]: unknown
}

/** Writes a state down. */
export function takeSnapshot({
  clock,
  pets,
  keys,
  quotas,
  faults,
  journal,
  gaps,
  rateLimit,
}: State): Snapshot {
  return {
    petstoreSandbox: snapshotVersion,
    rateLimit,
    clock: clock.save(),
    gaps: Object.fromEntries(gapNames.map((name) => [name, formatChoice(name, gaps[name])])),
    keys: keys.save(),
    quotas: quotas.save(),
    faults: faults.save(),
    pets: pets.save(),
    journal: journal.save(),
  }
}

/**
 * Makes the state that was written down.
 *
 * @param fresh A new state, whose journal keeps as much as is asked for.
 * @throws {@link InputError} when it is none, or of a newer form.
 */
export function readSnapshot(value: unknown, fresh: State): State {
  if (!isRecord(value) || typeof value.petstoreSandbox !== 'number') {
    throw new InputError(`Cannot restore: found ${show(value)}; use a snapshot of petstore-sandbox`)
  }
  if (value.petstoreSandbox !== snapshotVersion) {
    throw new InputError(
      `Cannot restore: found a snapshot of form ${value.petstoreSandbox}; this version reads form ${snapshotVersion}`,
    )
  }
  const state: State = {
    clock: Clock.restore(value.clock),
    pets: Pets.restore(value.pets),
    keys: Keys.restore(value.keys),
    quotas: Quotas.restore(value.quotas),
    faults: Faults.restore(value.faults),
    journal: fresh.journal,
    gaps: parseGaps(value.gaps),
    rateLimit: parseRateLimitMode(value.rateLimit),
  }
  state.journal.restore(value.journal)
  return state
}
