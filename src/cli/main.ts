import yargs, { type Argv, type FallbackCompletionFunction } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import { printable } from '../checks/reports/text.ts'
import { InputError, show } from '../mock/input/input-error.ts'
import { nearest } from '../mock/input/nearest.ts'
import type { Properties } from '../mock/input/object.ts'
import { suggestion } from '../mock/input/schema.ts'
import { CliError } from './cli-error.ts'
import { serve } from './commands/serve.ts'
import { commandsAt, completionOption, completions, joinedLine } from './completion.ts'
import { programLine, programName } from './program.ts'
import { serveOptions } from './serve/serve-options.ts'
import { guardOutput, report } from './terminal.ts'
import { type Command, describeEach, exampleLines } from './yargs-options.ts'

/** Runs the command line; sets the process's exit code, 2 for wrong usage and 1 for other failures. */
export async function main(given: readonly string[]): Promise<void> {
  const args = await withDefaults(withoutComment(given))
  const isLog = ['serve', 'exec'].includes(args[0] ?? '') && !isForHelp(args)
  guardOutput(process.stdout, process.stderr, isLog ? 'log' : 'result')
  try {
    await runCommandLine(args)
  } catch (error) {
    process.exitCode =
      error instanceof CliError ? error.exitCode : error instanceof InputError ? 2 : 1
    const isOurs = error instanceof CliError || error instanceof InputError
    report(isOurs ? printable(error.message) : bugText(error))
  }
}

/**
 * Runs a command line.
 *
 * @throws {@link CliError} or {@link InputError} for wrong usage, and for what a command can't do.
 */
export async function runCommandLine(given: readonly string[]): Promise<void> {
  const args = await withDefaults(given)
  // A server doesn't load the other commands, which would take a twentieth of its start.
  const commands = args[0] === 'serve' ? serving : await loadCommands()
  if (args[0] === completionOption) await complete(args, commands)
  else {
    await createProgram(args, commands).parseAsync(isForAll(args) ? ['--help'] : args, {}, print)
  }
}

/** Prints the help or the version. */
function print(_error: unknown, _found: unknown, text: string): void {
  if (text === '') return
  process.stdout.write(`${text === packageJson.version ? text : named(text)}\n`)
}

/** Puts the program's name before the help; yargs would put it before each command of a list, too. */
function named(help: string): string {
  return `${programName()} ${help}`
}

/** Commands that yargs knows: those that the help lists, and the rest. */
interface Commands {
  readonly mainCommands: readonly Command[]
  readonly otherCommands: readonly Command[]
}

const serving: Commands = { mainCommands: [serve], otherCommands: [] }

async function loadCommands(): Promise<Commands> {
  return await import('./commands.ts')
}

/** Removes the comment of a pasted line, which zsh passes on: `reset # back to the start`. */
function withoutComment(args: readonly string[]): readonly string[] {
  const at = args.indexOf('#')
  const end = args.indexOf('--')
  // The words after `--` are another command's, and a comment has words.
  const isComment = at >= 0 && at < args.length - 1 && (end < 0 || at < end)
  return isComment ? args.slice(0, at) : args
}

/** Names the default command; rewrites the commands of other programs as options: `help keys` as `keys --help`. */
async function withDefaults([first = '', ...rest]: readonly string[]): Promise<readonly string[]> {
  if (first === 'help') {
    const [name = '--all'] = rest
    // yargs would explain the program where a command is misspelt.
    return name.startsWith('-') || isCommand(name, await loadCommands())
      ? [...rest, '--help']
      : rest
  }
  if (first === 'version') return ['--version']
  const isGeneral = /^(?:--help|-h|--all|--version|-v|-V)$/.test(first)
  if (isGeneral || first === completionOption) return [first, ...rest]
  if (first === '') return ['serve']
  const isNamed = !first.startsWith('-') || first === '-' || (await namesCommand([first, ...rest]))
  return isNamed ? [first, ...rest] : ['serve', first, ...rest]
}

