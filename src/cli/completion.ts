import type { Argv } from 'yargs'

/** Option that yargs' completion script passes to request completions. */
export const completionOption = '--get-yargs-completions'

/** The words of a line to complete; `before` is the part of the last word that a shell has split off. */
interface Line {
  readonly words: readonly string[]
  readonly before: string
}

/** Rejoins a `name=value` that bash has split. */
export function joinedLine(words: readonly string[]): Line {
  const [name = '', sign, value] = words.slice(-3)
  if (sign !== '=' || value === undefined) return { words, before: '' }
  const isOption = name.startsWith('--')
  const joined = isOption ? [name, value] : [`${name}=${value}`]
  return { words: [...words.slice(0, -3), ...joined], before: isOption ? '' : `${name}=` }
}

/** Prefix of a setting that is a key. */
const keySetting = 'key='

/**
 * Returns completions of the last word of a line; empty where the shell completes a file.
 *
 * @param program yargs, which knows the options and arguments of the command by now.
 * @param offered Completions of yargs: names of commands and options.
 * @param commands Commands of the program, with their arguments.
 */
export async function completions(
  program: Argv,
  { words, before }: Line,
  offered: readonly string[],
  commands: readonly string[],
): Promise<readonly string[]> {
  if (words.slice(0, -1).includes('--')) return []
  const { choices } = program.getOptions()
  const [last = ''] = words.slice(-1)
  const option = optionBefore(words, words.length - 1, program)
  const name = option ?? (last.startsWith('-') ? undefined : argumentAt(program, words, commands))
  const subcommands = option === undefined ? commandsAt(program) : []
  if (name === undefined && subcommands.length === 0) return offered
  const values = choices[name ?? '']?.map(String) ?? []
  const isKey = name === 'key' || (last.startsWith(keySetting) && values.includes(keySetting))
  const keys = isKey ? await keysFor(words) : []
  const all = [
    ...(subcommands.length > 0 ? offered : []),
    ...(name === 'key' ? keys : isKey ? keys.map((key) => keySetting + key) : values),
  ]
  return all.filter((word) => word.startsWith(before)).map((word) => word.slice(before.length))
}

/** Returns the names of the commands within the command that yargs has found. */
export function commandsAt(program: Argv): readonly string[] {
  const handlers = program.getInternalMethods().getCommandInstance().getCommandHandlers()
  return Object.keys(handlers).filter((name) => name !== '$0')
}

/** Returns the option whose value a word is. */
function optionBefore(words: readonly string[], at: number, program: Argv): string | undefined {
  const { boolean, key: known } = program.getOptions()
  const [, name] = /^--([\w-]+)$/.exec(words[at - 1] ?? '') ?? []
  return name !== undefined && name in known && !boolean.includes(name) ? name : undefined
}

/** Returns the name of the argument that the last word is; a list takes all words that follow. */
function argumentAt(
  program: Argv,
  words: readonly string[],
  commands: readonly string[],
): string | undefined {
  const { $0: standard } = program.getInternalMethods().getCommandInstance().getCommandHandlers()
  if (typeof standard?.builder === 'function') standard.builder(program)
  const names = program.getGroups()['Positionals:'] ?? []
  const plain = words.filter(
    (word, at) =>
      at === words.length - 1 ||
      (!word.startsWith('--') && optionBefore(words, at, program) === undefined),
  )
  const isWhole = commands.some((command) => command.startsWith(`${plain[0]} `))
  const depth = isWhole || standard !== undefined ? 1 : 2
  return names[Math.min(plain.length - 1 - depth, names.length - 1)]
}

/** Returns the keys of the running sandbox that a line is for; empty if it can't be reached quickly. */
async function keysFor(words: readonly string[]): Promise<readonly string[]> {
  const textOf = (name: string): string | undefined => {
    const at = words.indexOf(`--${name}`)
    return at < 0 ? undefined : words[at + 1]
  }
  const { keysAt } = await import('./remote/connect.ts')
  return await keysAt({
    url: textOf('url'),
    sandbox: textOf('sandbox'),
    'control-token': textOf('control-token'),
  })
}
