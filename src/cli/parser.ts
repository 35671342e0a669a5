import { Parser } from 'yargs/helpers'
import packageJson from '../../package.json' with { type: 'json' }
import { describeEach, missingText, surplusText } from '../client/actions/words.ts'
import { show } from '../mock/input/input-error.ts'
import { nearest } from '../mock/input/nearest.ts'
import type { Properties } from '../mock/input/object.ts'
import { namesOf } from '../mock/input/record.ts'
import { readInput, suggestion } from '../mock/input/schema.ts'
import { CliError } from './cli-error.ts'
import type { Command } from './command.ts'
import { commands, serve } from './commands.ts'
import { programLine } from './program.ts'

/** Command or action that a command line names, such as `clock advance`, and the words after its name. */
export interface Located {
  /** `''` if no command is named, which means `serve`. */
  readonly name: string
  readonly command: Command
  readonly words: readonly string[]
}

/** Finds the command that a command line names. */
export function locate(argv: readonly string[]): Located {
  const [name = '', ...words] = Parser([...argv], allOptions)._.map(String)
  const named = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (named === undefined) return { name: '', command: serve, words: [] }
  const [action = '', ...rest] = words
  const acted = Object.hasOwn(named.actions, action) ? named.actions[action] : undefined
  if (acted === undefined) return { name, command: named, words }
  return { name: `${name} ${action}`, command: acted, words: rest }
}

/**
 * Finds the command that a command line names.
 *
 * @throws {@link CliError} for an unknown name.
 */
export function expectKnown(argv: readonly string[]): Located {
  const located = locate(argv)
  const { name, words } = located
  const given = name === '' ? Parser([...argv], allOptions)._.map(String) : words
  const rejection = unknownCommand(given, located) ?? unknownAction(given, located)
  if (rejection !== undefined) throw rejection
  return located
}

/** Runs the command that a command line names, or prints the version. */
export async function runCommandLine(
  argv: readonly string[],
  located: Located = locate(argv),
): Promise<void> {
  const { name, command } = located
  const { argv: found, error } = Parser.detailed([...argv], parserOptions(command.options))
  if (found.version) {
    process.stdout.write(`${packageJson.version}\n`)
    return
  }
  const words = [...found._, ...(found['--'] ?? [])].map(String)
  const given = words.slice(name === '' ? 0 : name.split(' ').length)
  // A word before all options can only be a command, and the options after it aren't those of `serve`.
  const isCommand = argv[0]?.startsWith('-') === false
  const rejection =
    unknownCommand(isCommand ? given : [], located) ??
    negativeDuration(argv, located) ??
    missingWord(given, located) ??
    missingValue(error, located) ??
    surplusWord(given, located) ??
    unknownOption(Object.keys(found), located) ??
    unknownCommand(given, located)
  if (rejection !== undefined) throw rejection
  await command.run(given, optionTexts(command.options, found, argv))
}

/** Names that yargs returns besides the options of a command. */
const builtIn: readonly string[] = ['_', '--', '$0', 'v', 'V', 'version']

/** Options of all commands, to tell their values from words before the command is known. */
const allOptions = parserOptions(
  Object.assign({}, ...Object.values(commands).map(({ options }) => options)),
)

/** Describes the options of a command to yargs. */
function parserOptions(properties: Properties): Parser.Options {
  const options = Object.entries(describeEach(properties))
  const namesOfType = (type: string): string[] =>
    options.filter(([, json]) => json.type === type).map(([name]) => name)
  const flags = namesOfType('boolean')
  const others = options.map(([name]) => name).filter((name) => !flags.includes(name))
  return {
    boolean: [...flags, 'version'],
    array: namesOfType('array'),
    // Each option takes one value, so that a word after the value stays a word.
    narg: Object.fromEntries(others.map((name) => [name, 1])),
    alias: { version: ['v', 'V'], ...(flags.includes('quiet') ? { quiet: ['q'] } : {}) },
    configuration: {
      'camel-case-expansion': false,
      'dot-notation': false,
      'parse-numbers': false,
      'parse-positional-numbers': false,
      'populate--': true,
    },
  }
}

/**
 * Returns the texts of options on a command line. The values of a list are joined; for any other option the last one
 * counts, so that options in a script can be overridden after it.
 */
