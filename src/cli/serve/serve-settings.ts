import { existsSync } from 'node:fs'
import { isIPv6 } from 'node:net'
import { dirname, resolve } from 'node:path'
import { rules } from '../../checks/audit/rules.ts'

import { gapSettings } from '../../mock/api/gaps.ts'
import { InputError } from '../../mock/input/input-error.ts'
import { nearest } from '../../mock/input/nearest.ts'
import { fromTexts, list, object, optional, withDefault } from '../../mock/input/object.ts'
import { isRecord, namesOf } from '../../mock/input/record.ts'
import {
  described,
  type Output,
  readInput,
  readPart,
  refined,
  rejectValue,
  type Schema,
  suggestion,
  ValidationError,
} from '../../mock/input/schema.ts'
import { bearerToken, instant, integer, nameIn, oneOf, text } from '../../mock/input/values.ts'
import { defaultMaxRequests } from '../../mock/log/request-log.ts'
import { byteCount, sharedLimits } from '../../mock/log/shared-memory.ts'
import { rateLimitMode } from '../../mock/state/beginning.ts'
import { clockSpeed } from '../../mock/state/clock.ts'
import { sandboxLimits } from '../../mock/state/limits.ts'
import { sandboxName } from '../../sandbox/controls/sandboxes.ts'
import { scenarioName } from '../../sandbox/controls/scenarios.ts'
import { defaultMaxSandboxes } from '../../sandbox/sandbox-pool.ts'
import { defaultPort, serverLimits } from '../../server/server-options.ts'
import { CliError } from '../cli-error.ts'
import { readJsonFile } from '../files.ts'
import { offByDefault, optionalPath, settings, textList } from '../option-schemas.ts'
import { programLine } from '../program.ts'
import { describeEach, readEach } from '../yargs-options.ts'

/** Address to listen on; an IPv6 address may be in brackets, as in a URL. */
const address: Schema<string> = refined(
  text(),
  (found) => {
    const [, inner = ''] = /^\[(.*)\]$/.exec(found) ?? []
    return isIPv6(inner) ? inner : found
  },
  (found) => found,
)

const gapChoices = settings(
  gapSettings,
  'Value of a gap, as name=value; may be repeated; list them with the command gaps',
  'retryAfterFormat=http-date',
)

/** Limits of the server and its sandboxes, except the request log's, which has an option of its own. */
export const processLimits = object({
  ...sandboxLimits.properties,
  ...serverLimits.properties,
})

/** Options of `serve` on the command line, in the environment and in a config file, in the groups of `--help`. */
export const serveOptionGroups = {
  Address: {
    port: withDefault(
      described('Port to listen on; 0 for any free port', integer(0, 65_535)),
      defaultPort,
    ),
    host: withDefault(described('Address to listen on', address), '127.0.0.1'),
    'port-file': optionalPath('File to write the port number to once it is known'),
    'tls-cert': optionalPath(
      'Serve https: certificate in PEM, such as mkcert makes; with --tls-key',
    ),
    'tls-key': optionalPath('Private key of that certificate, in PEM'),
    'allowed-host': withDefault(
      described(
        'Host name besides localhost that control requests may use; may be repeated',
        textList(text()),
      ),
      [],
    ),
    'control-token': optional(
      described('Bearer token that control requests must carry', bearerToken, {
        default: 'none on a loopback address, else a random one',
      }),
    ),
  },
  'Pets and keys': {
    'seed-file': optionalPath(
      'Pets and keys: a JSON file { "pets", "keys" }, or a folder with pets.json, keys.json',
      "the package's",
    ),
    watch: offByDefault('Reload the seed file whenever it changes'),
    pets: optional(described('Generate this many pets', integer(0, 100_000))),
    'random-seed': withDefault(described('Seed for everything random', integer(0, 2 ** 32 - 1)), 1),
  },
  Clock: {
    clock: optional(
      described('Instant to start at, such as 2030-12-04T23:59:00Z', instant, {
        default: 'now',
      }),
    ),
    frozen: offByDefault('Start with a frozen clock'),
    'clock-speed': optional(described('Run the clock this many times as fast', clockSpeed)),
  },
  Behaviour: {
    gap: withDefault(gapChoices, {}),
    'rate-limits': withDefault(
      described('With report-only: count and show quota, but reject nothing', rateLimitMode),
      'enforce',
    ),
    scenario: withDefault(
      described('Scenario to start with; may be repeated', textList(scenarioName)),
      [],
    ),
    limit: withDefault(
      settings(
        processLimits,
        'Set a limit, as name=number, such as connections=2000; may be repeated',
        'connections=2000',
      ),
      {},
    ),
  },
  'Named sandboxes': {
    sandbox: withDefault(
      described(
        'Name of another sandbox to serve, at /sandboxes/NAME/v1; may be repeated',
        textList(sandboxName),
      ),
      [],
    ),
    'auto-create': offByDefault('Create named sandboxes on first use'),
    'max-sandboxes': withDefault(
      described('Maximum number of named sandboxes', integer(0, 1_000_000)),
      defaultMaxSandboxes,
    ),
  },
  'State and records': {
    state: optionalPath('File to resume from, and to save the state to at a graceful stop'),
    capture: optionalPath(
      'File to write at the end, for the command replay: everything that was done to the default sandbox',
    ),
    'max-requests': withDefault(
      described('Maximum number of requests that each sandbox keeps', integer(0, 1_000_000)),
      defaultMaxRequests,
    ),
    'request-log-bytes': withDefault(
      described(
        'Maximum bytes for the requests of all sandboxes together; the oldest go first',
        byteCount,
      ),
      sharedLimits.parse({}).requestLogBytes,
    ),
    coverage: offByDefault(
      'Record coverage from the first request on, not when it is first asked for; always on if PETSTORE_CHECK_DIR is set',
    ),
  },
  Program: {
    log: withDefault(described('Format of the log', oneOf(['pretty', 'json', 'silent'])), 'pretty'),
    open: offByDefault('Open the console in the browser'),
    static: optionalPath('Folder with a built frontend to serve at the same address'),
    config: optionalPath(
      'JSON file with any of these options',
      'petstore-sandbox.config.json, if it exists',
    ),
  },
} as const

