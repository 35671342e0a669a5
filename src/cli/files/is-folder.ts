import { statSync } from 'node:fs'
import { CliError } from '../terminal/cli-error.ts'
import { reasonOf } from './reason-of.ts'

/**
 * Whether a path leads to a folder.
 *
 * @throws {@link CliError} if it leads nowhere.
 */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch (error) {
    throw new CliError(`Cannot read ${path}: ${reasonOf(error)}`, 1)
  }
}
