import { serveOptions } from '../serve/serve-options.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { type Command, exampleLines, optionsOf, textsOf } from '../yargs-options.ts'
import { commandAfterDashes, commandWords, expectCommand } from './command-after-dashes.ts'

/** A sandbox of `serve` may run at the same time. */
const defaults = { port: '0', log: 'silent' }

export const exec: Command = {
  command: 'exec [command..]',
  describe: 'Run a command beside a sandbox of its own, without a report',
  builder: (yargs) =>
    commandWords(yargs)
      .options(
        optionsOf(serveOptions.properties, { defaults, group: 'Its sandbox, as with serve:' }),
      )
      .example(...exampleLines('$0 exec -- npm test', 'Run tests'))
      .example(
        ...exampleLines(
          '$0 exec --clock 2030-12-04 --gap banAfter=3 -- pytest -x',
          'Set how their sandbox starts',
        ),
      )
      .example(
        ...exampleLines(
          '$0 exec --capture failed.petstore.json -- npm test',
          'Save everything that they did, to replay it',
        ),
      )
      .epilogue(
        "The command finds the sandbox by PETSTORE_API_URL, PETSTORE_KEY and PETSTORE_CONTROL_URL; for each plan there is a key, such as PETSTORE_PRO_KEY. Commands such as clock find it by themselves. exec ends with the command's exit code, or with 127 if there is no such command. It has no --json: it prints only what the command prints.",
      ),
  async handler(found) {
    const texts = { ...defaults, ...textsOf(serveOptions.properties, found) }
    const settings = await readServeSettings(texts, process.env)
    const command = commandAfterDashes(found)
    expectCommand('exec', command)
    const { exec: runBeside } = await import('../serve/serve.ts')
    process.exitCode = await runBeside(settings, command)
  },
}
