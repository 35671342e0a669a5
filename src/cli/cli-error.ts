/** What ends a command with one line: exit code 2 for wrong usage, 1 for anything else. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}
