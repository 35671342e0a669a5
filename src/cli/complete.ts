import type { Properties } from '../input/object.ts'
import { isRecord } from '../input/record.ts'
import type { JsonSchema } from '../input/schema.ts'
import { auditCommandOptions, execAuditOptions } from './audit/audit-command-options.ts'
import { coverageOptions } from './coverage/coverage-options.ts'
import { examOptions } from './exam/exam-options.ts'
import { exploreOptions } from './explore/explore-options.ts'
import { openOptions } from './open/open-options.ts'
import type { RemoteCommand } from './remote/commands/action.ts'
import { remoteCommands } from './remote/commands/remote-commands.ts'
import {
  gapsOptions,
  readRemoteOptions,
  remoteOptions,
  requestsOptions,
} from './remote/remote-options.ts'
import { replayOptions } from './replay/replay-options.ts'
import { serveOptions } from './serve/serve-options.ts'
import { describeEach } from './usage/yargs-options.ts'

/** A place in a command line: what stands there, as the schemas describe it. */
interface Place {
  readonly name: string
  readonly json: JsonSchema
  /** What else may stand there. */
  readonly actions: readonly string[]
}

/** The option with which the completion script of yargs asks. */
const question = '--get-yargs-completions'

/** Whether a command line asks what its last word may become. */
export function isCompletion([first]: readonly string[]): boolean {
  return first === question
}

/**
 * Says what the last word of a command line may become; `undefined` for what yargs knows, the names of commands,
 * actions and options.
 *
 * @param argv The question, the name of the program, and the words.
 */
export async function complete(
  [, , ...words]: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[] | undefined> {
  const { joined, before } = joinSettings(words)
  const place = placeOf(joined)
  if (place === undefined) return undefined
  const { actions } = place
  const values = await valuesFor(place, joined, environment)
  return [...actions, ...values]
    .filter((one) => one.startsWith(before))
    .map((one) => one.slice(before.length))
}

/** What may stand at a place: keys of the running sandbox where it is for one, else what its schema lists. */
async function valuesFor(
  { name, json }: Place,
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  if (name === 'key') return await keysFor(words, environment)
  const values = valuesOf(json)
  const isKey = words.at(-1)?.startsWith(keySetting) === true && values.includes(keySetting)
  if (!isKey) return values
  return (await keysFor(words, environment)).map((key) => keySetting + key)
}

/** The beginning of a setting that is a key. */
const keySetting = 'key='

/** Gives the keys of the running sandbox that a command line is for; none if it can't be reached quickly. */
async function keysFor(
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<readonly string[]> {
  const texts = Object.fromEntries(
    ['url', 'sandbox', 'control-token'].flatMap((name) => {
      const value = words[words.indexOf(`--${name}`) + 1]
      return words.includes(`--${name}`) && value !== undefined ? [[name, value]] : []
    }),
  )
  const { keysAt } = await import('./remote/connect.ts')
  return await keysAt(readRemoteOptions(remoteOptions, texts, environment))
}

/** Joins a `name=value` again, which bash has taken apart; what goes before the last word then stays before it. */
function joinSettings(words: readonly string[]) {
  const [name, sign, value] = words.slice(-3)
  if (sign !== '=' || value === undefined) return { joined: words, before: '' }
  const isOption = name?.startsWith('--') ?? false
  const joined = [...words.slice(0, -3), ...(isOption ? [`${name}`, value] : [`${name}=${value}`])]
  return { joined, before: isOption ? '' : `${name}=` }
}

function placeOf(words: readonly string[]): Place | undefined {
  const command = plainWords(words.slice(0, -1), allOptions)[0] ?? 'serve'
  const options = describeEach(optionsOf(command))
  const option = words.at(-2)?.replace(/^--/, '') ?? ''
  const json = words.at(-2)?.startsWith('--') ? options[option] : undefined
  if (json !== undefined && json.type !== 'boolean') return { name: option, json, actions: [] }
  const remote = remoteCommands[command]
  if (remote === undefined || words.at(-1)?.startsWith('-')) return undefined
  return placeIn(remote, plainWords(words, options).slice(1))
}

/** The options of the commands that are not for a running sandbox alone. */
const optionsByCommand: Readonly<Record<string, Properties>> = {
  serve: serveOptions.properties,
  exec: { ...serveOptions.properties, ...execAuditOptions.properties },
  explore: exploreOptions.properties,
  exam: examOptions.properties,
  requests: requestsOptions.properties,
  audit: auditCommandOptions.properties,
  coverage: coverageOptions.properties,
  replay: replayOptions.properties,
  open: openOptions.properties,
  gaps: gapsOptions.properties,
}

function optionsOf(command: string): Properties {
  if (Object.hasOwn(remoteCommands, command)) return remoteOptions.properties
  return optionsByCommand[command] ?? serveOptions.properties
}

/** Which options there are at all: to tell their values from words before the command is known. */
const allOptions = describeEach(
  Object.assign({}, ...Object.values(optionsByCommand), remoteOptions.properties),
)

/** The words that are neither options nor their values. */
function plainWords(
  words: readonly string[],
  options: Readonly<Record<string, JsonSchema>>,
): readonly string[] {
  return words.filter((word, index) => {
    const option = words[index - 1]?.replace(/^--/, '') ?? ''
    const isValue =
      words[index - 1]?.startsWith('--') === true &&
      (options[option]?.type ?? 'boolean') !== 'boolean'
    return !word.startsWith('--') && !isValue
  })
}

/** @param words The action and what follows it, the last of them to be completed. */
function placeIn(
  { actions, implied = '' }: RemoteCommand,
  [first = '', ...rest]: readonly string[],
): Place | undefined {
  const isNamed = rest.length > 0 && Object.hasOwn(actions, first)
  const action = actions[isNamed ? first : implied]
  if (action === undefined) return undefined
  const index = isNamed ? rest.length - 1 : rest.length
  const places = Object.entries(describeEach(action.words))
  const [name, json] = places[Math.min(index, places.length - 1)] ?? []
  if (name === undefined || json === undefined) return undefined
  if (index >= places.length && json.type !== 'array') return undefined
  return { name, json, actions: rest.length === 0 ? Object.keys(actions) : [] }
}

/** The values that a schema lists. */
function valuesOf({ enum: choices, items }: JsonSchema): string[] {
  if (Array.isArray(choices)) return choices.map(String)
  if (!isRecord(items)) return []
  return Array.isArray(items.examples) ? items.examples.map(String) : valuesOf(items)
}
