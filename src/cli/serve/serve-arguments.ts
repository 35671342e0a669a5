import { InputError } from '../../input/input-error.ts'
import { CliError } from '../terminal/cli-error.ts'
import { suggestion } from '../terminal/usage.ts'
import { readConfigFile } from './config-file.ts'
import {
  type ServeArguments,
  type ServeOptionName,
  type ServeSettings,
  serveOptionNames,
  serveOptions,
} from './serve-options.ts'

/** Where options come from; the later layer goes before the earlier. */
interface Layer {
  readonly values: Partial<ServeArguments>
  /** How an option is called there. */
  readonly nameOf: (name: ServeOptionName) => string
}

/**
 * Reads the options of `serve`: those of the command line go before those of the environment, these before those
 * of the config file. Gaps are taken from all three.
 *
 * @param given As yargs has read them: texts, lists of texts, and booleans.
 * @throws {@link InputError} or {@link CliError} naming the option where it was set, also for two of one layer that
 * exclude each other.
 */
export async function readServeArguments(
  given: Readonly<Record<string, unknown>>,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ServeSettings> {
  const fromCommandLine = readCommandLine(given)
  const fromEnvironment = readEnvironment(environment)
  const fromFile = await readConfigFile(fromCommandLine.config ?? fromEnvironment.config)
  const layers: readonly Layer[] = [
    { values: fromFile, nameOf: (name) => name },
    { values: fromEnvironment, nameOf: variableOf },
    { values: fromCommandLine, nameOf: flagOf },
  ]
  const all = layers.map(({ values }) => values)
  const defaults = Object.fromEntries(
    serveOptionNames.map((name) => [name, serveOptions[name].default]),
  )
  const gap = Object.assign({}, ...all.map((values) => values.gap))
  const set = Object.assign(defaults, ...all, { gap }) as ServeArguments
  return { ...set, ...paceOf(set, layers), petsFrom: petsFrom(set, layers) }
}

/** Lets one of `frozen` and `scale` go before the other. */
function paceOf(
  { frozen, scale }: ServeArguments,
  layers: readonly Layer[],
): Pick<ServeArguments, 'frozen' | 'scale'> {
  if (!frozen || scale === undefined) return { frozen, scale }
  const higher = higherOf('frozen', 'scale', layers)
  if (higher === 'frozen') return { frozen, scale: undefined }
  if (higher === 'scale') return { frozen: false, scale }
  const nameOf = layers.findLast(({ values }) => 'scale' in values)?.nameOf ?? flagOf
  throw new CliError(
    `Cannot use ${nameOf('scale')}: ${nameOf('frozen')} stops the clock; use one of them`,
    2,
  )
}

function petsFrom(set: ServeArguments, layers: readonly Layer[]): ServeSettings['petsFrom'] {
  if (set.pets === undefined || set['seed-file'] === undefined) return 'neither'
  return higherOf('pets', 'seed-file', layers)
}

/** Tells which one of two options was set in a higher layer than the other. */
function higherOf<Name extends ServeOptionName>(
  one: Name,
  other: Name,
  layers: readonly Layer[],
): Name | 'neither' {
  const [level, otherLevel] = [one, other].map((name) =>
    layers.findLastIndex(({ values }) => name in values),
  ) as [number, number]
  if (level === otherLevel) return 'neither'
  return level > otherLevel ? one : other
}

function flagOf(name: ServeOptionName): string {
  return `--${name}`
}

function readCommandLine(given: Readonly<Record<string, unknown>>): Partial<ServeArguments> {
  return readEach(serveOptionNames, (name) => {
    const { kind, parse } = serveOptions[name]
    const value = given[name]
    if (value === undefined) return undefined
    if (kind === 'gaps' || kind === 'list') return parse(value, `--${name}`)
    // The last one counts, so that a script's own options can be changed after it.
    const last: unknown = Array.isArray(value) ? value.at(-1) : value
    if (last === false && kind !== 'flag') {
      throw new CliError(`Cannot use --no-${name}: there is no such option; leave out --${name}`, 2)
    }
    return parse(typeof last === 'string' ? fromText(name, last) : last, `--${name}`)
  })
}

const prefix = 'PETSTORE_SANDBOX_'

/** The variable that the commands for a running sandbox read, which may stand in the same environment. */
const remoteVariable = 'URL'

/** An empty variable counts as none, since many a tool can't leave one out. */
function readEnvironment(
  environment: Readonly<Record<string, string | undefined>>,
): Partial<ServeArguments> {
  const known = serveOptionNames.map((name) => variableOf(name).slice(prefix.length))
  for (const variable of Object.keys(environment)) {
    const word = variable.slice(prefix.length)
    if (!variable.startsWith(prefix) || known.includes(word) || word === remoteVariable) continue
    const hint = suggestion(word, known, prefix)
    throw new InputError(`Cannot use ${variable}: there is no such option${hint}`)
  }
  return readEach(serveOptionNames, (name) => {
    const variable = variableOf(name)
    const text = environment[variable]
    if (text === undefined || text === '') return undefined
    return serveOptions[name].parse(fromText(name, text), variable)
  })
}

function variableOf(name: ServeOptionName): string {
  return prefix + name.toUpperCase().replaceAll('-', '_')
}

function readEach(
  names: readonly ServeOptionName[],
  read: (name: ServeOptionName) => unknown,
): Partial<ServeArguments> {
  const values = names.map((name) => [name, read(name)] as const)
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

const flagTexts: Readonly<Record<string, boolean>> = { true: true, 1: true, false: false, 0: false }

/** What a text stands for by the kind of its option; text that is none is left to be refused. */
function fromText(name: ServeOptionName, text: string): unknown {
  const { kind } = serveOptions[name]
  if (kind === 'number' && /^-?\d+(?:\.\d+)?(?:e\d+)?$/i.test(text)) return Number(text)
  if (kind === 'flag' && Object.hasOwn(flagTexts, text)) return flagTexts[text]
  return text
}
