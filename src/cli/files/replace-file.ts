import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Writes a file anew: to another one beside it, which then takes its place, so that there is the old text or the new
 * one at any moment, and never a part of one. A link stays, and what it leads to is replaced.
 *
 * @param mode Who may do what with a new file; by default its owner alone.
 * @throws Node's error when it can't be written; then the old one is still there.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file)
  isThere(target)
  const part = join(dirname(target), `${partPrefix(target)}${process.pid}${partSuffix}`)
  const descriptor = openSync(part, 'w', mode)
  try {
    writeThrough(descriptor, text)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Follows links, one that leads to no file yet, too. */
export function targetOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    if (!isMissing(error)) throw error
    const isLink = lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false
    return isLink ? targetOf(resolve(dirname(file), readlinkSync(file))) : file
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Whether there is a file; anything else of its name, such as a device, must not be replaced. */
export function isThere(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return found !== undefined
  throw new Error(found.isDirectory() ? 'it is a directory' : 'it is no regular file')
}

const partSuffix = '.part'

function partPrefix(target: string): string {
  return `.${basename(target)}.`
}

/** Removes what processes that were killed in the middle of saving have left. */
export function removeLeftovers(target: string): void {
  const [folder, prefix] = [dirname(target), partPrefix(target)]
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(partSuffix)) continue
    const id = name.slice(prefix.length, -partSuffix.length)
    if (/^\d+$/.test(id) && !isRunning(Number(id))) rmSync(join(folder, name), { force: true })
  }
}

/** Whether another process has this id. */
function isRunning(id: number): boolean {
  if (id === process.pid) return false
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Writes a text, has the system put it on the disk, and closes the file. */
function writeThrough(descriptor: number, text: string): void {
  try {
    const bytes = Buffer.from(text)
    for (let written = 0; written < bytes.length; ) {
      written += writeSync(descriptor, bytes, written)
    }
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
