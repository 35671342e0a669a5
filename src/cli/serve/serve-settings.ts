import { existsSync } from 'node:fs'
import { InputError } from '../../mock/input/input-error.ts'
import { nearest } from '../../mock/input/nearest.ts'
import { fromTexts } from '../../mock/input/object.ts'
import { namesOf } from '../../mock/input/record.ts'
import { suggestion } from '../../mock/input/schema.ts'
import { CliError } from '../cli-error.ts'
import { programLine } from '../program.ts'
import { readEach } from '../yargs-options.ts'
import { defaultConfigFile, type ServeOptions, serveOptions } from './serve-options.ts'

/** Options of `serve` after conflicts between layers are resolved. */
export interface ServeSettings extends ServeOptions {
  /** Source that wins if both contain pets; `neither` means an error. */
  readonly petsFrom: 'pets' | 'seed-file' | 'neither'
}

/** Source of options; a later layer overrides earlier ones. */
interface Layer {
  /** Values that are checked but not parsed yet. */
  readonly values: Readonly<Record<string, unknown>>
  /** Returns the name of an option in this layer. */
  readonly nameOf: (name: string) => string
}

/**
 * Reads the options of `serve`: the command line overrides the environment, which overrides the config file. Gaps and
 * limits are merged from all three.
 *
 * @param texts Options of the command line.
 * @throws {@link InputError} or {@link CliError} naming the option where it was set, also if two options of one layer
 * exclude each other.
 */
export async function readServeSettings(
  texts: Readonly<Record<string, string>>,
  environment: NodeJS.ProcessEnv,
): Promise<ServeSettings> {
  const commandLine = layerOf(texts, (name) => `--${name}`)
  const variables = layerOf(textsIn(environment), variableOf)
  const { config } = serveOptions.parse({ ...variables.values, ...commandLine.values })
  const file = { values: await fileOptions(config), nameOf: String }
  const layers = [rowLayer(environment), file, variables, commandLine]
  const all = layers.map(({ values }) => values)
  const gap = all.flatMap((values) => values.gap ?? [])
  const limit = all.flatMap((values) => values.limit ?? [])
  const options = serveOptions.parse(Object.assign({}, ...all, { gap, limit }))
  return { ...options, ...paceOf(options, layers), petsFrom: petsFrom(options, layers) }
}

/** Returns the options of the config file, if there is one; most servers have none, and don't load its reader. */
async function fileOptions(named: string | undefined): Promise<Layer['values']> {
  if (named === undefined && !existsSync(defaultConfigFile)) return {}
  const { readConfigFile } = await import('./config-file.ts')
  return (await readConfigFile(named)).options
}

/** @throws {@link InputError} with the layer's name of the option. */
function layerOf(texts: Readonly<Record<string, string>>, nameOf: Layer['nameOf']): Layer {
  const values = fromTexts(serveOptions, texts)
  readEach(serveOptions, values, nameOf)
  return { values, nameOf }
}

const prefix = 'PETSTORE_SANDBOX_'

function variableOf(name: string): string {
  return prefix + name.toUpperCase().replaceAll('-', '_')
}

/** Variable with the gap values that sandboxes of a command start with; `check` and `exec` set it. */
const rowVariable = variableOf('gaps')

/** Returns the lowest layer: the gap values that `check` tries give way to values that are set explicitly. */
function rowLayer({ [rowVariable]: row }: NodeJS.ProcessEnv): Layer {
  return layerOf(row ? { gap: row } : {}, () => rowVariable)
}

/** Variables that don't set an option; the second is for commands to a running sandbox. */
const otherVariables: readonly string[] = [rowVariable, variableOf('url')]

/** Reads options from variables; an empty one counts as unset, since many tools can't leave one out. */
function textsIn(environment: NodeJS.ProcessEnv): Record<string, string> {
  expectVariables(environment)
  return Object.fromEntries(
    namesOf(serveOptions.properties).flatMap((name) => {
      const text = environment[variableOf(name)]
      return text ? [[name, text]] : []
    }),
  )
}

/**
 * Rejects unknown variables, since a misspelt one would be ignored silently.
 *
 * @throws {@link InputError} naming the first one.
 */
export function expectVariables(environment: NodeJS.ProcessEnv): void {
  const known = [...namesOf(serveOptions.properties).map(variableOf), ...otherVariables]
  const found = Object.keys(environment).find(
    (name) => name.startsWith(prefix) && !known.includes(name),
  )
  if (found === undefined) return
  // The common prefix would make all names similar.
  const endOf = (name: string): string => name.slice(prefix.length)
  const meant = nearest(endOf(found), known.map(endOf))
  const hint = suggestion(meant && prefix + meant) ?? `see ${programLine('--help')}`
  throw new InputError(`Cannot use ${found}: unknown option; ${hint}`)
}

/** Decides between `frozen` and `clock-speed`. */
function paceOf(
  { frozen, 'clock-speed': speed }: ServeOptions,
  layers: readonly Layer[],
): Pick<ServeOptions, 'frozen' | 'clock-speed'> {
  if (!frozen || speed === undefined) return { frozen, 'clock-speed': speed }
  const higher = higherOf('frozen', 'clock-speed', layers)
  if (higher === 'frozen') return { frozen, 'clock-speed': undefined }
  if (higher === 'clock-speed') return { frozen: false, 'clock-speed': speed }
  const { nameOf } = layers.findLast(({ values }) => 'clock-speed' in values) ?? { nameOf: String }
  throw new CliError(
    `Cannot use ${nameOf('clock-speed')}: ${nameOf('frozen')} stops the clock; use one of them`,
    2,
  )
}

function petsFrom(options: ServeOptions, layers: readonly Layer[]): ServeSettings['petsFrom'] {
  if (options.pets === undefined || options['seed-file'] === undefined) return 'neither'
  return higherOf('pets', 'seed-file', layers)
}

/** Returns which of two options is set in the higher layer. */
function higherOf<Name extends keyof ServeOptions>(
  one: Name,
  other: Name,
  layers: readonly Layer[],
): Name | 'neither' {
  const levelOf = (name: Name): number => layers.findLastIndex(({ values }) => name in values)
  if (levelOf(one) === levelOf(other)) return 'neither'
  return levelOf(one) > levelOf(other) ? one : other
}
