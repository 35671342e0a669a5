import { isRecord, mapTable, namesOf } from '../input/record.ts'
import { Refusal, readPart, refuseValue, type Schema } from '../input/schema.ts'
import { anyThat } from '../input/values.ts'
import type { Beginning } from './beginning.ts'
import { parts } from './parts.ts'
import { makeState, type State } from './state.ts'

/** The form of snapshots; a newer one is refused. */
const form = 1

/** The whole state of a sandbox as plain JSON, by part: int64 that a number can't hold are decimal strings. */
export type Snapshot = { readonly petstoreSandbox: number } & {
  readonly [Name in keyof typeof parts]?: unknown
}

/** Writes a state down. */
export function takeSnapshot(state: State): Snapshot {
  // The row and the part have one name, and so one type.
  const saved = namesOf(parts).map((name) => [name, parts[name].save(state[name] as never)])
  return { petstoreSandbox: form, ...Object.fromEntries(saved) }
}

/**
 * Reads a snapshot; a part that an older one lacks is as the sandbox begins with it.
 *
 * @throws {@link Refusal} for anything else, or a newer form.
 */
export function readSnapshot(found: unknown, beginning: Beginning): State {
  if (!isRecord(found) || typeof found.petstoreSandbox !== 'number') {
    return refuseValue(found, 'a snapshot of petstore-sandbox')
  }
  if (found.petstoreSandbox !== form) {
    throw new Refusal(
      `found a snapshot of form ${found.petstoreSandbox}; this version reads form ${form}`,
    )
  }
  return makeState((name) => {
    const saved = found[name]
    const { fresh, restore } = parts[name]
    return saved === undefined ? fresh(beginning) : readPart(name, () => restore(saved, beginning))
  })
}

/** A snapshot, read later by the sandbox that is to go on from it. */
export const snapshotDocument: Schema<Snapshot> = {
  ...anyThat('a snapshot of petstore-sandbox', isSnapshot),
  title: 'snapshot',
  describe: () => ({
    type: 'object',
    required: ['petstoreSandbox'],
    properties: {
      petstoreSandbox: { type: 'integer', const: form },
      ...mapTable(parts, (name) => parts[name].describe()),
    },
  }),
}

function isSnapshot(found: unknown): found is Snapshot {
  return isRecord(found) && typeof found.petstoreSandbox === 'number'
}
