import yargs, { type Argv } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import { InputError } from '../contract/input.ts'
import { CliError } from './cli-error.ts'
import { readConfigFile } from './config-file.ts'
import { gapTable } from './gap-table.ts'
import { type ServeArguments, serve } from './serve.ts'
import { serveOptions } from './serve-options.ts'

const { name, version } = packageJson

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    await run(argv)
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    process.stderr.write(`${isOurs ? `${name}: ${error.message}` : faultText(error)}\n`)
  }
}

function faultText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `${name}: this is a fault of the program, please report it\n${text}`
}

async function run(argv: readonly string[]): Promise<void> {
  const config = await readConfigFile(configFileOf(argv), Object.keys(serveOptions))
  await createParser(argv, config).parseAsync()
}

/** The config file that the command line or the environment names. */
function configFileOf(argv: readonly string[]): string | undefined {
  const index = argv.findIndex((word) => word === '--config' || word.startsWith('--config='))
  if (index < 0) return process.env.PETSTORE_SANDBOX_CONFIG
  return argv[index]?.split(/=(.*)/s)[1] ?? argv[index + 1]
}

function createParser(argv: readonly string[], config: Readonly<Record<string, unknown>>): Argv {
  return yargs([...argv])
    .scriptName(name)
    .usage('$0 [command]\n\nA local, in-memory pet store to develop and test clients against.')
    .locale('en')
    .env('PETSTORE_SANDBOX')
    .config(config)
    .parserConfiguration({ 'dot-notation': false })
    .command(
      ['serve', '$0'],
      'Serve the pet store API; what it does without a command',
      (command) => withExamples(command.options(serveOptions)),
      async (options) => await serve(options as ServeArguments, version),
    )
    .command('gaps', 'List what the spec leaves open, and the choices', {}, () => {
      process.stdout.write(`${gapTable()}\n`)
    })
    .completion('completion', 'Print a script for completion in the shell')
    .epilogue(
      'Each option can also be set by PETSTORE_SANDBOX_<OPTION>, such as PETSTORE_SANDBOX_PORT.',
    )
    .strict()
    .version(version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .wrap(Math.min(100, process.stdout.columns ?? 100))
    .exitProcess(false)
    .fail((message: string, error: Error | undefined) => {
      throw error ?? new CliError(`${message}; see ${name} --help`, 2)
    })
}

function withExamples<Options>(command: Argv<Options>): Argv<Options> {
  return command
    .example('$0 --port 0 --port-file port.txt', 'Serve on any free port and write it down')
    .example('$0 --clock 2030-12-04T23:59:00Z', 'See the deprecated operation go away in a minute')
    .example('$0 --rate-limit reported --pets 10000', 'Many pets, and no request refused')
    .example(
      '$0 --gap retryAfterFormat=http-date --gap banAfter=3',
      'Choose where the spec is silent',
    )
}
