import { InputError } from '../../input/input-error.ts'
import { fromTexts, type Properties } from '../../input/object.ts'
import { namesOf } from '../../input/record.ts'
import { readInput } from '../../input/schema.ts'
import { CliError } from '../terminal/cli-error.ts'
import { nearest } from '../usage/nearest.ts'
import { readConfigFile } from './config-file.ts'
import { type ServeOptionName, type ServeOptions, serveOptions } from './serve-options.ts'

/** The options of `serve` after conflicts between layers are resolved. */
export interface ServeSettings extends ServeOptions {
  /** Which source wins when both give pets; `neither`: an error. */
  readonly petsFrom: 'pets' | 'seed-file' | 'neither'
}

/** Where options come from; a later layer overrides earlier ones. */
interface Layer {
  /** Checked, and yet to be read. */
  readonly values: Readonly<Record<string, unknown>>
  /** How it names an option. */
  readonly nameOf: (name: string) => string
}

/**
 * Reads the options of `serve`: the command line overrides the environment, which overrides the config file. Gaps and
 * limits are merged from all three.
 *
 * @param texts Those of the command line.
 * @throws {@link InputError} or {@link CliError} naming the option where it was set, also if two of one layer exclude
 * each other.
 */
export async function readServeSettings(
  texts: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<ServeSettings> {
  const commandLine = layerOf(texts, (name) => `--${name}`)
  const variables = layerOf(textsIn(environment), variableOf)
  const { config } = serveOptions.read({ ...variables.values, ...commandLine.values })
  const file = { values: await readConfigFile(config), nameOf: String }
  const layers = [rowLayer(environment), file, variables, commandLine]
  const all = layers.map(({ values }) => values)
  const gap = all.flatMap((values) => values.gap ?? [])
  const limit = all.flatMap((values) => values.limit ?? [])
  const options = serveOptions.read(Object.assign({}, ...all, { gap, limit }))
  return { ...options, ...paceOf(options, layers), petsFrom: petsFrom(options, layers) }
}

/** @throws {@link InputError} naming the option as the layer does. */
function layerOf(texts: Readonly<Record<string, string>>, nameOf: Layer['nameOf']): Layer {
  const values = fromTexts(serveOptions, texts)
  for (const [name, property] of Object.entries<Properties[string]>(serveOptions.properties)) {
    if (name in values) readInput(property, values[name], nameOf(name))
  }
  return { values, nameOf }
}

const prefix = 'PETSTORE_SANDBOX_'

function variableOf(name: string): string {
  return prefix + name.toUpperCase().replaceAll('-', '_')
}

/** The variable with the choices that sandboxes of a command start with: `explore` and `exec` set it. */
const rowVariable = variableOf('gaps')

/** What is explored gives way to all that is set on purpose. */
function rowLayer({ [rowVariable]: row }: NodeJS.ProcessEnv): Layer {
  return layerOf(row ? { gap: row } : {}, () => rowVariable)
}

/** The variable for commands to a running sandbox, which may be set in the same environment. */
const remoteVariable = variableOf('url')

const otherVariables: readonly string[] = [rowVariable, remoteVariable]

/** Takes options from variables; an empty one counts as unset, since many tools can't leave one out. */
function textsIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  const names = new Map(namesOf(serveOptions.properties).map((name) => [variableOf(name), name]))
  return Object.fromEntries(
    Object.entries(environment).flatMap(([variable, text]) => {
      if (!variable.startsWith(prefix) || otherVariables.includes(variable)) return []
      const name = names.get(variable)
      if (name === undefined) throw unknownVariable(variable, [...names.keys()])
      return text ? [[name, text]] : []
    }),
  )
}

function unknownVariable(variable: string, known: readonly string[]): InputError {
  const meant = nearest(variable, known)
  const hint = meant === undefined ? 'see petstore-sandbox --help' : `did you mean ${meant}?`
  return new InputError(`Cannot use ${variable}: unknown option; ${hint}`)
}

/** Decides between `frozen` and `scale`. */
function paceOf(
  { frozen, scale }: ServeOptions,
  layers: readonly Layer[],
): Pick<ServeOptions, 'frozen' | 'scale'> {
  if (!frozen || scale === undefined) return { frozen, scale }
  const higher = higherOf('frozen', 'scale', layers)
  if (higher === 'frozen') return { frozen, scale: undefined }
  if (higher === 'scale') return { frozen: false, scale }
  const { nameOf } = layers.findLast(({ values }) => 'scale' in values) ?? { nameOf: String }
  throw new CliError(
    `Cannot use ${nameOf('scale')}: ${nameOf('frozen')} stops the clock; use one of them`,
    2,
  )
}

function petsFrom(options: ServeOptions, layers: readonly Layer[]): ServeSettings['petsFrom'] {
  if (options.pets === undefined || options['seed-file'] === undefined) return 'neither'
  return higherOf('pets', 'seed-file', layers)
}

/** Returns which of two options is set in the higher layer. */
function higherOf<Name extends ServeOptionName>(
  one: Name,
  other: Name,
  layers: readonly Layer[],
): Name | 'neither' {
  const levelOf = (name: Name): number => layers.findLastIndex(({ values }) => name in values)
  if (levelOf(one) === levelOf(other)) return 'neither'
  return levelOf(one) > levelOf(other) ? one : other
}
