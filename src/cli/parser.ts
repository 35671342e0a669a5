import yargs, { type Argv, type CommandModule, type Options } from 'yargs'
import packageJson from '../../package.json' with { type: 'json' }
import type { Properties } from '../input/object.ts'
import { namesOf } from '../input/record.ts'
import { readInput } from '../input/schema.ts'
import { show } from '../input/show.ts'
import { CliError } from './cli-error.ts'
import { type Command, literalWord, markLiteralWords } from './command.ts'
import { commands, serve } from './commands.ts'
import { describeEach, nearest } from './settings.ts'
import type { OutputGuard } from './terminal.ts'

/** Makes the parser of the command line, which runs the commands, too. */
export function createParser(argv: readonly string[], output: OutputGuard): Argv {
  const words = markLiteralWords(argv)
  const moduleOf = (name: string, command: Command): CommandModule => ({
    command: `${name.replace(/^.* /, '')} ${command.pattern}`.trimEnd(),
    builder(parser) {
      declare(parser, name, command)
      const actions = Object.entries(command.actions)
      return parser.command(actions.map(([action, row]) => moduleOf(`${name} ${action}`, row)))
    },
    handler: (found) => command.run({ found, argv: words, output }),
  })
  return yargs(words)
    .scriptName(packageJson.name)
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
    .command(Object.entries(commands).map(([name, command]) => moduleOf(name, command)))
    .command({ ...moduleOf('', serve), command: '$0' })
    .version(packageJson.version)
    .help(false)
    .alias({ v: 'version' })
    .exitProcess(false)
}

/** Has yargs take the words and options of a command, and refuse what it doesn't take in one line. */
function declare(parser: Argv, name: string, command: Command): void {
  for (const word of Object.keys(command.words)) {
    // An action may have words of the same names; and without a default of yargs's own for several words.
    parser.positional(word, { default: undefined }).option(word, { global: false })
  }
  parser.options(yargsOptions(command.options))
  parser.fail((message, error: Error | undefined) => {
    if (error !== undefined && error.name !== 'YError') throw error
    const { argv } = parser.parsed || { argv: {} }
    throw usageError(message, argv, { ...command, name })
  })
}

/** Describes options to yargs: each command and action has those of its own. */
function yargsOptions(properties: Properties): Record<string, Options> {
  return Object.fromEntries(
    Object.entries(describeEach(properties)).map(([name, { type }]) => [
      name,
      {
        global: false,
        ...(name === 'quiet' ? { alias: 'q' } : {}),
        ...(type === 'boolean' ? { boolean: true } : { requiresArg: true }),
        // One value each time, so that a word after it stays a word.
        ...(type === 'array' ? { array: true, nargs: 1 } : {}),
      },
    ]),
  )
}

/** A text of yargs that counts something. */
interface Plural {
  readonly one: string
  readonly other: string
}

declare module 'yargs' {
  interface Argv<T> {
    /** The types of yargs leave plurals out. */
    updateStrings(strings: Readonly<Record<string, string | Plural>>): this
  }
}

const plural = (text: string): Plural => ({ one: text, other: text })

/** What yargs says of a wrong command line: a word that {@link usageError} knows, then what was found. */
const usageStrings: Readonly<Record<string, string | Plural>> = {
  'Unknown argument: %s': plural('unknown %s'),
  'Unknown command: %s': plural('surplus %s'),
  'Not enough non-option arguments: got %s, need at least %s': plural('missing %s'),
  'Not enough arguments following: %s': 'invalid %s',
}

/** A command with its name, such as `clock advance`; `''` for the program. */
type Named = Command & { readonly name: string }

/**
 * Says what is wrong with a command line.
 *
 * @param message Made of {@link usageStrings}.
 * @param given The options and words, as yargs has taken them apart.
 */
function usageError(
  message: string,
  given: Readonly<Record<string, unknown>>,
  command: Named,
): CliError {
  const [, code, found = ''] = /^(\w+)\s+(.*)/.exec(message) ?? []
  const [first = ''] = found.split(/,? /)
  if (code === 'unknown' && Object.hasOwn(given, first)) return unknownOption(first, command)
  if (code === 'unknown') return unknownCommand(literalWord(found))
  if (code === 'surplus') return surplusWord(literalWord(found.split(', ')[0] ?? ''), command)
  if (code === 'missing') return missingWord(Number(first), command)
  const option = command.options[first]
  const property = option ?? command.words[first]
  // The schema has the words for it.
  if (property !== undefined) {
    readInput(property, [given[first]].flat().at(-1), option === undefined ? first : `--${first}`)
  }
  return new CliError(`Cannot use ${message}; ${seeHelp(command)}`, 2)
}

function unknownOption(found: string, command: Named): CliError {
  const meant = nearest(found, [...namesOf(command.options), 'help', 'version'])
  const otherwise =
    command.name === 'exec' ? 'put -- before the command and its options' : seeHelp(command)
  const hint = meant === undefined ? otherwise : `did you mean --${meant}?`
  return new CliError(
    `Cannot use ${found.length === 1 ? '-' : '--'}${found}: unknown option; ${hint}`,
    2,
  )
}

function unknownCommand(words: string): CliError {
  // yargs names what follows, too.
  const [found = ''] = words.split(', ')
  const names = Object.keys(commands)
  const meant = nearest(found, names)
  const hint = meant === undefined ? `use one of ${names.join(', ')}` : `did you mean ${meant}?`
  return new CliError(`Cannot run ${show(found)}: unknown command; ${hint}`, 2)
}

function surplusWord(found: string, command: Named): CliError {
  const names = Object.keys(command.actions)
  const isAction = names.length > 0 && command.implied === undefined
  const why = isAction
    ? `unknown action ${show(found)}; use one of ${names.join(', ')}`
    : `${show(found)} is one word too many; use ${usageLine(command)}`
  return new CliError(`Cannot run ${command.name}: ${why}`, 2)
}

function missingWord(index: number, command: Named): CliError {
  const missing = namesOf(command.words)[index]
  return new CliError(
    `Cannot run ${command.name}: no ${missing} given; use ${usageLine(command)}`,
    2,
  )
}

function usageLine({ name, usage }: Named): string {
  return `${name} ${usage}`.trimEnd()
}

function seeHelp({ name }: Named): string {
  return `see petstore-sandbox ${`${name} `.trimStart()}--help`
}
