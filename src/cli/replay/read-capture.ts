import {
  captureFile,
  captureVersion,
  type ReadCapture,
} from '../../control/reports/capture-file.ts'
import { stepOf } from '../../explore/capture/capture-world.ts'
import { InputError } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { openFile } from '../files/open-file.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { CliError } from '../terminal/cli-error.ts'

/** What makes such a file. */
const maker = 'use a whole file that petstore-sandbox capture saved'

/** The largest capture, in bytes: what a sandbox remembers, and a very large seed. */
const mostBytes = 2 ** 27

/** Larger files are looked at before they are read as a whole, in bytes. */
const smallBytes = 2 ** 20

/** Where captures say that they are captures, in bytes from the beginning. */
const headBytes = 4_096

/**
 * Reads a file of `capture`.
 *
 * @throws {@link CliError} for a file that can't be read, or is not a capture, or one of a later version.
 */
export async function readCapture(file: string): Promise<ReadCapture> {
  await expectHead(file)
  try {
    const read = (found: unknown): ReadCapture => {
      expectCapture(found)
      const capture = readInput(captureFile, found)
      // The names of its controls are written into code.
      capture.steps.forEach(stepOf)
      return capture
    }
    return await readJsonFile(file, read, mostBytes)
  } catch (error) {
    // A file that can't be opened is another matter.
    const isContent = error instanceof CliError && error.reason === 'not-json'
    throw isContent ? new CliError(`${error.message}; ${maker}`, error.exitCode) : error
  }
}

/** Tells other documents, and captures to come, from captures with a mistake. */
function expectCapture(found: unknown): void {
  const version = isRecord(found) ? found.petstoreCapture : undefined
  if (version === undefined) {
    throw new InputError(`Cannot replay the file: it is not a capture; ${maker}`)
  }
  if (typeof version === 'number' && version > captureVersion) {
    throw new InputError(
      `Cannot replay the file: it is a capture of version ${version}, and this program reads version ${captureVersion}; use the petstore-sandbox that wrote it, or a newer one`,
      ['petstoreCapture'],
    )
  }
}

/** Refuses a large file of another kind at once: to parse it, and to find what is wrong in it, takes long. */
async function expectHead(file: string): Promise<void> {
  const opened = await openFile(file)
  try {
    if ((await opened.stat()).size <= smallBytes) return
    const { buffer, bytesRead } = await opened.read({ buffer: Buffer.alloc(headBytes) })
    if (buffer.toString('utf8', 0, bytesRead).includes('"petstoreCapture"')) return
    throw new CliError(`Cannot replay ${file}: it is not a capture; ${maker}`, 1)
  } finally {
    await opened.close()
  }
}