/** Returns whether a command stands after options: a word that isn't the value of one. */
async function namesCommand(args: readonly string[]): Promise<boolean> {
  const end = args.indexOf('--')
  const words = args.slice(0, end < 0 ? undefined : end)
  const own = optionsIn(serveOptions.properties)
  const isServing = words.every(
    (word, at) => word.startsWith('-') || own.valued.includes(words[at - 1] ?? ''),
  )
  if (isServing) return false
  const commands = await loadCommands()
  const { remoteOptions } = await import('./options.ts')
  const flags = [...own.flags, ...optionsIn(remoteOptions.properties).flags]
  return words.some((word, at) => {
    const before = words[at - 1] ?? ''
    const isValue = before.startsWith('-') && !before.includes('=') && !flags.includes(before)
    return !isValue && isCommand(word, commands)
  })
}

/** Returns the options as they are typed: flags, and those that take a value. */
function optionsIn(properties: Properties): Record<'flags' | 'valued', readonly string[]> {
  const rows = Object.entries(describeEach(properties))
  const typed = (isFlag: boolean): readonly string[] =>
    rows.flatMap(([name, { type }]) => ((type === 'boolean') === isFlag ? [`--${name}`] : []))
  return { flags: typed(true), valued: typed(false) }
}

function isCommand(name: string, { mainCommands, otherCommands }: Commands): boolean {
  return [...mainCommands, ...otherCommands].some(({ command }) =>
    `${command} `.startsWith(`${name} `),
  )
}

function isForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).some((word) => /^(?:--help|-h)$/.test(word))
}

/** Returns whether help on all commands is asked for: `help --all` has become `--all --help`. */
function isForAll([first, second]: readonly string[]): boolean {
  return first === '--all' || (first === '--help' && second === '--all')
}

/** Maximum width of the help. */
const helpWidth = 100

/** Sets up yargs. */
function createProgram(args: readonly string[], { mainCommands, otherCommands }: Commands): Argv {
  const columns = process.stdout.columns ?? (Number(process.env.COLUMNS) || helpWidth)
  // yargs hides a command by leaving out its description, which the command's own help needs.
  const isBrief = /^(?:--help|-h)$/.test(args[0] ?? '') && !isForAll(args)
  const program = yargs(args)
  return program
    .scriptName('')
    .locale('en')
    .parserConfiguration({
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
    })
    .usage('$0 [command] [options]\n\nA local, in-memory pet store to test API clients against.')
    .command([...mainCommands])
    .command(otherCommands.map((one) => (isBrief ? { ...one, describe: false as const } : one)))
    .example(...exampleLines('$0 --port 0', 'Serve the API on any free port'))
    .example(...exampleLines('$0 init', 'Set up your project'))
    .example(...exampleLines('$0 check -- npm test', 'See what your client does wrong'))
    .epilogue(
      'help COMMAND explains a command; help --all lists those that are rarely needed, too.',
    )
    .help()
    .alias('help', 'h')
    .version(packageJson.version)
    .alias('version', ['v', 'V'])
    .usageConfiguration({ 'hide-types': true })
    .wrap(Math.min(helpWidth, columns))
    .strict()
    .recommendCommands()
    .middleware((found) => {
      // Schemas read values, and explain what is wrong with one; yargs has the choices for completion.
      program.getOptions().choices = {}
      restoreFlags(found, args, program)
      expectNoDashes(found, program)
    }, true)
    .exitProcess(false)
    .fail((message: string | null, error) => {
      throw message === null ? error : usageError(message, args, program)
    })
}

/** Restores the texts of flags as they were written, since yargs reads any text but `true` as false. */
function restoreFlags(
  found: Record<string, unknown>,
  args: readonly string[],
  program: Argv,
): void {
  const flags = program.getOptions().boolean
  const end = args.indexOf('--')
  for (const word of args.slice(0, end < 0 ? undefined : end)) {
    const [, name = '', text] = /^--([\w-]+)=(.*)$/s.exec(word) ?? []
    if (flags.includes(name)) found[name] = text
  }
}

/** @throws {@link CliError} for words after `--`, unless the command runs another one. */
function expectNoDashes({ '--': words }: Record<string, unknown>, program: Argv): void {
  const { commands } = program.getInternalMethods().getContext()
  const name = commands.join(' ')
  if (!Array.isArray(words) || commandRunners.includes(name)) return
  throw new CliError(`Cannot run ${name}: unexpected argument ${show(words[0])} after --`, 2)
}

