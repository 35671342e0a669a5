import { accessSync, constants, existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { lock } from 'proper-lockfile'
import { InputError, show } from '../mock/input/input-error.ts'
import { isRecord } from '../mock/input/record.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SandboxPool } from '../sandbox/sandbox-pool.ts'
import { CliError, writeReasonOf } from './cli-error.ts'
import { expectFile, readJsonFile, removeLeftovers, replaceFile, targetOf } from './files.ts'
import { report } from './terminal.ts'

/** Maximum size of a state file, in bytes: it contains the snapshots of all sandboxes. */
const maxStateBytes = 2 ** 28

/**
 * Restores sandboxes from a state file, if it exists: the default sandbox's snapshot, and those of the named ones with
 * their settings.
 *
 * @throws {@link CliError} with the place, for a broken or newer file, which stays as it is; or if the state couldn't
 * be saved there later.
 */
export async function loadState(file: string, sandbox: Sandbox, pool: SandboxPool): Promise<void> {
  if (!isResumed(file)) return
  await readJsonFile(file, (found) => resume(found, sandbox, pool), maxStateBytes)
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

/** Returns whether the file exists; checks that it can be replaced, and removes leftovers of killed processes. */
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
 * Writes the current state of all sandboxes atomically.
 *
 * @throws {@link CliError} if it can't be written; the old file then stays.
 */
export function saveState(file: string, sandbox: Sandbox, pool: SandboxPool): void {
  const named = pool.names().map((name) => {
    const snapshot = pool.getOrCreate(name).snapshot()
    return [name, { ...snapshot, settings: pool.optionsOf(name) }] as const
  })
  const state = { ...sandbox.snapshot(), sandboxes: Object.fromEntries(named) }
  try {
    const text = `${JSON.stringify(state)}\n`
    if (Buffer.byteLength(text) > maxStateBytes) {
      const most = `${maxStateBytes / 2 ** 20} MiB`
      throw new Error(`it has more than ${most}; delete named sandboxes, or pets`)
    }
    replaceFile(file, text)
  } catch (error) {
    throw new CliError(`Cannot save the state to ${file}: ${writeReasonOf(error)}`, 1)
  }
}

/**
 * A live process touches its lock every second. The lock of a killed process expires three seconds after its last
 * touch; the first touch is dated up to a second ahead. A lock that is still held after slightly more than four seconds
 * therefore belongs to a live process.
 */
const freshness = {
  update: 1_000,
  stale: 3_000,
  retries: { retries: 22, factor: 1, minTimeout: 200 },
}

/** State file that is locked for this process. */
export interface StateLock {
  /** Same as {@link loadState}. */
  load(sandbox: Sandbox, pool: SandboxPool): Promise<void>
  /** Same as {@link saveState}; throws once the lock is lost, since another process may have the file. */
  save(sandbox: Sandbox, pool: SandboxPool): void
  /** Unlocks the file for other processes. A process that ends unlocks it, too. */
  release(): Promise<void>
}

/**
 * Locks a state file for this process (decisions/018); waits until the lock of a killed process expires.
 *
 * @throws {@link CliError} if another process has it.
 */
export async function lockState(file: string): Promise<StateLock> {
  let lost: CliError | undefined
  const onCompromised = (error: Error): void => {
    // If the disk has become read-only, for example, no other process can take the lock; saving then fails with that
    // reason.
    if ('syscall' in error && !error.message.startsWith('ENOENT')) return
    const gone = `its lock ${basename(targetOf(file))}.lock was removed or taken over`
    const use = 'stop this process, and what else uses the file'
    lost = new CliError(`Cannot keep the state in ${file}: ${gone}; ${use}`, 1)
    report(lost.message)
  }
  try {
    const target = targetOf(file)
    // Without this check, a wrong folder would be retried like a lock that another process has.
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    // The file may not exist yet.
    const unlock = await lock(target, { ...freshness, realpath: false, onCompromised })
    return {
      load: (sandbox, pool) => loadState(file, sandbox, pool),
      save(sandbox, pool) {
        if (lost !== undefined) throw lost
        saveState(file, sandbox, pool)
      },
      async release() {
        if (lost !== undefined) return
        try {
          await unlock()
        } catch {
          // A lock that can't be removed from such a disk expires three seconds later.
        }
      },
    }
  } catch (error) {
    const isHeld = error instanceof Error && 'code' in error && error.code === 'ELOCKED'
    const why = isHeld
      ? 'another process has it; stop that one, or use another file'
      : writeReasonOf(error)
    throw new CliError(`Cannot keep the state in ${file}: ${why}`, 1)
  }
}
