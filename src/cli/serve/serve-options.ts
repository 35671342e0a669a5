import { isIPv6 } from 'node:net'
import { type GapSettings, parseGaps } from '../../contract/gap-settings.ts'
import { scenarioNames } from '../../control/controls/scenarios.ts'
import { InputError, isRecord, parseOneOf, parseWhole, show } from '../../input/input-error.ts'
import { parseInstant } from '../../input/instant.ts'
import { defaultMaxSandboxes } from '../../sandbox-pool.ts'
import { defaultPort } from '../../server/default-port.ts'
import { defaultJournalSize } from '../../state/journal/journal.ts'
import { rateLimitModes } from '../../state/state.ts'
import { instantFromText } from '../remote/instant-from-text.ts'
import { logFormats } from './log.ts'

/** One option of `serve`. */
interface ServeOption {
  readonly describe: string
  /** How its value looks as text; in a config file a number is a number, and a flag true or false. */
  readonly kind: 'text' | 'path' | 'number' | 'flag' | 'gaps' | 'list'
  readonly choices?: readonly string[]
  readonly default: unknown
  /** The default as `--help` shows it. */
  readonly usually?: string
  /** Reads a value; throws an InputError that begins with `what`, the option's name where it was set. */
  readonly parse: (value: unknown, what: string) => unknown
}

/** The options of `serve`, on the command line, in the environment and in a config file. */
export const serveOptions = {
  port: {
    describe: 'Port to listen on; 0 for any free one',
    kind: 'number',
    default: defaultPort,
    usually: String(defaultPort),
    parse: (value: unknown, what: string) => parseWhole(value, 0, 65_535, what),
  },
  host: {
    describe: 'Address to listen on',
    kind: 'text',
    default: '127.0.0.1',
    usually: '127.0.0.1',
    parse: parseHost,
  },
  'seed-file': {
    describe:
      'Pets and keys: a JSON file { "pets", "keys" }, or a folder with pets.json, keys.json',
    kind: 'path',
    default: undefined,
    usually: "the package's",
    parse: parseText,
  },
  pets: {
    describe: 'Generate this many pets instead',
    kind: 'number',
    default: undefined,
    parse: (value: unknown, what: string) => parseWhole(value, 0, 1_000_000, what),
  },
  seed: {
    describe: 'Makes what is random repeatable',
    kind: 'number',
    default: 1,
    usually: '1',
    parse: (value: unknown, what: string) => parseWhole(value, 0, 2 ** 32 - 1, what),
  },
  clock: {
    describe: 'Instant to start at, such as 2030-12-04T23:59:00Z',
    kind: 'text',
    default: undefined,
    usually: 'now',
    parse: parseClock,
  },
  frozen: {
    describe: 'Stop the clock there',
    kind: 'flag',
    default: false,
    parse: parseFlag,
  },
  scale: {
    describe: 'Run the clock this many times as fast',
    kind: 'number',
    default: undefined,
    parse: parseScale,
  },
  gap: {
    describe: 'What to do where the spec is silent, as name=choice; may be repeated',
    kind: 'gaps',
    default: {},
    parse: parseGapSettings,
  },
  'rate-limit': {
    describe: 'reported: count and show quota, but refuse nothing',
    kind: 'text',
    choices: rateLimitModes,
    default: 'enforced',
    usually: 'enforced',
    parse: (value: unknown, what: string) => parseOneOf(value, rateLimitModes, what),
  },
  scenario: {
    describe: 'Ready-made situation to begin with; may be repeated',
    kind: 'list',
    default: [],
    parse: (value: unknown, what: string) =>
      parseList(value, what).map((one) => parseOneOf(one, scenarioNames, what)),
  },
  watch: {
    describe: 'Read the seed file again whenever it changes',
    kind: 'flag',
    default: false,
    parse: parseFlag,
  },
  state: {
    describe: 'File to go on from, and to save the state to at a graceful stop',
    kind: 'path',
    default: undefined,
    parse: parseText,
  },
  sandbox: {
    describe: 'Name of a sandbox to serve too, at /sandboxes/NAME/v1; may be repeated',
    kind: 'list',
    default: [],
    parse: parseList,
  },
  'auto-create': {
    describe: 'Make named sandboxes when they are first used',
    kind: 'flag',
    default: false,
    parse: parseFlag,
  },
  'max-sandboxes': {
    describe: 'How many named sandboxes there may be',
    kind: 'number',
    default: defaultMaxSandboxes,
    usually: String(defaultMaxSandboxes),
    parse: (value: unknown, what: string) => parseWhole(value, 0, 1_000_000, what),
  },
  'journal-size': {
    describe: 'How many exchanges each sandbox remembers',
    kind: 'number',
    default: defaultJournalSize,
    usually: String(defaultJournalSize),
    parse: (value: unknown, what: string) => parseWhole(value, 0, 1_000_000, what),
  },
  'allowed-host': {
    describe: 'Name beside localhost that control requests may be for; may be repeated',
    kind: 'list',
    default: [],
    parse: parseList,
  },
  'control-token': {
    describe: 'What control requests must carry as a bearer token',
    kind: 'text',
    default: undefined,
    usually: 'a random one if --host is no loopback address, else none',
    parse: parseText,
  },
  log: {
    describe: 'What to print',
    kind: 'text',
    choices: logFormats,
    default: 'pretty',
    usually: 'pretty',
    parse: (value: unknown, what: string) => parseOneOf(value, logFormats, what),
  },
  'port-file': {
    describe: 'File to write the port number to, once it serves',
    kind: 'path',
    default: undefined,
    parse: parseText,
  },
  config: {
    describe: 'JSON file with any of these options',
    kind: 'path',
    default: undefined,
    usually: 'petstore-sandbox.config.json, if it is there',
    parse: parseText,
  },
} as const satisfies Record<string, ServeOption>

