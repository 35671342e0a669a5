import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder } from '../../input/make-folder.ts'
import { CliError } from '../terminal/cli-error.ts'
import { writeReasonOf } from './reason-of.ts'
import { expectFile, targetOf } from './replace-file.ts'

/**
 * Makes sure that a file can be written later on, and makes its folder if there is none: what takes long shouldn't end with
 * nothing.
 *
 * @throws {@link CliError} when it can't be written.
 */
export function expectPlace(file: string): void {
  try {
    const target = targetOf(file)
    makeFolder(dirname(target), { statSync, mkdirSync, dirname })
    const found = statSync(target, { throwIfNoEntry: false })
    // A pipe or a device is written to as it is.
    if (found?.isDirectory()) expectFile(target)
    if (found === undefined || found.isFile()) {
      accessSync(dirname(target), constants.W_OK | constants.X_OK)
    }
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${writeReasonOf(error)}`, 1)
  }
}
