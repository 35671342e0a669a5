import yargs, { type Argv, type CommandModule, type Options } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import { basePath } from '../contract/endpoints.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { InputError } from '../input/input-error.ts'
import { defaultPort } from '../server/default-port.ts'
import { type RequestsOptions, showRequests } from './remote/follow-requests.ts'
import type { RemoteOptions } from './remote/remote-client.ts'
import { type RemoteCommand, remoteCommands, runRemote } from './remote/remote-commands.ts'
import { execBeside } from './serve/exec.ts'
import { begin, serve } from './serve/serve.ts'
import { readServeArguments } from './serve/serve-arguments.ts'
import { serveOptionNames, serveOptions } from './serve/serve-options.ts'
import { CliError } from './terminal/cli-error.ts'
import { gapTable } from './terminal/gap-table.ts'
import { printable } from './terminal/printable.ts'
import { guardOutput, type OutputGuard } from './terminal/standard-output.ts'
import {
  checkUsage,
  completable,
  refuseOddFlags,
  remoteOptions,
  requestOptions,
  usageError,
  usualCommand,
  type Words,
} from './terminal/usage.ts'

const { name, version } = packageJson

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(argv: readonly string[]): Promise<void> {
  const output = guardOutput(process.stdout, process.stderr)
  try {
    refuseOddFlags(argv)
    await createParser(completable(argv), output).parseAsync()
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    process.stderr.write(`${isOurs ? `${name}: ${printable(error.message)}` : faultText(error)}\n`)
  }
}

function faultText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `${name}: this is a fault of the program, please report it\n${text}`
}

function createParser(argv: readonly string[], output: OutputGuard): Argv {
  const parser = yargs([...argv])
    .scriptName(name)
    .usage('$0 [command]\n\nA local, in-memory pet store to develop and test clients against.')
    .locale('en')
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'populate--': true,
      'parse-positional-numbers': false,
    })
    .middleware((words) => checkUsage(words as Words), true)
    .command(
      [usualCommand, '$0'],
      'Serve the pet store API; what it does without a command',
      (command) => withExamples(command.options(yargsOptions())),
      async (given) => {
        const settings = await readServeArguments(given, process.env)
        output.expectLog()
        await serve(settings, version)
      },
    )
    .command(
      'exec [command..]',
      'Run a command beside a sandbox on a free port: exec [options] -- npm test',
      (command) => withExecExamples(command.options(yargsOptions(execDefaults))),
      async (given) => {
        output.expectLog()
        await exec(given)
      },
    )
    .command(
      'requests',
      'List the latest requests of a running sandbox, and why each was answered so',
      (command) => command.options({ ...remoteYargsOptions, ...requestYargsOptions }),
      async (given) => showRequests(remoteArguments(given) as RequestsOptions, process.stdout),
    )
    .command(Object.entries(remoteCommands).map(remoteCommand))
    .command('gaps', 'List what the spec leaves open, and the choices', {}, () => {
      process.stdout.write(`${gapTable()}\n`)
    })
    .command('openapi', 'Print the description of the API, in OpenAPI 3.1', {}, () => {
      // A whole address, since a file that this is saved to has none for a relative one.
      const document = openApiDocument(`http://127.0.0.1:${defaultPort}${basePath}`)
      process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
    })
    .command('completion', 'Print a script for completion in the shell', {}, () => {
      parser.showCompletionScript()
    })
    .version(version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      throw error === undefined || error.name === 'YError' ? usageError(message) : error
    })
  return parser
}

/**
 * The options of `serve` as yargs takes them; it shows them, and leaves their values to be read as texts.
 *
 * @param defaults Those that another command has.
 */
function yargsOptions(defaults: Readonly<Record<string, string>> = {}): Record<string, Options> {
  return Object.fromEntries(
    serveOptionNames.map((option) => {
      const row = serveOptions[option]
      const { describe, kind } = row
      const usually = defaults[option] ?? ('usually' in row ? row.usually : undefined)
      return [
        option,
        {
          describe,
          ...(usually === undefined ? {} : { defaultDescription: usually }),
          ...('choices' in row ? { choices: row.choices } : {}),
          ...(kind === 'flag' ? { boolean: true } : { requiresArg: true }),
          // One value for each --gap, so that it doesn't take a command for one.
          ...(kind === 'gaps' || kind === 'list' ? { array: true, nargs: 1 } : {}),
        },
      ]
    }),
  )
}

/** Adds to the help of `serve`, which is that of the program too, how it is used. */
function withExamples<Given>(command: Argv<Given>): Argv<Given> {
  return command
    .example('$0 --port 0 --port-file port.txt', 'Serve on any free port and write it down')
    .example('$0 --clock 2030-12-04T23:59:00Z', 'See the deprecated operation go away in a minute')
    .example('$0 --rate-limit reported --pets 10000', 'Many pets, and no request refused')
    .example(
      '$0 --gap retryAfterFormat=http-date --gap banAfter=3',
      'Choose where the spec is silent',
    )
    .epilogue(
      'Each option can also be set by a variable, such as PETSTORE_SANDBOX_PORT=0, and in the config file, such as { "port": 0 }. The command line goes before variables, these before the file.',
    )
}

