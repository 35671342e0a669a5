import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { CliError } from '../terminal/cli-error.ts'
import { reasonOf } from './read-json-file.ts'
import { replaceFile, targetOf } from './replace-file.ts'

/**
 * Removes a port file that an earlier process has left, so that nobody takes its port for the one to come.
 *
 * @throws {@link CliError} when it can't be removed.
 */
export function clearPortFile(file: string): void {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(targetOf(file))
  } catch (error) {
    throw portFileError(file, error)
  }
}

/**
 * Writes the port down, all of it at once, for everybody to read.
 *
 * @throws {@link CliError} when it can't be written.
 */
export function writePortFile(file: string, port: number): void {
  try {
    if (isStream(file)) writeFileSync(file, String(port))
    else replaceFile(file, String(port), 0o666)
  } catch (error) {
    throw portFileError(file, error)
  }
}

/**
 * Removes a port file at the end, unless another process has written its own port since.
 *
 * @param tell Called with one line when it can't be removed, which mustn't keep the process from its end.
 */
export function removePortFile(file: string, port: number, tell: (line: string) => void): void {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return
    if (readFileSync(file, 'utf8') === String(port)) rmSync(targetOf(file))
  } catch (error) {
    tell(`Cannot remove ${file}: ${reasonOf(error)}`)
  }
}

/** Whether a path leads to what takes text without keeping it, such as a pipe, and can't be replaced. */
function isStream(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && !found.isFile() && !found.isDirectory()
}

function portFileError(file: string, error: unknown): CliError {
  return new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
}
