import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { CliError } from '../terminal/cli-error.ts'
import { reasonOf } from './reason-of.ts'

/**
 * Opens a file to read it.
 *
 * @throws {@link CliError} for what isn't a file, such as a pipe, for which nobody may ever have anything.
 */
export async function openFile(file: string): Promise<FileHandle> {
  try {
    // Without waiting for somebody to write to a pipe.
    const opened = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    const found = await opened.stat()
    if (found.isFile()) return opened
    await opened.close()
    throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
  } catch (error) {
    throw new CliError(`Cannot read ${file}: ${reasonOf(error)}`, 1)
  }
}
