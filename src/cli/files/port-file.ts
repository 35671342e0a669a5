import { readFileSync, rmSync, statSync } from 'node:fs'
import { CliError } from '../terminal/cli-error.ts'
import { reasonOf } from './reason-of.ts'
import { targetOf } from './replace-file.ts'
import { writeFile } from './write-file.ts'

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
