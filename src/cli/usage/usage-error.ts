import type { Argv } from 'yargs'
import type { Properties } from '../../input/object.ts'
import { namesOf } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { show } from '../../input/show.ts'
import { CliError } from '../terminal/cli-error.ts'
import { literalWord } from './literal-words.ts'
import { nearest } from './nearest.ts'

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

/** What yargs says of a wrong command line: a word that {@link refuseWrongUsage} knows, then what was found. */
export const usageStrings: Readonly<Record<string, string | Plural>> = {
  'Unknown argument: %s': plural('unknown %s'),
  'Unknown command: %s': plural('surplus %s'),
  'Not enough non-option arguments: got %s, need at least %s': plural('missing %s'),
  'Not enough arguments following: %s': 'invalid %s',
  'Invalid values:': 'invalid',
  'Argument: %s, Given: %s, Choices: %s': '%s',
  'Positionals:': 'Words:',
}

/** What a command takes. */
export interface Command {
  /** Its name, such as `clock advance`; `''` for the program. */
  readonly name: string
  readonly options: Properties
  /** The words after its name, in their order. */
  readonly words: Properties
  /** How it is written, such as `clock advance <duration>`. */
  readonly usage: string
  /** What may follow its name: actions, or the commands of the program. */
  readonly actions: readonly string[]
}

/** Has a command refuse what it doesn't take, in one line. */
export function refuseWrongUsage<Given>(parser: Argv<Given>, command: Command): Argv<Given> {
  return parser.fail((message, error: Error | undefined) => {
    if (error !== undefined && error.name !== 'YError') throw error
    const { argv } = parser.parsed || { argv: {} }
    throw usageError(message, argv, command)
  })
}

/**
 * Says what is wrong with a command line.
 *
 * @param message Made of {@link usageStrings}.
 * @param given The options and words, as yargs has taken them apart.
 */
function usageError(
  message: string,
  given: Readonly<Record<string, unknown>>,
  command: Command,
): CliError {
  const [, code, found = ''] = /^(\w+)\s+(.*)/.exec(message) ?? []
  const [first = ''] = found.split(/,? /)
  if (code === 'unknown' && Object.hasOwn(given, first)) return unknownOption(first, command)
  if (code === 'unknown') return unknownCommand(literalWord(found), command)
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

function unknownOption(found: string, command: Command): CliError {
  const meant = nearest(found, [...namesOf(command.options), 'help', 'version'])
  const otherwise =
    command.name === 'exec' ? 'put -- before the command and its options' : seeHelp(command)
  const hint = meant === undefined ? otherwise : `did you mean --${meant}?`
  return new CliError(
    `Cannot use ${found.length === 1 ? '-' : '--'}${found}: unknown option; ${hint}`,
    2,
  )
}

function unknownCommand(found: string, { actions }: Command): CliError {
  const meant = nearest(found, actions)
  const hint = meant === undefined ? `use one of ${actions.join(', ')}` : `did you mean ${meant}?`
  return new CliError(`Cannot run ${show(found)}: unknown command; ${hint}`, 2)
}

function surplusWord(found: string, { name, usage, actions }: Command): CliError {
  // With a single one, a word can only be too many.
  const why =
    actions.length < 2
      ? `${show(found)} is one word too many; use ${usage}`
      : `unknown action ${show(found)}; use one of ${actions.join(', ')}`
  return new CliError(`Cannot run ${name}: ${why}`, 2)
}

function missingWord(index: number, { name, words, usage }: Command): CliError {
  return new CliError(`Cannot run ${name}: no ${namesOf(words)[index]} given; use ${usage}`, 2)
}

function seeHelp({ name }: Command): string {
  return `see petstore-sandbox ${`${name} `.trimStart()}--help`
}
