import yargs, { type Argv, type CommandModule } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import { basePath } from '../contract/endpoints.ts'
import {
  auditCommandOptions,
  type ExecAuditOptions,
  execAuditOptions,
} from './audit/audit-command-options.ts'
import type { ExecAudit } from './audit/exec-audit.ts'
import { readExecAudit } from './audit/read-exec-audit.ts'

import { isCompletion } from './complete.ts'
import { coverageOptions, coverageWords } from './coverage/coverage-options.ts'
import { examModule } from './exam/exam-module.ts'
import { exploreModule } from './explore/explore-module.ts'
import { openModule } from './open/open-module.ts'
import { usageOf } from './remote/commands/action.ts'
import { remoteCommands } from './remote/commands/remote-commands.ts'
import { declareWords, remoteModule } from './remote/remote-module.ts'
import {
  defaultUrl,
  gapsOptions,
  readRemoteOptions,
  requestsOptions,
} from './remote/remote-options.ts'
import { replayModule } from './replay/replay-module.ts'
import { exec, execDefaults } from './serve/exec.ts'
import { serve } from './serve/serve.ts'
import { serveOptions } from './serve/serve-options.ts'
import { readServeSettings } from './serve/serve-settings.ts'
import type { OutputGuard } from './terminal/guard-output.ts'
import { markLiteralWords, textsOf } from './usage/literal-words.ts'
import { optionTexts } from './usage/option-texts.ts'
import { type Command, refuseWrongUsage, usageStrings } from './usage/usage-error.ts'
import { shownExamples, yargsOptions } from './usage/yargs-options.ts'

/** Makes the parser of the command line, which runs the commands, too. */
export function createParser(argv: readonly string[], output: OutputGuard): Argv {
  const words = isCompletion(argv) ? argv : markLiteralWords(argv)
  const usual = serveModule(words, output)
  const modules = [
    usual,
    execModule(words, output),
    exploreModule(words),
    examModule(words),
    requestsModule(words),
    auditModule(words),
    coverageModule(words),
    ...Object.entries(remoteCommands).map(([name, command]) => remoteModule(name, command, words)),
    replayModule(words, packageJson.version),
    openModule(words),
    gapsModule(words),
    printModule('openapi', 'Print the description of the API in OpenAPI 3.1', describeApi),
    plainModule('completion', 'Print a completion script for the shell', () => {
      parser.showCompletionScript()
    }),
  ]
  const names = modules.map(({ command }) => String(command).replace(/ .*/, ''))
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
    .command(modules)
    .command('$0', false, (command) => declareServe(command, '', names), usual.handler)
    .version(packageJson.version)
    .help()
    .alias({ h: 'help', v: 'version' })
    .wrap(Math.min(100, process.stdout.columns ?? (Number(process.env.COLUMNS) || 100)))
    .exitProcess(false)
  const isOfDefault = isCompletion(argv) && !words.some((word) => names.includes(word))
  return isOfDefault ? parser.options(yargsOptions(serveOptions.properties)) : parser
}

const plain: Command = { name: '', options: {}, words: {}, usage: '', actions: [] }

function serveModule(argv: readonly string[], output: OutputGuard): CommandModule {
  return {
    command: 'serve',
    describe: 'Serve the pet store API (default)',
    builder: (command) => declareServe(command, 'serve', []),
    async handler(given) {
      const texts = optionTexts(serveOptions.properties, given, argv)
      const settings = await readServeSettings(texts, process.env)
      output.expectLog()
      await serve(settings, packageJson.version)
    },
  }
}

/**
 * Describes `serve`, whose help is that of the program too.
 *
 * @param actions What may stand in the place of `serve`.
 */
