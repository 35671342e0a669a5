/** What ends a command: 2 for wrong usage, 126 and 127 as shells have them for a command, 1 for anything else. */
type FailureCode = 1 | 2 | 126 | 127

/** What ends a command with one line, and its exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: FailureCode

  constructor(message: string, exitCode: FailureCode) {
    super(message)
    this.exitCode = exitCode
  }
}
