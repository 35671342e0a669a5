import { definedOf, isRecord, mapTable, namesOf } from '../../input/record.ts'
import { Refusal, readPart, type Schema } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import { anyThat } from '../../input/values.ts'
import type { Beginning } from '../beginning.ts'
import { type PartName, parts } from '../parts.ts'
import { makeState, type State } from '../state.ts'

/** The version of snapshots; others are refused. */
export const version = 1

/** The whole state of a sandbox as plain JSON, by part; large int64 are decimal strings. */
export type Snapshot = { readonly petstoreSandbox: number } & {
  readonly [Name in keyof typeof parts]?: unknown
}

/** Takes a snapshot of a state. */
export function takeSnapshot(state: State): Snapshot {
  const saved = mapTable(parts, (name) => savePart(name, state))
  return { petstoreSandbox: version, ...definedOf(saved) }
}

function savePart<Name extends PartName>(name: Name, state: State): unknown {
  return parts[name].save(state[name])
}

/**
 * Makes a state from a snapshot; a part that it may lack starts fresh.
 *
 * @throws {@link Refusal} when it isn't a snapshot, or is of another version.
 */
export function readSnapshot(found: unknown, beginning: Beginning): State {
  const saved: Readonly<Record<string, unknown>> = snapshotDocument.read(found)
  expectVersion(saved.petstoreSandbox)
  return makeState((name) => restorePart(name, saved[name], beginning))
}

/** @throws {@link Refusal} for a snapshot of another version. */
export function expectVersion(found: unknown): void {
  if (found === version) return
  throw new Refusal(`found a snapshot of version ${show(found)}; use one of version ${version}`)
}

/**
 * Restores a part of a snapshot.
 *
 * @param saved `undefined` where the snapshot lacks it.
 * @throws {@link Refusal} with the place.
 */
export function restorePart(name: PartName, saved: unknown, beginning: Beginning): unknown {
  const { absence, fresh, restore } = parts[name]
  const isFresh = saved === undefined && absence === 'fresh'
  return isFresh ? fresh(beginning) : readPart(name, () => restore(saved, beginning))
}

const requiredParts = namesOf(parts).filter((name) => parts[name].absence === 'broken')

/** A snapshot, whose parts the sandbox reads that continues from it. */
export const snapshotDocument: Schema<Snapshot> = {
  ...anyThat('a snapshot of petstore-sandbox', isSnapshot),
  title: 'snapshot',
  describe: () => ({
    type: 'object',
    required: ['petstoreSandbox', ...requiredParts],
    properties: {
      petstoreSandbox: { type: 'integer', const: version },
      ...mapTable(parts, (name) => parts[name].describe()),
    },
  }),
}

function isSnapshot(found: unknown): found is Snapshot {
  return isRecord(found) && typeof found.petstoreSandbox === 'number'
}
