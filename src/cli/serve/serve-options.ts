import { isIPv6 } from 'node:net'
import { gapSettings } from '../../mock/api/gaps.ts'
import { object, optional, withDefault } from '../../mock/input/object.ts'
import { described, type Output, refined, type Schema } from '../../mock/input/schema.ts'
import { bearerToken, instant, integer, oneOf, text } from '../../mock/input/values.ts'
import { defaultMaxRequests } from '../../mock/log/request-log.ts'
import { byteCount, sharedLimits } from '../../mock/log/shared-memory.ts'
import { rateLimitMode } from '../../mock/state/beginning.ts'
import { clockSpeed } from '../../mock/state/clock.ts'
import { sandboxLimits } from '../../mock/state/limits.ts'
import { sandboxName } from '../../sandbox/controls/sandboxes.ts'
import { scenarioName } from '../../sandbox/controls/scenarios.ts'
import { defaultMaxSandboxes } from '../../sandbox/sandbox-pool.ts'
import { defaultPort, serverLimits } from '../../server/server-options.ts'
import { offByDefault, optionalPath, settings, textList } from '../option-schemas.ts'

/** Config file that is read from the current folder if it exists. */
export const defaultConfigFile = 'petstore-sandbox.config.json'

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
  'Value of a gap, as name=value; may be repeated; the command gaps lists them',
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
    'tls-cert': optionalPath('Certificate in PEM, to serve https; with --tls-key'),
    'tls-key': optionalPath('Private key of the certificate, in PEM'),
    'allowed-host': withDefault(
      described(
        'Host name that control requests may use, besides localhost; may be repeated',
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
      'JSON file { "pets", "keys" }, or a folder with pets.json and keys.json',
      "the package's",
    ),
    watch: offByDefault('Reload the seed file when it changes'),
    pets: optional(described('Number of pets to generate', integer(0, 100_000))),
    'random-seed': withDefault(described('Seed for everything random', integer(0, 2 ** 32 - 1)), 1),
  },
  Clock: {
    clock: optional(
      described('Instant to start at, such as 2030-12-04T23:59:00Z', instant, {
        default: 'now',
      }),
    ),
    frozen: offByDefault('Start with a frozen clock'),
    'clock-speed': optional(
      described('Speed of the clock, such as 60 for a minute each second', clockSpeed),
    ),
  },
  Behaviour: {
    gap: withDefault(gapChoices, {}),
    'rate-limits': withDefault(
      described('Enforce rate limits, or only count and show them', rateLimitMode),
      'enforce',
    ),
    scenario: withDefault(
      described('Scenario to start with; may be repeated', textList(scenarioName)),
      [],
    ),
    limit: withDefault(
      settings(
        processLimits,
        'Limit, as name=number, such as connections=2000; may be repeated',
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
    state: optionalPath('State file, read at the start and saved at a graceful stop'),
    capture: optionalPath('File for a capture of the default sandbox, written at the end'),
    'max-requests': withDefault(
      described('Maximum number of requests that each sandbox keeps', integer(0, 1_000_000)),
      defaultMaxRequests,
    ),
    'request-log-bytes': withDefault(
      described('Maximum bytes of the requests in all sandboxes; the oldest go first', byteCount),
      sharedLimits.parse({}).requestLogBytes,
    ),
    coverage: offByDefault('Record coverage from the first request on'),
  },
  Program: {
    log: withDefault(described('Format of the log', oneOf(['pretty', 'json', 'silent'])), 'pretty'),
    open: offByDefault('Open the console in the browser'),
    static: optionalPath('Folder with a built frontend to serve at the same address'),
    config: optionalPath(
      'JSON file with any of these options',
      `${defaultConfigFile}, if it exists`,
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
