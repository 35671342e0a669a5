import { CliError } from '../cli-error.ts'
import { checkNames, checkOptions, exploredOptions } from '../options.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { type Command, exampleLines, optionsOf, readOptions, textsOf } from '../yargs-options.ts'
import { commandAfterDashes, commandWords, expectCommand } from './command-after-dashes.ts'

export const check: Command = {
  command: 'check [command..]',
  describe: 'Run a command, such as your tests, and report what your client does wrong',
  builder: (yargs) =>
    commandWords(yargs)
      .options(optionsOf(checkOptions.properties))
      .options(optionsOf(exploredOptions.properties, { group: 'Its sandbox, as with serve:' }))
      .example(...exampleLines('$0 check -- npm test', 'Run tests once beside a sandbox'))
      .example(
        ...exampleLines(
          '$0 check --full -- npm test',
          'Before a release: also under failure conditions, and for hidden assumptions',
        ),
      )
      .example(
        ...exampleLines(
          '$0 check --only minute-limit,lost-response -- npm test',
          'Repeat some checks after a fix',
        ),
      )
      .example(
        ...exampleLines('$0 check --report junit=check.xml --min-coverage 60 -- npm test', 'In CI'),
      )
      .example(
        ...exampleLines(
          '$0 check --from petstore-check',
          'Report what tests have left in a folder',
        ),
      )
      .epilogue(
        `The command finds the sandbox as with exec; sandboxes that tests create themselves are checked, too. What the command prints goes to standard error. The checks of --only and --skip are ${checkNames.join(', ')}. The exit code is that of a command that fails; otherwise 0 if there is nothing to fix, 4 if there is, and 5 if there is nothing to check: no request came, or the command is flaky.`,
      ),
  async handler(found) {
    const options = readOptions(checkOptions.properties, found)
    const given = textsOf(exploredOptions.properties, found)
    const settings = await readServeSettings(given, process.env)
    const words = commandAfterDashes(found)
    if (options.from.length === 0) expectCommand('check', words)
    else if (words.length > 0) {
      throw new CliError('Cannot use --from with a command: leave out one of them', 2)
    }
    const { check: run } = await import('../check/check.ts')
    process.exitCode = await run({ options, settings, given, words }, process.stdout)
  },
}