/** Adds to the help of `exec` what the command is told, and how. */
function withExecExamples<Given>(command: Argv<Given>): Argv<Given> {
  return command
    .usage('$0 exec [options] -- COMMAND\n\nRun a command beside a sandbox on a free port.')
    .example('$0 exec -- npm test', 'Test against a sandbox of its own')
    .example(
      '$0 exec --clock 2030-12-04 --gap banAfter=3 -- pytest -x',
      'The same with options for the sandbox',
    )
    .epilogue(
      'The command gets PETSTORE_URL, PETSTORE_KEY, PETSTORE_CONTROL_URL, and a key for each plan, such as PETSTORE_PRO_KEY; commands such as petstore-sandbox clock find the sandbox by themselves. Its exit code is that of exec: 127 if there is no such command.',
    )
}

/** The options by which a command finds a running sandbox. */
const remoteYargsOptions = {
  url: {
    describe: 'Where the sandbox is served',
    requiresArg: true,
    defaultDescription: `$PETSTORE_SANDBOX_URL or http://127.0.0.1:${defaultPort}`,
  },
  sandbox: { describe: 'Name of one of its sandboxes', requiresArg: true },
  'control-token': {
    describe: 'Token of its control API',
    requiresArg: true,
    defaultDescription: '$PETSTORE_SANDBOX_CONTROL_TOKEN',
  },
  json: { boolean: true, describe: 'Print JSON' },
} as const satisfies Record<string, Options>

const requestYargsOptions = {
  follow: { boolean: true, describe: 'Go on with those to come' },
  har: { boolean: true, describe: "Print HAR 1.2, for a browser's developer tools" },
  operation: { describe: 'Only this operation', requiresArg: true },
  status: { describe: 'Only this status, disconnect or timeout', requiresArg: true },
  key: { describe: 'Only this key', requiresArg: true },
  since: { describe: "Only from this instant of the sandbox's clock on", requiresArg: true },
  limit: { describe: 'At most so many, the latest', requiresArg: true },
} as const satisfies Record<string, Options>

function remoteCommand([command, { about, actions }]: [string, RemoteCommand]): CommandModule {
  const usage = Object.entries(actions).map(
    ([action, { words, about: does }]): [string, string] => [
      `${command} ${action} ${words}`.trimEnd(),
      does,
    ],
  )
  const [usual] = Object.keys(actions)
  return {
    command: `${command} [action..]`,
    describe: about,
    builder: (parser) =>
      parser
        .usage(`$0 ${command} [action]\n\n${about}; without an action: ${usual}.`)
        .updateStrings({ 'Examples:': 'Actions:' })
        .options(remoteYargsOptions)
        .example(usage),
    async handler(given) {
      const words = [...wordsOf(given.action), ...wordsOf(given['--'])]
      const text = await runRemote(command, words, remoteArguments(given))
      process.stdout.write(`${text}\n`)
    },
  }
}

function wordsOf(given: unknown): string[] {
  return Array.isArray(given) ? given.map(String) : []
}

/** The options for a running sandbox; the last of several values counts. */
function remoteArguments(given: Readonly<Record<string, unknown>>): RemoteOptions {
  const names = [...remoteOptions, ...requestOptions]
  const last = names.map((name) => [
    name,
    Array.isArray(given[name]) ? given[name].at(-1) : given[name],
  ])
  const options = Object.fromEntries(last.filter(([, value]) => value !== undefined))
  const { PETSTORE_SANDBOX_URL: url, PETSTORE_SANDBOX_CONTROL_TOKEN: token } = process.env
  return {
    // An empty variable counts as none.
    url: url || `http://127.0.0.1:${defaultPort}`,
    ...(token ? { 'control-token': token } : {}),
    ...options,
  }
}

/** What `exec` does unless its own options say otherwise: variables and files are for `serve`, which may run too. */
const execDefaults: Readonly<Record<string, string>> = { port: '0', log: 'silent' }

/** Runs a command beside a sandbox on a free port, unless another is asked for. */
async function exec(given: Readonly<Record<string, unknown>>): Promise<void> {
  const words = [...wordsOf(given.command), ...wordsOf(given['--'])]
  if (!words[0]) {
    throw new CliError('Cannot run exec: there is no command; use exec [options] -- COMMAND', 2)
  }
  const quiet = { ...execDefaults, ...withoutUndefined(given) }
  const { server, save, tellPort, end } = await begin(await readServeArguments(quiet, process.env))
  await tellPort()
  try {
    process.exitCode = await execBeside(server, words)
  } finally {
    end()
    save?.()
  }
}

function withoutUndefined(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
}
