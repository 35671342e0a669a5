import { once } from 'node:events'
import type { FileHandle } from 'node:fs/promises'
import { RemoteError } from '../../client/remote-error.ts'
import { InputError } from '../../input/input-error.ts'
import { readInput } from '../../input/schema.ts'
import { snapshotDocument } from '../../state/snapshot/snapshot.ts'
import { openFile } from '../files/open-file.ts'
import { readJsonFile, searchedBytes } from '../files/read-json-file.ts'
import { writeFileByPieces } from '../files/write-file.ts'
import { type RemotePlace, remoteAt } from './connect.ts'

const path = '/snapshot'

const pieceBytes = 65_536

const newline = new TextEncoder().encode('\n')

/** Saves the state of a running sandbox to a file, as it comes. */
export async function saveSnapshot(place: RemotePlace, file: string): Promise<void> {
  await writeFileByPieces(file, snapshotOf(place))
}

/** Prints the state of a running sandbox, as it comes, for as long as anybody reads. */
export async function printSnapshot(
  place: RemotePlace,
  stream: NodeJS.WritableStream,
): Promise<void> {
  const decoder = new TextDecoder()
  for await (const piece of snapshotOf(place)) {
    if (!stream.writable) return
    const hasRoom = stream.write(decoder.decode(piece, { stream: true }))
    // What can't be written is said by who guards the output.
    if (!hasRoom) await once(stream, 'drain').catch(() => {})
  }
}

/**
 * Restores the state of a running sandbox from a file, which is sent as it is read.
 *
 * @throws {@link CliError} for a file that can't be read, with the place of what is wrong in it unless it is very large.
 */
export async function restoreSnapshot(place: RemotePlace, file: string): Promise<void> {
  const opened = await openFile(file)
  try {
    await remoteAt(place).open({ method: 'PUT', path }, bodyOf(opened))
  } catch (error) {
    const { size } = await opened.stat()
    if (error instanceof InputError && size <= searchedBytes) {
      await readJsonFile(file, (found) => readInput(snapshotDocument, found))
    }
    throw error
  } finally {
    await opened.close()
  }
}

/** The content of a file as a body that is read while it is sent; Fetch asks for the word `half`. */
function bodyOf(opened: FileHandle): RequestInit {
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { bytesRead, buffer } = await opened.read({ buffer: new Uint8Array(pieceBytes) })
      if (bytesRead === 0) controller.close()
      else controller.enqueue(buffer.subarray(0, bytesRead))
    },
  })
  const streaming = { duplex: 'half' }
  return { body, headers: { 'content-type': 'application/json' }, ...streaming }
}

async function* snapshotOf(place: RemotePlace): AsyncGenerator<Uint8Array> {
  const remote = remoteAt(place)
  const { body } = await remote.open({ method: 'GET', path }, {})
  try {
    if (body !== null) yield* body
  } catch {
    const message = `Cannot read the answer of ${remote.address}: it broke off`
    throw new RemoteError('unreachable', message)
  }
  yield newline
}
