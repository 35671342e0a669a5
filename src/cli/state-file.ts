import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { InputError, show } from '../mock/input/input-error.ts'
import { isRecord } from '../mock/input/record.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { SandboxPool } from '../sandbox/sandbox-pool.ts'
import { CliError, writeReasonOf } from './cli-error.ts'
import { expectFile, readJsonFile, removeLeftovers, replaceFile, targetOf } from './files.ts'
import { isRunning } from './processes.ts'

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

/** State file that only this process uses. */
export interface StateClaim {
  /** Same as {@link loadState}. */
  load(sandbox: Sandbox, pool: SandboxPool): Promise<void>
  /** Same as {@link saveState}; throws if another process has taken the file over. */
  save(sandbox: Sandbox, pool: SandboxPool): void
  /** Lets other processes use the file; so does the end of this one. */
  release(): void
}

/**
 * Claims a state file for this process, by a file with its process id beside it (decisions/018).
 *
 * @throws {@link CliError} while another process that has claimed it is running.
 */
export function claimState(file: string): StateClaim {
  try {
    const pidFile = `${targetOf(file)}.pid`
    claim(pidFile)
    const release = (): void => {
      process.off('exit', release)
      try {
        if (pidIn(pidFile) === process.pid) rmSync(pidFile, { force: true })
      } catch {
        // Left on a disk that has become read-only; the process that it names is gone.
      }
    }
    process.on('exit', release)
    return {
      load: (sandbox, pool) => loadState(file, sandbox, pool),
      save(sandbox, pool) {
        if (pidIn(pidFile) !== process.pid) {
          const gone = `${basename(pidFile)} was removed or replaced`
          throw new CliError(`Cannot save the state to ${file}: ${gone}, so it may be in use`, 1)
        }
        saveState(file, sandbox, pool)
      },
      release,
    }
  } catch (error) {
    throw new CliError(`Cannot keep the state in ${file}: ${writeReasonOf(error)}`, 1)
  }
}

function claim(pidFile: string): void {
  const pid = pidIn(pidFile)
  if (pid > 0 && pid !== process.pid && isRunning(pid)) {
    throw new Error(`process ${pid} has it; stop that one, or use another file`)
  }
  // What a killed process has left.
  rmSync(pidFile, { force: true })
  writeFileSync(pidFile, `${process.pid}\n`, { flag: 'wx' })
}

/** Returns the process id in a file; 0 if there is none. */
function pidIn(pidFile: string): number {
  if (!existsSync(pidFile)) return 0
  const [, digits = '0'] = /^(\d{1,9})\n$/.exec(readFileSync(pidFile, 'utf8')) ?? []
  return Number(digits)
}
