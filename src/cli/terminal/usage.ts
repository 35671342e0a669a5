import { show } from '../../input/input-error.ts'
import { remoteCommands } from '../remote/remote-commands.ts'
import { serveOptionNames } from '../serve/serve-options.ts'
import { CliError } from './cli-error.ts'

/** The command that is meant when none is named. */
export const usualCommand = 'serve'

/** The options of the commands for a running sandbox. */
export const remoteOptions = ['url', 'sandbox', 'control-token', 'json'] as const

/** The options of `requests` beyond those. */
export const requestOptions = [
  'follow',
  'har',
  'operation',
  'status',
  'key',
  'since',
  'limit',
] as const

/** The options of each command. */
const commands: Readonly<Record<string, readonly string[]>> = {
  [usualCommand]: serveOptionNames,
  exec: serveOptionNames,
  ...Object.fromEntries(Object.keys(remoteCommands).map((command) => [command, remoteOptions])),
  requests: [...remoteOptions, ...requestOptions],
  gaps: [],
  openapi: [],
  completion: [],
}

/** What yargs calls the words of a command. */
const wordNames = ['action', 'command']

/** The commands that take words, too. */
const wordy = ['exec', ...Object.keys(remoteCommands)]

const seeHelp = '; see petstore-sandbox --help'

/** The command line as yargs has split it up. */
export interface Words {
  /** Those that are no option. */
  readonly _: readonly (string | number)[]
  readonly [option: string]: unknown
}

/** What yargs adds, and the options that every command has. */
const always = ['_', '$0', '--', 'help', 'h', 'version', 'v']

/**
 * Refuses commands and options that there aren't.
 *
 * @throws {@link CliError} with what was perhaps meant.
 */
export function checkUsage(words: Words): void {
  if (words[completionOption] !== undefined) return
  const rest = Array.isArray(words['--']) ? words['--'] : []
  const [command = usualCommand, surplus] = [...words._, ...rest].map(String)
  const options = Object.hasOwn(commands, command) ? commands[command] : undefined
  if (options === undefined) {
    const names = Object.keys(commands)
    const hint = suggestion(command, names, '', `; use one of ${names.join(', ')}`)
    throw new CliError(`Cannot run ${show(command)}: there is no such command${hint}`, 2)
  }
  if (surplus !== undefined && !wordy.includes(command)) {
    throw new CliError(`Cannot use ${show(surplus)}: ${command} takes options only${seeHelp}`, 2)
  }
  for (const name of Object.keys(words)) {
    const isWords = wordy.includes(command) && wordNames.includes(name)
    if (isWords || always.includes(name) || options.includes(name)) continue
    const flag = name.length === 1 ? `-${name}` : `--${name}`
    const otherwise = command === 'exec' ? '; put -- before the command and its options' : seeHelp
    const hint = suggestion(name, options, '--', otherwise)
    throw new CliError(`Cannot use ${flag}: ${command} has no such option${hint}`, 2)
  }
}

/**
 * Refuses a flag's value other than true and false, which yargs would take for false.
 *
 * @throws {@link CliError}
 */
export function refuseOddFlags(argv: readonly string[]): void {
  for (const word of ownWords(argv)) {
    const [, flag, value] =
      /^--((?:no-)?(?:frozen|watch|auto-create|json|follow|har))=(.*)$/s.exec(word) ?? []
    if (value === undefined || value === 'true' || value === 'false') continue
    throw new CliError(`Cannot set --${flag}: found ${show(value)}; use true or false`, 2)
  }
}

/** The words before `--`; those after it are for the command of `exec`. */
function ownWords(argv: readonly string[]): readonly string[] {
  const end = argv.indexOf('--')
  return end < 0 ? argv : argv.slice(0, end)
}

/** The option by which the shell's script asks what a word may become. */
const completionOption = 'get-yargs-completions'

/** Names the usual command in such a question that names none, so that yargs knows whose options to offer. */
export function completable(argv: readonly string[]): readonly string[] {
  const [flag = '', program = '', ...words] = argv
  const hasCommand = words.some((word) => Object.hasOwn(commands, word))
  const hasOption = words.some((word) => word.startsWith('-'))
  if (flag !== `--${completionOption}` || hasCommand || !hasOption) return argv
  return [flag, program, usualCommand, ...words]
}

/** Puts what yargs says of a command line in our words. */
export function usageError(message: string): CliError {
  const [, empty] = /^Not enough arguments following: (.+)$/.exec(message) ?? []
  if (empty !== undefined)
    return new CliError(`Cannot use --${empty}: it needs a value${seeHelp}`, 2)
  const [, name, found, choices] = /Argument: (.+), Given: (.*), Choices: (.*)/.exec(message) ?? []
  if (name !== undefined && choices !== undefined) {
    const use = choices.replaceAll('"', '')
    return new CliError(`Cannot set --${name}: found ${found}; use one of ${use}`, 2)
  }
  return new CliError(`${message.replaceAll(/\s+/g, ' ')}${seeHelp}`, 2)
}

/**
 * Says at the end of a message what a word was perhaps meant to be, else what to do.
 *
 * @param prefix What all the words begin with in full.
 */
export function suggestion(
  word: string,
  known: readonly string[],
  prefix = '',
  otherwise = seeHelp,
): string {
  const [nearest] = known
    .map((name) => ({ name, distance: distanceOf(word, name) }))
    .filter(({ name, distance }) => distance <= Math.ceil(name.length / 3))
    .sort((left, right) => left.distance - right.distance)
  return nearest === undefined ? otherwise : `; did you mean ${prefix}${nearest.name}?`
}

/** How many letters have to be changed, added or left out to make one word of another. */
function distanceOf(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let line = 1; line <= from.length; line++) {
    const next = [line]
    for (let column = 1; column <= to.length; column++) {
      const changed = (row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
