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
 * Replaces a file atomically: writes another one beside it and renames that. Follows links.
 *
 * @param mode The permissions of the new file; by default the owner's alone.
 * @throws Node's error when it can't be written; the old file then stays.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file)
  expectFile(target)
  const part = join(dirname(target), `${partPrefix(target)}${process.pid}${partSuffix}`)
  // Anything of this name is not ours: a leftover, or a link that somebody has put there.
  rmSync(part, { force: true })
  const descriptor = openSync(part, 'wx', mode)
  try {
    writeThrough(descriptor, text)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Follows links, also to a file that doesn't exist yet. */
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

/** Throws for anything but a file, such as a device, which must not be replaced; what doesn't exist yet will do. */
export function expectFile(target: string): void {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return
  throw new Error(found.isDirectory() ? 'it is a folder' : 'it is not a regular file')
}

const partSuffix = '.part'

function partPrefix(target: string): string {
  return `.${basename(target)}.`
}

/** Removes the leftovers of processes that were killed while saving. */
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

/** Writes a string, flushes it to the disk, and closes the file. */
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
