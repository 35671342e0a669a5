import { reasonOf } from '../files/reason-of.ts'

/** Watches for a standard output that can't be written. */
export interface OutputGuard {
  /** Declares that the output from here on is a log, without which the command can go on. */
  expectLog(): void
}

/**
 * Reports once on standard error that standard output can't be written, and makes the command fail unless the output
 * is only a log. A reader that leaves, such as `head`, has what it wanted.
 */
export function guardOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): OutputGuard {
  let isLog = false
  let isTold = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return
    isTold = true
    const rest = isLog ? '; the log ends here' : ''
    stderr.write(`petstore-sandbox: Cannot write to standard output: ${reasonOf(error)}${rest}\n`)
    if (!isLog) process.exitCode = 1
  })
  // If this can't be written either, there is nowhere left to say so.
  stderr.on('error', () => {})
  return {
    expectLog(): void {
      isLog = true
    },
  }
}
