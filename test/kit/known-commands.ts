import yargs from 'yargs'
import { mainCommands, otherCommands } from '../../src/cli/commands.ts'
import type { Command } from '../../src/cli/yargs-options.ts'

/** A command as yargs knows it. */
export interface KnownCommand {
  /** Its name, after that of the command around it. */
  readonly name: string
  /** Its name and arguments. */
  readonly usage: string
  readonly describe: string
  readonly options: readonly string[]
  readonly commands: readonly KnownCommand[]
}

function known({ command, describe, builder }: Command, before = ''): KnownCommand {
  const program = yargs([])
  if (typeof builder === 'function') void builder(program)
  const positionals = program.getGroups()['Positionals:'] ?? []
  const within = program.getInternalMethods().getCommandInstance().getCommandHandlers()
  const usage = `${before}${command}`
  const name = usage.replace(/ [[<].*/, '')
  const commands = Object.values(within)
    .filter(({ description }) => description !== false)
    .map((one) =>
      known(
        {
          command: one.original,
          describe: one.description,
          builder: (inner) => {
            if (typeof one.builder === 'function') one.builder(inner)
            return inner
          },
          handler() {},
        },
        `${name} `,
      ),
    )
  const options = Object.keys(program.getOptions().key).filter(
    (one) => !positionals.includes(one) && !['help', 'version'].includes(one),
  )
  return { name, usage, describe: String(describe), options, commands }
}

/** All commands, in the order of the help. */
export const knownCommands: readonly KnownCommand[] = [...mainCommands, ...otherCommands].map(
  (one) => known(one),
)
