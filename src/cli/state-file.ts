import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { InputError, isRecord } from '../contract/input.ts'
import type { Snapshot } from '../control/snapshot.ts'
import type { Sandbox } from '../sandbox.ts'
import type { SandboxPool } from '../sandbox-pool.ts'
import { readJsonFile, reasonOf } from './read-json-file.ts'

/**
 * Goes on from a state file, if it is there: the default sandbox's snapshot, and in it those of the named ones.
 *
 * @throws {@link CliError} with the place, for one that is broken or newer; the file stays as it is.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!existsSync(file)) return
  await readJsonFile(file, (value) => {
    const { sandboxes = {}, ...own } = isRecord(value) ? value : {}
    if (!isRecord(sandboxes))
      throw new InputError('Cannot restore the sandboxes: use an object by name')
    sandbox.restore(own as Snapshot)
    for (const [name, snapshot] of Object.entries(sandboxes)) {
      pool.create({ name }).sandbox.restore(snapshot as Snapshot)
    }
  })
}

/**
 * Writes the state of all sandboxes: to a new file beside it, which then takes its place, so that there is
 * the old state or the new one at any moment, and never a part of one.
 *
 * @throws {@link InputError} when it can't be written; then the old one is still there.
 */
export function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): void {
  const named = pool.names().map((name) => [name, pool.get(name).snapshot()])
  const text = JSON.stringify({ ...sandbox.snapshot(), sandboxes: Object.fromEntries(named) })
  const part = join(dirname(file), `.${basename(file)}.${process.pid}.part`)
  try {
    writeThrough(part, `${text}\n`)
    renameSync(part, file)
  } catch (error) {
    rmSync(part, { force: true })
    throw new InputError(`Cannot save the state to ${file}: ${reasonOf(error)}`)
  }
}

/** Writes a file and has the system put it on the disk before it is renamed. */
function writeThrough(file: string, text: string): void {
  const descriptor = openSync(file, 'w', 0o600)
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
