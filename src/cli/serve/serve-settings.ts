import { existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { InputError } from '../../input/input-error.ts'
import { fromTexts, type Properties } from '../../input/object.ts'
import { isRecord, namesOf } from '../../input/record.ts'
import { Refusal, readInput, readPart, refuseValue } from '../../input/schema.ts'
import type { Exception } from '../audit/verdict.ts'
import { CliError } from '../cli-error.ts'
import { readJsonFile } from '../files.ts'
import { describeEach, nearest } from '../settings.ts'
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

/** The config file that is read from the current folder if it exists. */
const defaultFile = 'petstore-sandbox.config.json'

/**
 * Reads the named config file, or else the default one if it exists.
 *
 * @param named From `--config` or the environment.
 * @returns Options of `serve`, checked, and yet to be read.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(
  named: string | undefined,
): Promise<Readonly<Record<string, unknown>>> {
  return (await readConfig(named)).options
}

/**
 * Reads what the named config file, or else the default one, excepts from the audit.
 *
 * @param named From `--config` or the environment.
 * @throws {@link CliError} with the place in the file.
 */
export async function readExceptions(named: string | undefined): Promise<readonly Exception[]> {
  return (await readConfig(named)).exceptions
}

/** What a config file says. */
interface Config {
  readonly options: Readonly<Record<string, unknown>>
  readonly exceptions: readonly Exception[]
}

async function readConfig(named: string | undefined): Promise<Config> {
  if (named === undefined && !existsSync(defaultFile)) return { options: {}, exceptions: [] }
  const file = named ?? defaultFile
  const folder = dirname(file)
  const schema = { read: (found: unknown) => checkedOptions(found, folder) }
  const { [auditName]: audit, ...options } = await readJsonFile(file, (value) =>
    readInput(schema, value),
  )
  if (audit === undefined) return { options, exceptions: [] }
  // Loaded for those who need it: it knows all rules.
  const { auditSettings } = await import('../audit/verdict.ts')
  const part = { read: () => readPart(auditName, () => auditSettings.read(audit)) }
  const { exceptions } = await readJsonFile(file, (value) => readInput(part, value))
  return { options, exceptions }
}

/** The part of a config file that is no option of `serve`: what is expected of clients. */
const auditName = 'audit'

const { config: _, ...properties } = serveOptions.properties

const names = namesOf(properties)

const allNames = [...names, auditName]

/** @param folder Where relative paths in the file begin. */
function checkedOptions(found: unknown, folder: string): Readonly<Record<string, unknown>> {
  if (!isRecord(found)) return refuseValue(found, 'an object such as { "port": 0 }')
  const described = describeEach(properties)
  const values = new Map<string, unknown>()
  for (const [spelt, value] of Object.entries(found)) {
    if (spelt === auditName) {
      values.set(spelt, value)
      continue
    }
    const name = nameOf(spelt)
    if (values.has(name)) throw new Refusal(`${name} is set twice; set it once`, [spelt])
    readPart(spelt, () => properties[name].read(value))
    const isPath = described[name]?.format === 'path'
    values.set(name, isPath ? resolve(folder, String(value)) : value)
  }
  return Object.fromEntries(values)
}

/** The name of an option, which may be spelt as in JavaScript too. */
function nameOf(spelt: string): (typeof names)[number] {
  const dashed = spelt.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const name = names.find((one) => one === dashed)
  if (name !== undefined) return name
  const meant = nearest(dashed, allNames)
  const hint = meant === undefined ? `use ${allNames.join(', ')}` : `did you mean ${meant}?`
  throw new Refusal(`unknown option; ${hint}`, [spelt])
}