function optionTexts(
  properties: Properties,
  found: Parser.Arguments,
  argv: readonly string[],
): Record<string, string> {
  const end = argv.indexOf('--')
  const before = argv.slice(0, end < 0 ? undefined : end)
  const described = Object.entries(describeEach(properties))
  return Object.fromEntries(
    described.flatMap(([name, { type }]) => {
      const values = [found[name] ?? []].flat().map(String)
      const last = values.at(-1)
      if (last === undefined) return []
      // Taken as written, since yargs reads any text of a flag except `true` as false.
      const start = `--${name}=`
      const written = before.findLast((word) => word.startsWith(start))?.slice(start.length)
      if (type === 'array') return [[name, values.join(',')]]
      return [[name, type === 'boolean' ? (written ?? last) : last]]
    }),
  )
}

/** Rejects a negative duration, which would otherwise be read as an option. */
function negativeDuration(
  argv: readonly string[],
  { name, command }: Located,
): CliError | undefined {
  const found = argv.find((word) => /^-\d/.test(word))
  if (found === undefined || !Object.hasOwn(command.words, 'duration')) return undefined
  const hint = name === 'clock advance' ? '; clock set INSTANT sets the clock back' : ''
  return new CliError(`Cannot run ${name}: found the negative duration ${show(found)}${hint}`, 2)
}

function missingWord(given: readonly string[], { name, command }: Located): CliError | undefined {
  // The words of a command with actions belong to the action that runs if none is named.
  if (Object.keys(command.actions).length > 0) return undefined
  const text = missingText({ ...command, name }, given)
  return text === undefined ? undefined : new CliError(text, 2)
}

/** Rejects an option without its value: yargs' message ends in the option's name, and the schema explains it. */
function missingValue(error: Error | null, { name, command }: Located): CliError | undefined {
  if (error === null) return undefined
  const option = error.message.replace(/^.* /, '')
  const property = command.options[option]
  if (property !== undefined) readInput(property, undefined, `--${option}`)
  return new CliError(`Cannot use ${error.message}; ${seeHelp(name)}`, 2)
}

function surplusWord(given: readonly string[], located: Located): CliError | undefined {
  const { name, command } = located
  const text = name === '' ? undefined : surplusText({ ...command, name }, given)
  if (text === undefined) return undefined
  return unknownAction(given, located) ?? new CliError(text, 2)
}

/** Rejects a word after a command whose words are all actions. */
function unknownAction(
  [found]: readonly string[],
  { name, command }: Located,
): CliError | undefined {
  const names = Object.keys(command.actions)
  if (found === undefined || names.length === 0 || command.actionForArgs !== undefined)
    return undefined
  const hint = suggestion(nearest(found, names)) ?? `use one of ${names.join(', ')}`
  return new CliError(`Cannot run ${name}: unknown action ${show(found)}; ${hint}`, 2)
}

/** @param all All names that yargs found, including the command's own options. */
function unknownOption(all: readonly string[], { name, command }: Located): CliError | undefined {
  const names = namesOf(command.options)
  const known = [...names, ...builtIn, ...(names.includes('quiet') ? ['q'] : [])]
  const found = all.find((option) => !known.includes(option))
  if (found === undefined) return undefined
  const meant = nearest(found, [...names, 'help', 'version'])
  const otherwise = ['exec', 'check'].includes(name)
    ? 'put -- before the command and its options'
    : seeHelp(name)
  const hint = meant === undefined ? otherwise : `did you mean --${meant}?`
  const written = `${found.length === 1 ? '-' : '--'}${found}`
  return new CliError(`Cannot use ${written}: unknown option; ${hint}`, 2)
}

function unknownCommand([found]: readonly string[], { name }: Located): CliError | undefined {
  if (found === undefined || name !== '') return undefined
  const names = Object.keys(commands)
  const hint =
    suggestion(nearest(found, [...names, 'help', 'version'])) ?? `use one of ${names.join(', ')}`
  return new CliError(`Cannot run ${show(found)}: unknown command; ${hint}`, 2)
}

function seeHelp(name: string): string {
  return `see ${programLine(`${name} --help`.trim())}`
}
