import { randomBytes } from 'node:crypto'
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
import { isRunning } from '../processes/running-process.ts'

/**
 * Replaces a file atomically: writes another one beside it and renames that. Follows links.
 *
 * @param mode The permissions of the new file; by default the owner's alone.
 * @throws Node's error when it can't be written; the old file then stays.
 */
export function replaceFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file)
  expectFile(target)
  const part = partOf(target)
  const descriptor = openSync(part, 'wx', mode)
  try {
    writeThrough(descriptor, text)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
  syncFolder(dirname(target))
}

/** Where a file is written before it takes its place: nobody can foretell the name, and put a link there. */
function partOf(target: string): string {
  const name = `${partPrefix(target)}${process.pid}.${randomBytes(8).toString('hex')}${partSuffix}`
  return join(dirname(target), name)
}

/** Has a folder's new names outlive a loss of power; Windows has no way to ask for it. */
function syncFolder(folder: string): void {
  if (process.platform === 'win32') return
  const descriptor = openSync(folder, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
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
    const [, id] =
      /^(\d+)(?:\.[\da-f]+)?$/.exec(name.slice(prefix.length, -partSuffix.length)) ?? []
    if (id !== undefined && !isOther(Number(id))) rmSync(join(folder, name), { force: true })
  }
}

/** Whether another process has this id. */
function isOther(id: number): boolean {
  return id !== process.pid && isRunning(id)
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
