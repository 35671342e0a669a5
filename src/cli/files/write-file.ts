import { statSync, writeFileSync } from 'node:fs'
import { CliError } from '../terminal/cli-error.ts'
import { writeReasonOf } from './reason-of.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Writes a file atomically, or to a stream such as a pipe.
 *
 * @param mode The permissions of a new file.
 * @throws {@link CliError} when it can't be written; an old file then stays.
 */
export function writeFile(file: string, text: string, mode: number): void {
  try {
    if (isStream(file)) writeFileSync(file, text)
    else replaceFile(file, text, mode)
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/** Whether a path is a stream, such as a pipe, which can't be replaced. */
function isStream(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}