function declareServe(command: Argv, name: string, actions: readonly string[]): Argv {
  const options = serveOptions.properties
  const takes = { ...plain, name, usage: 'serve [options]', options, actions }
  return refuseWrongUsage(command.options(yargsOptions(options)), takes)
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

function execModule(argv: readonly string[], output: OutputGuard): CommandModule {
  const options = { ...serveOptions.properties, ...execAuditOptions.properties }
  const takes = { ...plain, name: 'exec', usage: 'exec [options] -- COMMAND', options }
  return {
    command: 'exec [command..]',
    describe: 'Run a command with a sandbox on a free port: exec [options] -- npm test',
    builder: (command) =>
      refuseWrongUsage(command.options(yargsOptions(options, execDefaults)), takes)
        .usage('$0 exec [options] -- COMMAND\n\nRun a command with a sandbox on a free port.')
        .example(
          shownExamples({
            'exec -- npm test': 'Run tests against their own sandbox',
            'exec --clock 2030-12-04 --gap banAfter=3 -- pytest -x':
              'The same with options for the sandbox',
            'exec --audit --report pretty --report junit=audit.xml -- npm test':
              'Fail if the client is impolite, too',
          }),
        )
        .epilogue(
          "The command gets PETSTORE_URL, PETSTORE_KEY, PETSTORE_CONTROL_URL, and a key for each plan, such as PETSTORE_PRO_KEY; commands such as petstore-sandbox clock find the sandbox by themselves. exec ends with the command's exit code, or with 127 if the command is not found; with --audit, if the command succeeds, with 4 if the audit fails, and with 5 if no request came.",
        ),
    async handler(given) {
      const texts = optionTexts(serveOptions.properties, given, argv)
      const settings = await readServeSettings({ ...execDefaults, ...texts }, process.env)
      const audit = readExecAudit(optionTexts(execAuditOptions.properties, given, argv))
      const judge = audit && (await judgeOf(audit, settings.config))
      output.expectLog()
      process.exitCode = await exec(settings, textsOf(given.command), judge)
    },
  }
}

/** Loads what judges a command; most have none. */
async function judgeOf(options: ExecAuditOptions, config: string | undefined): Promise<ExecAudit> {
  const { execAudit } = await import('./audit/exec-audit.ts')
  return await execAudit(options, config)
}

function requestsModule(argv: readonly string[]): CommandModule {
  const options = requestsOptions.properties
  const takes = { ...plain, name: 'requests', usage: 'requests', options }
  return {
    command: 'requests',
    describe:
      'List the latest requests to a running sandbox, and why each was answered the way it was',
    builder: (command) => refuseWrongUsage(command.options(yargsOptions(options)), takes),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const { showRequests } = await import('./remote/show-requests.ts')
      await showRequests(readRemoteOptions(requestsOptions, texts, process.env), process.stdout)
    },
  }
}

function gapsModule(argv: readonly string[]): CommandModule {
  const options = gapsOptions.properties
  const takes = { ...plain, name: 'gaps', usage: 'gaps', options }
  return {
    command: 'gaps',
    describe: 'List the gaps: what the interface leaves open, and the choices',
    builder: (command) =>
      refuseWrongUsage(command.options(yargsOptions(options)), takes).example(
        shownExamples({
          gaps: 'List all of them',
          'gaps --matter': 'Say which choices your client may depend on',
        }),
      ),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const read = readRemoteOptions(gapsOptions, texts, process.env)
      const { showGaps } = await import('./remote/show-gaps.ts')
      await showGaps(read, process.stdout)
    },
  }
}

function coverageModule(argv: readonly string[]): CommandModule {
  const options = coverageOptions.properties
  const usage = `coverage ${usageOf(coverageWords)}`
  const takes = { ...plain, name: 'coverage', usage, options, words: coverageWords }
  return {
    command: usage,
    describe: 'Report what clients have faced, and how to bring about the rest',
    builder: (command) =>
      refuseWrongUsage(
        declareWords(command, coverageWords).options(yargsOptions(options)),
        takes,
      ).example(
        shownExamples(
          {
            'coverage/petstore':
              'What clients have met in all processes with PETSTORE_COVERAGE_DIR',
            '--fail-under outcomes=100,situations=80 --report pretty --report junit=coverage.xml coverage/petstore':
              'The same in CI',
          },
          'coverage',
        ),
      ),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const read = readRemoteOptions(coverageOptions, texts, process.env)
      const { showCoverage } = await import('./coverage/show-coverage.ts')
      await showCoverage(textsOf(given.folders), read, process.stdout, process.env)
    },
  }
}

function auditModule(argv: readonly string[]): CommandModule {
  const options = auditCommandOptions.properties
  const takes = { ...plain, name: 'audit', usage: 'audit', options }
  return {
    command: 'audit',
    describe: 'Report which rules of the interface clients broke',
    builder: (command) =>
      refuseWrongUsage(command.options(yargsOptions(options)), takes).example(
        shownExamples(
          {
            '': 'What was found since the sandbox started, resets included',
            '--fail-on warning --one-client --report github --report markdown=audit.md':
              'The same in CI, where no two clients share a key',
          },
          'audit',
        ),
      ),
    async handler(given) {
      const texts = optionTexts(options, given, argv)
      const read = readRemoteOptions(auditCommandOptions, texts, process.env)
      const { showAudit } = await import('./audit/show-audit.ts')
      await showAudit(read, process.stdout, process.env)
    },
  }
}

/** A command without options of its own. */
function plainModule(name: string, describe: string, run: () => void): CommandModule {
  const takes = { ...plain, name, usage: name }
  return {
    command: name,
    describe,
    builder: (command) => refuseWrongUsage(command, takes),
    handler: run,
  }
}

function printModule(
  name: string,
  describe: string,
  text: () => string | Promise<string>,
): CommandModule {
  const print = async (): Promise<void> => {
    process.stdout.write(`${await text()}\n`)
  }
  return plainModule(name, describe, print)
}

async function describeApi(): Promise<string> {
  const { openApiDocument } = await import('../contract/openapi/openapi.ts')
  // An absolute address, since a relative one has no base in a saved file.
  return JSON.stringify(openApiDocument(`${defaultUrl}${basePath}`), undefined, 2)
}
