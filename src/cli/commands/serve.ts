import packageJson from '../../../package.json' with { type: 'json' }
import { serveOptionGroups, serveOptions } from '../serve/serve-options.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { type Command, exampleLines, optionsOf, textsOf } from '../yargs-options.ts'

/** The command that runs if none is named. */
export const serve: Command = {
  command: 'serve',
  describe: 'Serve the API; the default command',
  builder: (yargs) =>
    Object.entries(serveOptionGroups)
      .reduce((so, [group, rows]) => so.options(optionsOf(rows, { group: `${group}:` })), yargs)
      .example(
        ...exampleLines(
          '$0 --port 0 --port-file port.txt',
          'Serve on any free port, and write its number to a file',
        ),
      )
      .example(
        ...exampleLines(
          '$0 --clock 2030-12-04T23:59:00Z',
          'See the deprecated operation disappear after a minute',
        ),
      )
      .example(
        ...exampleLines(
          '$0 --rate-limits report-only --pets 10000',
          'Serve many pets, and never reject a request over quota',
        ),
      )
      .example(
        ...exampleLines(
          '$0 --gap retryAfterFormat=http-date --gap banAfter=3',
          'Set what happens where the spec leaves it open',
        ),
      )
      .epilogue(
        'It has no --json: --log json prints a line of JSON for each request. Variables, such as PETSTORE_SANDBOX_PORT=0, and the config file, such as { "port": 0 }, set the same options. The command line overrides variables, and variables override the file.',
      ),
  async handler(found) {
    const settings = await readServeSettings(textsOf(serveOptions.properties, found), process.env)
    const { serve: serveUntilStopped } = await import('../serve/serve.ts')
    await serveUntilStopped(settings, packageJson.version)
  },
}