/** Commands that run another one. */
const commandRunners: readonly string[] = ['exec', 'check']

/** Writes an error of yargs in our words: what can't be run or used, what was found, what to use. */
function usageError(message: string, args: readonly string[], program: Argv): CliError {
  return new CliError(usageText(message, args, program), 2)
}

function usageText(message: string, args: readonly string[], program: Argv): string {
  const { commands } = program.getInternalMethods().getContext()
  const name = commands.join(' ')
  const negative = args.find((word) => /^-\d[.\ddhms]*[dhms]$/.test(word))
  if (negative !== undefined) {
    const hint = name === 'clock advance' ? '; clock set INSTANT sets the clock back' : ''
    return `Cannot run ${name}: found the negative duration ${show(negative)}${hint}`
  }
  const [, lacking] = /^Not enough arguments following: (.*)$/.exec(message) ?? []
  if (lacking !== undefined) {
    return `Cannot use --${lacking}: its value is missing; ${helpHint(name)}`
  }
  if (message.startsWith('Not enough')) {
    let usage = ''
    program.showHelp((help) => {
      usage = named(help).split('\n')[0] ?? ''
    })
    return `Cannot run ${name}: an argument is missing; use ${usage}`
  }
  const word = args[commands.length]
  const names = commandsAt(program)
  if (names.length > 0 && word !== undefined && !word.startsWith('--')) {
    return unknownCommandText(word, name, names)
  }
  const [, unknown = ''] = /^Unknown arguments?: (.*)$/.exec(message) ?? []
  return unknownText(unknown.split(', '), args, name, program)
}

function helpHint(name: string): string {
  return `see ${programLine(`${name} --help`.trim())}`
}

/** @param names Names of the commands that may stand in its place. */
function unknownCommandText(word: string, name: string, names: readonly string[]): string {
  const others = name === '' ? ['help', 'version'] : []
  const hint =
    suggestion(nearest(word, [...names, ...others])) ??
    (name === '' ? helpHint('') : `use one of ${names.join(', ')}`)
  return name === ''
    ? `Cannot run ${show(word)}: unknown command; ${hint}`
    : `Cannot run ${name}: unknown command ${show(word)}; ${hint}`
}

/** Explains what a command doesn't know: an option, or else an argument too many. */
function unknownText(
  unknown: readonly string[],
  args: readonly string[],
  name: string,
  program: Argv,
): string {
  const written = args
    .map((word) => word.replace(/=.*/s, ''))
    .find((word) => /^--?[^-]/.test(word) && unknown.includes(word.replace(/^--?/, '')))
  if (written === undefined) {
    return `Cannot run ${name}: unexpected argument ${show(unknown[0])}; ${helpHint(name)}`
  }
  const meant = nearest(written.replace(/^--?/, ''), Object.keys(program.getOptions().key))
  const otherwise = commandRunners.includes(name)
    ? 'put -- before the command and its options'
    : helpHint(name)
  return `Cannot use ${written}: unknown option; ${suggestion(meant && `--${meant}`) ?? otherwise}`
}

/** Prints the completions of a line, which yargs' completion script asks for. */
async function complete(
  [option = '', script = '', ...given]: readonly string[],
  commands: Commands,
): Promise<void> {
  const { words, before } = joinedLine(given)
  // Options of a line without a command are those of the default one.
  const line = words[0]?.startsWith('-') ? ['serve', ...words] : words
  const program = createProgram([option, script, ...line], commands)
  const names = [...commands.mainCommands, ...commands.otherCommands].map(({ command }) =>
    String(command),
  )
  const found = await new Promise<readonly string[]>((resolve) => {
    const collect: FallbackCompletionFunction = (_current, _found, defaults, _done) =>
      defaults((_error, offered) =>
        resolve(completions(program, { words: line, before }, offered ?? [], names)),
      )
    void program.completion('completion', false, collect).parse()
  })
  process.stdout.write(found.map((word) => `${word}\n`).join(''))
}

function bugText(error: unknown): string {
  const text = error instanceof Error ? error.stack : String(error)
  return `this is a bug in petstore-sandbox, please report it\n${text}`
}
