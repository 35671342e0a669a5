import { existsSync } from 'node:fs'
import { InputError } from '../../input/input-error.ts'
import { isRecord } from '../../input/record.ts'
import { show } from '../../input/show.ts'
import type { Sandbox } from '../../sandbox.ts'
import type { SandboxPool } from '../../sandbox-pool.ts'
import { readJsonFile } from '../files/read-json-file.ts'
import { writeReasonOf } from '../files/reason-of.ts'
import { expectFile, removeLeftovers, replaceFile, targetOf } from '../files/replace-file.ts'
import { CliError } from '../terminal/cli-error.ts'

/** The largest state file, in bytes: it has the snapshots of all sandboxes. */
const mostStateBytes = 2 ** 28

/**
 * Resumes from a state file, if it exists: the default sandbox's snapshot, with those of the named ones and their
 * settings.
 *
 * @throws {@link CliError} with the place, for a broken or newer file, which stays as it is; or if the state couldn't
 * be saved there later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!isResumed(file)) return
  await readJsonFile(file, (found) => resume(found, sandbox, pool), mostStateBytes)
}

function resume(found: unknown, sandbox: Sandbox, pool: SandboxPool): void {
  sandbox.restore(found)
  const { sandboxes } = isRecord(found) ? found : {}
  if (sandboxes === undefined) return
  for (const [name, saved] of Object.entries(recordAt(sandboxes, ['sandboxes']))) {
    const place = ['sandboxes', name]
    const { settings, ...snapshot } = recordAt(saved, place)
    try {
      const made = pool.create({ ...recordAt(settings, [...place, 'settings']), name })
      made.sandbox.restore(snapshot)
    } catch (error) {
      if (!(error instanceof InputError)) throw error
      throw new InputError(error.message, [...place, ...error.path])
    }
  }
}

function recordAt(found: unknown, path: readonly string[]): Readonly<Record<string, unknown>> {
  if (isRecord(found)) return found
  throw new InputError(`Cannot set ${path.join('.')}: found ${show(found)}; use an object`, path)
}

/** Returns whether the file exists; checks that it can be replaced, and removes what a killed process has left. */
function isResumed(file: string): boolean {
  try {
    const target = targetOf(file)
    removeLeftovers(target)
    expectFile(target)
    return existsSync(target)
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/**
 * Writes the state of all sandboxes as it is now, atomically.
 *
 * @throws {@link CliError} when it can't be written; the old file then stays.
 */
export function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): void {
  const named = pool.names().map((name) => {
    const snapshot = pool.get(name).snapshot()
    return [name, { ...snapshot, settings: pool.settingsOf(name) }] as const
  })
  const state = { ...sandbox.snapshot(), sandboxes: Object.fromEntries(named) }
  try {
    const text = `${JSON.stringify(state)}\n`
    if (Buffer.byteLength(text) > mostStateBytes) throw new Error(tooLarge)
    replaceFile(file, text)
  } catch (error) {
    throw new CliError(`Cannot save the state to ${file}: ${writeReasonOf(error)}`, 1)
  }
}

const tooLarge = `it has more than ${mostStateBytes / 2 ** 20} MiB; delete named sandboxes, or pets`
