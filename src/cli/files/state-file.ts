import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { show } from '../../input/show.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import { CliError } from '../terminal/cli-error.ts'
import { readJsonFile } from './read-json-file.ts'
import { writeReasonOf } from './reason-of.ts'
import { expectFile, removeLeftovers, replaceFile, targetOf } from './replace-file.ts'

/**
 * Resumes from a state file, if it exists: the default sandbox's snapshot, with those of the named ones and their
 * settings.
 *
 * @throws {@link CliError} with the place, for a broken or newer file, which stays as it is; or if the state couldn't
 * be saved there later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!isResumed(file)) return
  await readJsonFile(file, (value) => {
    const { sandboxes, ...own } = isRecord(value) ? value : {}
    const named = recordAt(sandboxes, 'sandboxes')
    sandbox.restore(isRecord(value) ? own : value)
    for (const [name, snapshot] of Object.entries(named)) restoreNamed(name, snapshot, pool)
  })
}

function restoreNamed(name: string, snapshot: unknown, pool: SandboxPool): void {
  try {
    const { settings, ...own } = isRecord(snapshot) ? snapshot : {}
    const { sandbox } = pool.create({ ...recordAt(settings, 'settings'), name })
    sandbox.restore(isRecord(snapshot) ? own : snapshot)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    throw new InputError(error.message, ['sandboxes', name, ...error.path])
  }
}

/** Reads a part that an older file may lack. */
function recordAt(found: unknown, place: string): Readonly<Record<string, unknown>> {
  if (found === undefined) return {}
  if (isRecord(found)) return found
  throw new InputError(`Cannot set ${place}: found ${show(found)}; use an object`, [place])
}

/** Returns whether the file exists; checks that it can be replaced later, and removes what a killed process has left. */
function isResumed(file: string): boolean {
  try {
    const target = targetOf(file)
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    removeLeftovers(target)
    expectFile(target)
    return existsSync(target)
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/**
 * Writes the state of all sandboxes, atomically.
 *
 * @throws {@link CliError} when it can't be written; the old file then stays.
 */
export function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): void {
  try {
    const named = pool
      .names()
      .map((name) => [name, { ...pool.get(name).snapshot(), settings: pool.settingsOf(name) }])
    const state = { ...sandbox.snapshot(), sandboxes: Object.fromEntries(named) }
    replaceFile(file, `${JSON.stringify(state)}\n`)
  } catch (error) {
    throw new CliError(`Cannot save the state to ${file}: ${writeReasonOf(error)}`, 1)
  }
}
