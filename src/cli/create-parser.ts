import yargs, { type Argv } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import { basePath } from '../contract/endpoints.ts'
import { isCompletion } from './complete.ts'
import { remoteCommands } from './remote/commands/remote-commands.ts'
import { remoteModule } from './remote/remote-module.ts'
import { defaultUrl, readRemoteOptions, requestsOptions } from './remote/remote-options.ts'
import { exec, execDefaults } from './serve/exec.ts'
import { serve } from './serve/serve.ts'
import { serveOptions } from './serve/serve-options.ts'
import { readServeSettings } from './serve/serve-settings.ts'
import { gapTable } from './terminal/gap-table.ts'
import type { OutputGuard } from './terminal/guard-output.ts'
import { markLiteralWords, textsOf } from './usage/literal-words.ts'
import { optionTexts } from './usage/option-texts.ts'
import { type Command, refuseWrongUsage, usageStrings } from './usage/usage-error.ts'
import { shownExamples, yargsOptions } from './usage/yargs-options.ts'

type Given = Readonly<Record<string, unknown>>

const commandNames = [
  'serve',
  'exec',
  'requests',
  ...Object.keys(remoteCommands),
  'gaps',
  'openapi',
  'completion',
]

const plain: Command = { name: '', options: {}, words: {}, usage: '', actions: [] }

/** Makes the parser of the command line, which runs the commands, too. */
export function createParser(argv: readonly string[], output: OutputGuard): Argv {
  const words = isCompletion(argv) ? argv : markLiteralWords(argv)
  const runServe = async (given: Given): Promise<void> => {
    const texts = optionTexts(serveOptions.properties, given, words)
    const settings = await readServeSettings(texts, process.env)
    output.expectLog()
    await serve(settings, packageJson.version)
  }
  const parser = yargs(words)
    .scriptName(packageJson.name)
    .usage('$0 [command]\n\nA local, in-memory pet store to develop and test clients against.')
    .locale('en')
    .updateStrings(usageStrings)
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
    })
    .strict()
    .strictCommands()
    .command('serve', 'Serve the pet store API (default)', asServe('serve', []), runServe)
    .command('$0', false, asServe('', commandNames), runServe)
    .command(
      'exec [command..]',
      'Run a command with a sandbox on a free port: exec [options] -- npm test',
      asExec,
      async (given) => {
        const texts = optionTexts(serveOptions.properties, given, words)
        const settings = await readServeSettings({ ...execDefaults, ...texts }, process.env)
        output.expectLog()
        process.exitCode = await exec(settings, textsOf(given.command))
      },
    )
    .command(
      'requests',
      'List the latest requests to a running sandbox, and why each was answered the way it was',
      (command) => {
        const options = requestsOptions.properties
        const takes = { ...plain, name: 'requests', usage: 'requests', options }
        return refuseWrongUsage(command.options(yargsOptions(options)), takes)
      },
      async (given) => {
        const texts = optionTexts(requestsOptions.properties, given, words)
        const options = readRemoteOptions(requestsOptions, texts, process.env)
        const { showRequests } = await import('./remote/show-requests.ts')
        await showRequests(options, process.stdout)
      },
    )
  if (isCompletion(argv) && !words.some((word) => commandNames.includes(word))) {
    // The options of the default command.
    parser.options(yargsOptions(serveOptions.properties))
  }
  for (const [name, command] of Object.entries(remoteCommands)) {
    parser.command(remoteModule(name, command, words))
  }
  return parser
    .command(
      'gaps',
      'List the gaps: what the interface leaves open, and the choices',
      asPlain('gaps'),
      () => print(gapTable()),
    )
    .command(
      'openapi',
      'Print the description of the API in OpenAPI 3.1',
      asPlain('openapi'),
      async () => {
        const { openApiDocument } = await import('../contract/openapi.ts')
        // An absolute address, since a relative one has no base in a saved file.
        print(JSON.stringify(openApiDocument(`${defaultUrl}${basePath}`), undefined, 2))
      },
    )
    .command('completion', 'Print a completion script for the shell', asPlain('completion'), () => {
      parser.showCompletionScript()
    })
    .version(packageJson.version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .wrap(Math.min(100, process.stdout.columns ?? (Number(process.env.COLUMNS) || 100)))
    .exitProcess(false)
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

function asPlain(name: string) {
  return (command: Argv): Argv => refuseWrongUsage(command, { ...plain, name, usage: name })
}

/** Describes `serve`, whose help is that of the program too. */
function asServe(name: string, actions: readonly string[]) {
  const options = serveOptions.properties
  const takes: Command = { name, usage: 'serve [options]', options, words: {}, actions }
  return (command: Argv): Argv =>
    refuseWrongUsage(command.options(yargsOptions(options)), takes)
      .example(
        shownExamples({
          '--port 0 --port-file port.txt': 'Serve on any free port, and write its number to a file',
          '--clock 2030-12-04T23:59:00Z': 'See the deprecated operation disappear after a minute',
          '--rate-limit reported --pets 10000': 'Serve many pets, and refuse no request for quota',
          '--gap retryAfterFormat=http-date --gap banAfter=3':
            'Choose what to do where the interface is silent',
        }),
      )
      .epilogue(
        'Each option can also be set by a variable, such as PETSTORE_SANDBOX_PORT=0, and in the config file, such as { "port": 0 }. The command line overrides variables, and variables override the file.',
      )
}

/** Describes `exec`, and which variables its command gets. */
function asExec(command: Argv): Argv {
  const options = serveOptions.properties
  const takes = { ...plain, name: 'exec', usage: 'exec [options] -- COMMAND', options }
  return refuseWrongUsage(command.options(yargsOptions(options, execDefaults)), takes)
    .usage('$0 exec [options] -- COMMAND\n\nRun a command with a sandbox on a free port.')
    .example(
      shownExamples({
        'exec -- npm test': 'Run tests against their own sandbox',
        'exec --clock 2030-12-04 --gap banAfter=3 -- pytest -x':
          'The same with options for the sandbox',
      }),
    )
    .epilogue(
      "The command gets PETSTORE_URL, PETSTORE_KEY, PETSTORE_CONTROL_URL, and a key for each plan, such as PETSTORE_PRO_KEY; commands such as petstore-sandbox clock find the sandbox by themselves. exec ends with the command's exit code: 127 if the command is not found.",
    )
}
