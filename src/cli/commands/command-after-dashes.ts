import type { Argv } from 'yargs'
import { list, optional } from '../../mock/input/object.ts'
import { described } from '../../mock/input/schema.ts'
import { string } from '../../mock/input/values.ts'
import { CliError } from '../cli-error.ts'
import { type Arguments, withArguments } from '../yargs-options.ts'

/** Describes the command that another one runs. */
export function commandWords(yargs: Argv): Argv {
  return withArguments(yargs, {
    command: optional(described('The command and its arguments, after --', list(string)), []),
  })
}

/** Returns the command to run. */
export function commandAfterDashes(found: Arguments): readonly string[] {
  return [found.command, found['--']]
    .flat()
    .flatMap((word) => (word === undefined ? [] : `${word}`))
}

/** @throws {@link CliError} if the command to run is missing. */
export function expectCommand(name: string, [program = '']: readonly string[]): void {
  if (program !== '') return
  const use = `use ${name} [options] -- COMMAND`
  throw new CliError(`Cannot run ${name}: the command is missing; ${use}`, 2)
}
