import {
  accessSync,
  closeSync,
  constants,
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
import { InputError, isRecord } from '../contract/input.ts'
import type { Snapshot } from '../control/snapshot.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import { CliError } from './cli-error.ts'
import { readJsonFile, reasonOf } from './read-json-file.ts'

/**
 * Goes on from a state file, if it is there: the default sandbox's snapshot, and in it those of the named ones
 * with the settings that they were made with.
 *
 * @throws {@link CliError} with the place, for one that is broken or newer, which stays as it is; and where a state
 * could not be saved later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  const isThere = prepare(file)
  if (!isThere) return
  await readJsonFile(file, (value) => {
    const { sandboxes = {}, ...own } = isRecord(value) ? value : {}
    if (!isRecord(sandboxes)) {
      throw new InputError('Cannot restore the sandboxes: use an object by name', ['sandboxes'])
    }
    sandbox.restore(own as Snapshot)
    for (const [name, snapshot] of Object.entries(sandboxes)) {
      restoreNamed(name, snapshot, pool)
    }
  })
}

function restoreNamed(name: string, snapshot: unknown, pool: SandboxPool): void {
  try {
    const { settings = {}, ...own } = isRecord(snapshot) ? snapshot : {}
    if (!isRecord(settings)) {
      throw new InputError('Cannot restore the settings: use an object', ['settings'])
    }
    pool.create({ ...settings, name }).sandbox.restore(own as Snapshot)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.message, ['sandboxes', name, ...error.path])
  }
}

/** Makes sure that the state can be saved at the end; tells whether there is one to go on from. */
function prepare(file: string): boolean {
  try {
    const target = targetOf(file)
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    removeLeftovers(target)
    return isThere(target)
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${reasonOf(error)}`, 1)
  }
}

/**
 * Writes the state of all sandboxes, see {@link replaceFile}.
 *
 * @throws {@link CliError} when it can't be written; then the old one is still there.
 */
export function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): void {
  const named = pool.names().map((name) => {
    const settings = withoutBigints(pool.settingsOf(name))
    return [name, { ...pool.get(name).snapshot(), settings }]
  })
  const text = JSON.stringify({ ...sandbox.snapshot(), sandboxes: Object.fromEntries(named) })
  try {
    replaceFile(file, `${text}\n`)
  } catch (error) {
    throw new CliError(`Cannot save the state to ${file}: ${reasonOf(error)}`, 1)
  }
}

/** Writes the int64 in settings as decimal strings, which seeds may have, since JSON of other tools can't hold them. */
function withoutBigints(settings: unknown): unknown {
  const text = JSON.stringify(settings, (_, value) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  return JSON.parse(text)
}

/**
 * Writes a file anew: to another one beside it, which then takes its place, so that there is the old text or the new
 * one at any moment, and never a part of one. A link stays, and what it leads to is replaced.
 *
 * @throws Node's error when it can't be written; then the old one is still there.
 */
export function replaceFile(file: string, text: string): void {
  const target = targetOf(file)
  isThere(target)
  const part = join(dirname(target), `${partPrefix(target)}${process.pid}${partSuffix}`)
  const descriptor = openSync(part, 'w', 0o600)
  try {
    writeThrough(descriptor, text)
    renameSync(part, target)
  } catch (error) {
    rmSync(part, { force: true })
    throw error
  }
}

/** Follows links, one that leads to no file yet, too. */
function targetOf(file: string): string {
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
function isThere(target: string): boolean {
  const found = statSync(target, { throwIfNoEntry: false })
  if (found === undefined || found.isFile()) return found !== undefined
  throw new Error(found.isDirectory() ? 'it is a directory' : 'it is no regular file')
}

const partSuffix = '.part'

function partPrefix(target: string): string {
  return `.${basename(target)}.`
}

/** Removes what processes that were killed in the middle of saving have left. */
function removeLeftovers(target: string): void {
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
