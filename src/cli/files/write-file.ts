import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { CliError } from '../terminal/cli-error.ts'
import { reasonOf, writeReasonOf } from './reason-of.ts'
import { replaceFile, targetOf } from './replace-file.ts'

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

/**
 * Removes a port file left by an earlier process, so that nobody mistakes its port for the new one.
 *
 * @throws {@link CliError} when it can't be removed.
 */
export function clearPortFile(file: string): void {
  try {
    if (isFile(file)) rmSync(targetOf(file))
  } catch (error) {
    throw new CliError(`Cannot write ${file}: ${reasonOf(error)}`, 1)
  }
}

/**
 * Writes the port file atomically, readable by everybody.
 *
 * @throws {@link CliError} when it can't be written.
 */
export function writePortFile(file: string, port: number): void {
  writeFile(file, String(port), 0o666)
}

/**
 * Removes a port file at the end, unless another process has written its own port since.
 *
 * @param tell Called with one line if it can't be removed, which must not keep the process from ending.
 */
export function removePortFile(file: string, port: number, tell: (line: string) => void): void {
  try {
    if (isFile(file) && readFileSync(file, 'utf8') === String(port)) rmSync(targetOf(file))
  } catch (error) {
    tell(`Cannot remove ${file}: ${reasonOf(error)}`)
  }
}

function isFile(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}
