import { reasonOf } from '../files/read-json-file.ts'

/** What answers for a standard output that can't be written. */
export interface OutputGuard {
  /** Says that what is printed from here on is a log, without which the command goes on. */
  expectLog(): void
}

/**
 * Says once on standard error that standard output can't be written, and has the command fail unless it goes on
 * without. A reader that goes away, such as `head`, has what it wanted.
 */
export function guardOutput(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): OutputGuard {
  let isLog = false
  let isTold = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || isTold) return
    isTold = true
    const rest = isLog ? '; there is no log from here on' : ''
    stderr.write(`petstore-sandbox: Cannot write to standard output: ${reasonOf(error)}${rest}\n`)
    if (!isLog) process.exitCode = 1
  })
  // Where this can't be written either, there is nowhere left to say so.
  stderr.on('error', () => {})
  return {
    expectLog(): void {
      isLog = true
    },
  }
}