/** Options of `serve`. */
export const serveOptions = object({
  ...serveOptionGroups.Address,
  ...serveOptionGroups['Pets and keys'],
  ...serveOptionGroups.Clock,
  ...serveOptionGroups.Behaviour,
  ...serveOptionGroups['Named sandboxes'],
  ...serveOptionGroups['State and records'],
  ...serveOptionGroups.Program,
})

/** Options of `serve` after parsing. */
export type ServeOptions = Output<typeof serveOptions>

/** Name of an option of `serve`. */
type ServeOptionName = keyof ServeOptions

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
  const file = { values: (await readConfigFile(config)).options, nameOf: String }
  const layers = [rowLayer(environment), file, variables, commandLine]
  const all = layers.map(({ values }) => values)
  const gap = all.flatMap((values) => values.gap ?? [])
  const limit = all.flatMap((values) => values.limit ?? [])
  const options = serveOptions.parse(Object.assign({}, ...all, { gap, limit }))
  return { ...options, ...paceOf(options, layers), petsFrom: petsFrom(options, layers) }
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
function higherOf<Name extends ServeOptionName>(
  one: Name,
  other: Name,
  layers: readonly Layer[],
): Name | 'neither' {
  const levelOf = (name: Name): number => layers.findLastIndex(({ values }) => name in values)
  if (levelOf(one) === levelOf(other)) return 'neither'
  return levelOf(one) > levelOf(other) ? one : other
}

/** Config file that is read from the current folder if it exists. */
const defaultFile = 'petstore-sandbox.config.json'

const exception = object(
  {
    rule: described('The rule whose findings are accepted.', nameIn(rules)),
    reason: described(
      'Why they are accepted.',
      text({ use: 'a sentence that says why', pattern: /\S/ }),
    ),
    until: optional(
      described('When it ends; a date alone means its first instant in UTC.', instant),
    ),
  },
  { example: '{ "rule": "deprecated-operation", "reason": "…", "until": "2030-01-01" }' },
)

/** Rule whose findings don't count. */
export type Exception = Output<typeof exception>

/** Audit settings in a config file. */
const auditSettings = object(
  {
    exceptions: optional(
      refined(
        list(exception),
        (found) => {
          found.forEach(({ rule }, index) => {
            if (found.findIndex((one) => one.rule === rule) === index) return
            throw new ValidationError(`${rule} has an exception already; keep one`, [index, 'rule'])
          })
          return found
        },
        (found) => found,
      ),
      [],
    ),
  },
  { example: '{ "exceptions": [{ "rule": "deprecated-operation", "reason": "…" }] }' },
)

/** Contents of a config file. */
interface Config {
  /** Options of `serve` that are checked but not parsed yet. */
  readonly options: Readonly<Record<string, unknown>>
  /** Exceptions from the audit. */
  readonly exceptions: readonly Exception[]
}

/**
 * Reads the named config file, or else the default one if it exists.
 *
 * @param named File from `--config` or the environment.
 * @throws {@link CliError} with the place in the file.
 */
export async function readConfigFile(named: string | undefined): Promise<Config> {
  if (named === undefined && !existsSync(defaultFile)) return { options: {}, exceptions: [] }
  const file = named ?? defaultFile
  const schema = { parse: (found: unknown) => configIn(found, dirname(file)) }
  return await readJsonFile(file, (value) => readInput(schema, value))
}

/** Part of a config file that isn't an option of `serve`: the settings of the audit. */
const auditName = 'audit'

const { config: _, ...properties } = serveOptions.properties

const names = namesOf(properties)

/** Name of the option `gap` in a config file, where it is a list or an object, as in TypeScript. */
export const gapsName = 'gaps'

const allNames = [...names.map((name) => (name === 'gap' ? gapsName : name)), auditName]

/** @param folder Base of relative paths in the file. */
function configIn(found: unknown, folder: string): Config {
  if (!isRecord(found)) return rejectValue(found, 'an object such as { "port": 0 }')
  const described = describeEach(properties)
  const values = new Map<string, unknown>()
  const { [auditName]: audit = {}, ...options } = found
  const { exceptions } = readPart(auditName, () => auditSettings.parse(audit))
  for (const [spelt, value] of Object.entries(options)) {
    const name = nameOf(spelt)
    if (values.has(name)) throw new ValidationError(`${name} is set twice; set it once`, [spelt])
    readPart(spelt, () => properties[name].parse(value))
    const isPath = described[name]?.format === 'path'
    values.set(name, isPath ? resolve(folder, String(value)) : value)
  }
  return { options: Object.fromEntries(values), exceptions }
}

/** Returns the name of an option, which may also be written in camel case. */
function nameOf(spelt: string): (typeof names)[number] {
  const dashed = spelt.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  const name = dashed === gapsName ? 'gap' : names.find((one) => one === dashed && one !== 'gap')
  if (name !== undefined) return name
  const hint = suggestion(nearest(dashed, allNames)) ?? `use ${allNames.join(', ')}`
  throw new ValidationError(`unknown option; ${hint}`, [spelt])
}
