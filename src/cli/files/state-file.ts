import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Snapshot } from '../../control/controls/snapshot.ts'
import { InputError, isRecord } from '../../input/input-error.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readJsonFile, reasonOf } from './read-json-file.ts'
import { isThere, removeLeftovers, replaceFile, targetOf } from './replace-file.ts'

/**
 * Goes on from a state file, if it is there: the default sandbox's snapshot, and in it those of the named ones
 * with the settings that they were made with.
 *
 * @throws {@link CliError} with the place, for one that is broken or newer, which stays as it is; and where a state
 * could not be saved later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!prepare(file)) return
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
