/**
 * Exit code: 2 for wrong usage, 4 for a failed check, 5 if there was nothing to check, 126 and 127 as in shells for a
 * command that can't be run, 1 for any other error.
 */
type FailureCode = 1 | 2 | 4 | 5 | 126 | 127

/** Ends a command with one line on standard error and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: FailureCode

  constructor(message: string, exitCode: FailureCode) {
    super(message)
    this.exitCode = exitCode
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user is not allowed to open it',
  EPERM: 'this user is not allowed to open it',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is not a folder',
  EEXIST: 'a part of its path is not a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  EFBIG: 'it would be too large for this disk',
  EROFS: 'the disk is read-only',
  ELOOP: 'it is a link to itself',
  // A socket can't be opened.
  ENXIO: 'it is not a regular file',
}

/** Explains why a file couldn't be used. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (error instanceof RangeError) return 'it is larger than a text can be'
  return reasons[code] ?? (error instanceof Error ? error.message : String(error))
}

/** Explains why a file couldn't be written. */
export function writeReasonOf(error: unknown): string {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT'
  return isMissing ? 'its folder does not exist' : reasonOf(error)
}
