import { readFileSync } from 'node:fs'

/** Whether a process has this id and hasn't ended; perhaps another one than had it before. */
export function isRunning(id: number): boolean {
  try {
    process.kill(id, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  return !isZombie(id)
}

/** Whether a process has ended, and its parent hasn't asked how yet; only Linux tells. */
function isZombie(id: number): boolean {
  try {
    // The name before the state, in parentheses, may be anything (proc(5)).
    return /\) [ZX] [^)]*$/.test(readFileSync(`/proc/${id}/stat`, 'utf8'))
  } catch {
    return false
  }
}
