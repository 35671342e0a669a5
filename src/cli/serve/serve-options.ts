import { isIPv6 } from 'node:net'
import { gapSettings } from '../../contract/gap-settings.ts'
import { sandboxName } from '../../control/sandboxes.ts'
import { scenarioName } from '../../control/scenarios.ts'
import { instant } from '../../input/instant.ts'
import { object, optional, withDefault } from '../../input/object.ts'
import { described, type Read, refined, type Schema } from '../../input/schema.ts'
import { flag, oneOf, text, whole } from '../../input/values.ts'
import { defaultMaxSandboxes } from '../../sandbox-pool.ts'
import { defaultPort } from '../../server/default-port.ts'
import { serverLimits } from '../../server/server-options.ts'
import { rateLimitMode } from '../../state/beginning.ts'
import { clockScale } from '../../state/clock.ts'
import { defaultJournalSize } from '../../state/journal.ts'
import { byteCount, sandboxLimits, sharedLimits } from '../../state/limits.ts'
import { readSettings, settingList, splitText, textList } from '../settings.ts'

/** An address; one of IPv6 may be in brackets, as in a URL. */
const address: Schema<string> = refined(
  text(),
  (found) => {
    const [, inner = ''] = /^\[(.*)\]$/.exec(found) ?? []
    return isIPv6(inner) ? inner : found
  },
  (found) => found,
)

/** A file or folder; the config file names it relative to itself. */
const path = described('', text(), { format: 'path' })

/** Settings: `name=value`, several with commas, or the object that a config file may have instead. */
function settings<Given>(
  schema: Schema<Given, unknown>,
  about: string,
  example: string,
): Schema<unknown, Given> {
  return {
    ...settingList(schema, about),
    read: (found) => readSettings(schema, [found].flat().flatMap(splitText), example),
    write: (read) => read,
  }
}

const gapChoices = settings(
  gapSettings,
  'Choice at a gap, as name=choice; may be repeated; the command gaps lists them',
  'retryAfterFormat=http-date',
)

/** What a process bounds, beside the bytes of journals, which have an option of their own. */
export const processLimits = object({
  ...sandboxLimits.properties,
  ...serverLimits.properties,
})

/** Says where files go, since many a tool has `--seed` for one. */
const randomSeed = whole(
  0,
  2 ** 32 - 1,
  `a whole number from 0 to ${2 ** 32 - 1}, or --seed-file for a file of pets and keys`,
)

/** The options of `serve`, on the command line, in the environment and in a config file. */
export const serveOptions = object({
  port: withDefault(
    described('Port to listen on; 0 for any free port', whole(0, 65_535)),
    defaultPort,
  ),
  host: withDefault(described('Address to listen on', address), '127.0.0.1'),
  'tls-cert': optional(
    described('Serve https: certificate in PEM, such as mkcert makes; with --tls-key', path),
  ),
  'tls-key': optional(described('Private key of that certificate, in PEM', path)),
  static: optional(described('Folder with a built frontend to serve at the same address', path)),
  'seed-file': optional(
    described(
      'Pets and keys: a JSON file { "pets", "keys" }, or a folder with pets.json, keys.json',
      path,
      { default: "the package's" },
    ),
  ),
  pets: optional(described('Generate this many pets', whole(0, 100_000))),
  seed: withDefault(described('Seed for everything random', randomSeed), 1),
  clock: optional(
    described('Instant to start at, such as 2030-12-04T23:59:00Z', instant, { default: 'now' }),
  ),
  frozen: withDefault(described('Start with a frozen clock', flag), false),
  scale: optional(described('Run the clock this many times as fast', clockScale)),
  gap: withDefault(gapChoices, {}),
  'rate-limit': withDefault(
    described('With reported: count and show quota, but refuse nothing', rateLimitMode),
    'enforced',
  ),
  scenario: withDefault(
    described('Ready-made situation to start with; may be repeated', textList(scenarioName)),
    [],
  ),
  watch: withDefault(described('Read the seed file again whenever it changes', flag), false),
  state: optional(
    described('File to resume from, and to save the state to at a graceful stop', path),
  ),
  capture: optional(
    described(
      'File to write at the end: all that was done to the default sandbox, for the command replay',
      path,
    ),
  ),
  sandbox: withDefault(
    described(
      'Name of another sandbox to serve, at /sandboxes/NAME/v1; may be repeated',
      textList(sandboxName),
    ),
    [],
  ),
  'auto-create': withDefault(described('Make named sandboxes on first use', flag), false),
  'max-sandboxes': withDefault(
    described('Maximum number of named sandboxes', whole(0, 1_000_000)),
    defaultMaxSandboxes,
  ),
  'journal-size': withDefault(
    described('How many exchanges each sandbox keeps', whole(0, 1_000_000)),
    defaultJournalSize,
  ),
  'journal-bytes': withDefault(
    described(
      'Maximum bytes for the exchanges of all sandboxes together; the oldest go first',
      byteCount,
    ),
    sharedLimits.read({}).journalBytes,
  ),
  limit: withDefault(
    settings(
      processLimits,
      'Another limit, as name=number, such as connections=2000; may be repeated',
      'connections=2000',
    ),
    {},
  ),
  coverage: withDefault(
    described(
      'Count what clients face, for the command coverage; always on if PETSTORE_COVERAGE_DIR is set',
      flag,
    ),
    false,
  ),
  'allowed-host': withDefault(
    described(
      'Host name besides localhost that control requests may use; may be repeated',
      textList(text()),
    ),
    [],
  ),
  'control-token': optional(
    described('Bearer token that control requests must carry', text(), {
      default: 'none on a loopback address, else a random one',
    }),
  ),
  open: withDefault(described('Open the console in the browser', flag), false),
  log: withDefault(described('Format of the log', oneOf(['pretty', 'json', 'silent'])), 'pretty'),
  'port-file': optional(described('File to write the port number to once it is known', path)),
  config: optional(
    described('JSON file with any of these options', path, {
      default: 'petstore-sandbox.config.json, if it exists',
    }),
  ),
})

/** The options of `serve`, read. */
export type ServeOptions = Read<typeof serveOptions>

/** The name of an option of `serve`. */
export type ServeOptionName = keyof ServeOptions
