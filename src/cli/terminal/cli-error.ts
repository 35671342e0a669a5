import type { RefusalReason } from '../../input/input-error.ts'

/**
 * An exit code: 2 for wrong usage, 4 for a verdict that is not good enough, 5 where nothing can be judged, 126 and 127 as
 * in shells for a command that can't be run, 1 for anything else.
 */
type FailureCode = 1 | 2 | 4 | 5 | 126 | 127

/** Ends a command with one line on standard error and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: FailureCode

  /** Which kind of refusal it was, where somebody asks. */
  readonly reason: RefusalReason | undefined

  constructor(message: string, exitCode: FailureCode, reason?: RefusalReason) {
    super(message)
    this.exitCode = exitCode
    this.reason = reason
  }
}
