import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CliError } from '../terminal/cli-error.ts'

/** Puts into words why a command can't be started, with the exit code of shells for that. */
export function startError(command: string, error: Error): CliError {
  if (!exists(command)) {
    return new CliError(`Cannot run ${command}: command not found`, 127)
  }
  const code = 'code' in error ? error.code : undefined
  const isProgram = code !== 'EACCES' && code !== 'ENOENT'
  const why = isProgram ? error.message : 'it is not executable, or this user may not run it'
  return new CliError(`Cannot run ${command}: ${why}`, 126)
}

/** Whether a command's file exists, since the system's error may be about a folder in PATH. */
function exists(command: string): boolean {
  const folders = command.includes('/') ? [''] : (process.env.PATH ?? '').split(delimiter)
  return folders.some((folder) => existsSync(join(folder, command)))
}
