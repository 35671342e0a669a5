import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/**
 * Says when a process began, in a way that tells it from every other that has had its id; `''` where this system doesn't
 * say so, and `undefined` when there is no such process.
 */
export function beginningOf(id: number): string | undefined {
  if (!isRunning(id)) return undefined
  if (existsSync('/proc/self/stat')) return fromProc(id)
  return process.platform === 'win32' ? '' : fromPs(id)
}

/** Whether a process has this id; perhaps another one than had it before. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function fromProc(id: number): string | undefined {
  try {
    // Its name, in parentheses, may be anything.
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\)/s, '').trim().split(' ')
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const [state] = fields
    // One that has ended, and that nobody has asked for how.
    return state === 'Z' || state === 'X' ? undefined : `${fields[startField]} ${boot}`
  } catch {
    return isRunning(id) ? '' : undefined
  }
}

/** Where the time of its start is, in what comes after the name (proc(5)). */
const startField = 19

function fromPs(id: number): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(id)], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trim() : ''
}
