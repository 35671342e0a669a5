import { toJson } from '../../contract/json/json.ts'
import { readInput } from '../../input/schema.ts'
import { snapshotDocument } from '../../state/state.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { writeFile } from '../files/write-file.ts'
import { atSandbox, type RemotePlace } from './connect.ts'

/** Saves the state of a running sandbox to a file, readable for its owner alone. */
export async function saveSnapshot(place: RemotePlace, file: string): Promise<void> {
  writeFile(file, await snapshotOf(place), 0o600)
}

/** Prints the state of a running sandbox. */
export async function printSnapshot(
  place: RemotePlace,
  stream: NodeJS.WritableStream,
): Promise<void> {
  stream.write(await snapshotOf(place))
}

/**
 * Restores the state of a running sandbox from a file.
 *
 * @throws {@link CliError} for a file that can't be read, with the place of what is wrong in it.
 */
export async function restoreSnapshot(place: RemotePlace, file: string): Promise<void> {
  const snapshot = await readJsonFile(file, (found) => readInput(snapshotDocument, found))
  await atSandbox(place, (client) => client.restore(snapshot))
}

async function snapshotOf(place: RemotePlace): Promise<string> {
  return `${toJson(await atSandbox(place, (client) => client.snapshot()))}\n`
}
