import { accessSync, constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { lock } from 'proper-lockfile'
import { writeReasonOf } from '../files/reason-of.ts'
import { targetOf } from '../files/replace-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { report } from '../terminal/report.ts'

/**
 * A living process touches its lock every second. One that was killed leaves a lock that is free three seconds after its
 * last touch; the first touch dates up to a second ahead. So who waits a little longer than four seconds and still finds
 * it held has met a living process.
 */
const freshness = {
  update: 1_000,
  stale: 3_000,
  retries: { retries: 22, factor: 1, minTimeout: 200 },
}

/** A state file that is this process's alone. */
export interface StateLock {
  readonly file: string
  /**
   * Refuses to go on once the lock is gone, since another process may have the file.
   *
   * @throws {@link CliError}
   */
  expectHeld(): void
  /** Lets another process have the file. A process that just ends does so, too. */
  release(): Promise<void>
}

/**
 * Locks a state file for this process (decisions/034); waits for a lock that a killed process has left.
 *
 * @throws {@link CliError} when another process has it.
 */
export async function lockState(file: string): Promise<StateLock> {
  let lost: CliError | undefined
  const onCompromised = (error: Error): void => {
    // On a disk that has become read-only, say, nobody can take it, either; what is saved there is refused with that reason.
    if ('syscall' in error && !error.message.startsWith('ENOENT')) return
    lost = new CliError(`Cannot keep the state in ${file}: ${lostTo(file)}`, 1)
    report(lost.message)
  }
  try {
    const target = targetOf(file)
    // Without this, a wrong folder would be tried for as long as a lock that another process has.
    accessSync(dirname(target), constants.W_OK | constants.X_OK)
    // The file may not exist yet.
    const unlock = await lock(target, { ...freshness, realpath: false, onCompromised })
    return {
      file,
      expectHeld() {
        if (lost !== undefined) throw lost
      },
      async release() {
        if (lost !== undefined) return
        try {
          await unlock()
        } catch {
          // On such a disk, too: what stays there is free three seconds later.
        }
      },
    }
  } catch (error) {
    const isHeld = error instanceof Error && 'code' in error && error.code === 'ELOCKED'
    throw new CliError(
      `Cannot keep the state in ${file}: ${isHeld ? heldByOther : writeReasonOf(error)}`,
      1,
    )
  }
}

const heldByOther = 'another process has it; stop that one, or use another file'

function lostTo(file: string): string {
  return `its lock ${basename(targetOf(file))}.lock was removed or taken over; stop this process, and what else uses the file`
}