type Rows = typeof serveOptions

export type ServeOptionName = keyof Rows

/** The value of each option, read. */
export type ServeArguments = {
  readonly [Name in ServeOptionName]: ReturnType<Rows[Name]['parse']> | Rows[Name]['default']
}

/** The options of `serve`, those left out that others from a higher layer go before. */
export interface ServeSettings extends ServeArguments {
  /** Which one goes before the other where both have pets; `neither` refuses that. */
  readonly petsFrom: 'pets' | 'seed-file' | 'neither'
}

export const serveOptionNames = Object.keys(serveOptions) as readonly ServeOptionName[]

/** Narrows to the name of an option of `serve`. */
export function isServeOption(name: string): name is ServeOptionName {
  return Object.hasOwn(serveOptions, name)
}

function parseText(value: unknown, what: string): string {
  if (typeof value === 'string' && value !== '') return value
  throw new InputError(`Cannot set ${what}: found ${show(value)}; use a text that is not empty`)
}

/** Reads an address; one of IPv6 may be in brackets, as in a URL. */
function parseHost(value: unknown, what: string): string {
  const text = parseText(value, what)
  const [, address = ''] = /^\[(.*)\]$/.exec(text) ?? []
  return isIPv6(address) ? address : text
}

/** Reads an instant, of which a command line can only have the text. */
function parseClock(value: unknown, what: string): number {
  const instant = typeof value === 'string' ? instantFromText(value) : value
  if (typeof instant === 'string' && /^\d{4}$/.test(instant)) {
    throw new InputError(
      `Cannot set ${what}: found ${show(value)}, which may be a year; use ${instant}-01-01, or 1970-01-01T00:00:0${instant[0]}.${instant.slice(1)}Z`,
    )
  }
  return parseInstant(instant, what)
}

/** Reads a list of texts: several values, or one with commas. */
function parseList(value: unknown, what: string): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.flatMap((one: unknown) => parseText(one, what).split(','))
}

function parseFlag(value: unknown, what: string): boolean {
  if (typeof value === 'boolean') return value
  throw new InputError(`Cannot set ${what}: found ${show(value)}; use true or false`)
}

function parseScale(value: unknown, what: string): number {
  if (typeof value === 'number' && value > 0 && value <= 1_000_000) return value
  throw new InputError(
    `Cannot set ${what}: found ${show(value)}; use a number above 0, at most 1000000`,
  )
}

/** Reads `name=choice` texts, or the object that a config file may hold instead. */
function parseGapSettings(value: unknown, what: string): GapSettings {
  // Without a prototype, whose __proto__ would take its choice away.
  const settings: Record<string, unknown> = Object.create(null)
  for (const gap of Array.isArray(value) ? value : [value]) {
    Object.assign(settings, isRecord(gap) ? gap : gapPairs(gap, what))
  }
  parseGaps(settings)
  return settings as GapSettings
}

function gapPairs(value: unknown, what: string): Record<string, string> {
  const pairs = typeof value === 'string' ? value.split(',') : [value]
  return Object.fromEntries(
    pairs.map((pair) => {
      const [name, choice] = typeof pair === 'string' ? pair.split(/=(.*)/s) : []
      if (name !== undefined && choice !== undefined) return [name.trim(), choice.trim()]
      throw new InputError(
        `Cannot set ${what}: found ${show(pair)}; use name=choice, such as retryAfterFormat=http-date`,
      )
    }),
  )
}
