import { describeEach, listedIn, placeAt } from '../client/actions/words.ts'
import { namesOf } from '../mock/input/record.ts'
import type { JsonSchema } from '../mock/input/schema.ts'
import type { Command } from './command.ts'
import { commands } from './commands.ts'
import { locate } from './parser.ts'

/** Argument that yargs' completion script passes to request completions. */
export const completionQuestion = '--get-yargs-completions'

/** Possible word at the end of a command line. */
interface Offer {
  readonly word: string
  /** Description, for shells that show it. */
  readonly summary?: string | undefined
}

/**
 * Returns completions of the last word of a command line; empty where the shell completes a file.
 *
 * @param argv The completion argument, the name of the program, and the words.
 */
export async function complete([, , ...words]: readonly string[]): Promise<readonly string[]> {
  const { joined, before } = joinSettings(words)
  const offers = joined.slice(0, -1).includes('--') ? [] : await offersAt(joined)
  const isZsh = /zsh/.test(`${process.env.SHELL} ${process.env.ZSH_NAME}`)
  return offers
    .filter(({ word }) => word.startsWith(before))
    .map(({ word, summary }) => {
      const rest = word.slice(before.length)
      return isZsh && summary !== undefined ? `${rest.replaceAll(':', '\\:')}:${summary}` : rest
    })
}

/** Rejoins a `name=value` that bash has split; returns the part before the last word separately. */
function joinSettings(words: readonly string[]) {
  const [name, sign, value] = words.slice(-3)
  if (sign !== '=' || value === undefined) return { joined: words, before: '' }
  const isOption = name?.startsWith('--') ?? false
  const joined = [...words.slice(0, -3), ...(isOption ? [`${name}`, value] : [`${name}=${value}`])]
  return { joined, before: isOption ? '' : `${name}=` }
}

async function offersAt(line: readonly string[]): Promise<readonly Offer[]> {
  const last = line.at(-1) ?? ''
  const { name, command, words } = locate(line.slice(0, -1))
  const options = describeEach(command.options)
  const option = line.at(-2)?.replace(/^--/, '') ?? ''
  const json = line.at(-2)?.startsWith('--') ? options[option] : undefined
  if (json !== undefined && json.type !== 'boolean') {
    return await valuesOf(option, json, line)
  }
  if (last.startsWith('-')) return optionOffers(options)
  if (name === '') return rowOffers(commands)
  const actions = words.length === 0 ? rowOffers(command.actions) : []
  const place = placeAt(command.words, words.length)
  // A shell that gets no values completes a file, which a number isn't.
  const values =
    place?.[1].type === 'integer' ? undefined : place && (await valuesOf(...place, line))
  return actions.length === 0 && values === undefined
    ? optionOffers(options)
    : [...actions, ...(values ?? [])]
}

function rowOffers(rows: Readonly<Record<string, Command>>): readonly Offer[] {
  return namesOf(rows).map((word) => ({ word, summary: rows[word]?.summary }))
}

function optionOffers(options: Readonly<Record<string, JsonSchema>>): readonly Offer[] {
  const help: Offer = { word: '--help', summary: 'Show help' }
  const own = Object.entries(options).map(([name, { description = '' }]) => ({
    word: `--${name}`,
    summary: String(description),
  }))
  return [...own, help]
}

/** Prefix of a setting that is a key. */
const keySetting = 'key='

/**
 * Returns the possible values of an argument: keys of the running sandbox for a key, else those that its schema lists.
 */
async function valuesOf(
  name: string,
  json: JsonSchema,
  line: readonly string[],
): Promise<readonly Offer[]> {
  const values = listedIn(json)
  const isSetting = line.at(-1)?.startsWith(keySetting) === true && values.includes(keySetting)
  if (name !== 'key' && !isSetting) return values.map((word) => ({ word }))
  const keys = await keysFor(line)
  return keys.map((key) => ({ word: isSetting ? keySetting + key : key }))
}

/** Returns the keys of the running sandbox that a command line is for; empty if it can't be reached quickly. */
async function keysFor(line: readonly string[]): Promise<readonly string[]> {
  const textOf = (name: string): string | undefined => {
    const at = line.indexOf(`--${name}`)
    return at < 0 ? undefined : line[at + 1]
  }
  const { keysAt } = await import('./remote/connect.ts')
  return await keysAt({
    url: textOf('url'),
    sandbox: textOf('sandbox'),
    'control-token': textOf('control-token'),
  })
}
