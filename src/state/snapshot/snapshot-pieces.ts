import { namesOf } from '../../input/record.ts'
import { jsonPieces } from '../../input/schema.ts'
import { type PartName, parts } from '../parts.ts'
import type { HideKeys } from '../redact.ts'
import type { State } from '../state.ts'
import { version } from './snapshot.ts'

/**
 * Takes a snapshot at once, and gives its properties as JSON, without the braces around them, in pieces that are made
 * when they are asked for: it may be too large to be held.
 */
export function snapshotPieces(state: State): Iterable<string> {
  const hide = state.keys.hiding()
  const saved = namesOf(parts).map((name) => [name, partPieces(name, state, hide)] as const)
  return {
    *[Symbol.iterator]() {
      yield `"petstoreSandbox":${version}`
      for (const [name, pieces] of saved) {
        if (pieces === undefined) continue
        yield `,"${name}":`
        yield* pieces
      }
    },
  }
}

function partPieces<Name extends PartName>(
  name: Name,
  state: State,
  hide: HideKeys,
): Iterable<string> | undefined {
  return parts[name].save(state[name], hide, jsonPieces)
}
