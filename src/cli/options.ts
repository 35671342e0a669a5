import { severities } from '../checks/audit/finding.ts'
import { timeout } from '../client/remote.ts'
import { object, optional, type ReadOf, withDefault } from '../mock/input/object.ts'
import { described, type Output } from '../mock/input/schema.ts'
import {
  bearerToken,
  durationFrom,
  flag,
  integer,
  number,
  oneOf,
  text,
} from '../mock/input/values.ts'
import { requestFilter } from '../mock/log/request-view.ts'
import { defaultPort } from '../server/server-options.ts'
import { conditionNames } from './check/conditions.ts'
import { offByDefault, optionalPath, textList, withUnit } from './option-schemas.ts'
import { serveOptions } from './serve/serve-options.ts'
import { reportTargets } from './write-reports.ts'

/** Default address of a running sandbox. */
export const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** Options by which a command finds a running sandbox. */
export const remoteOptions = object({
  url: optional(
    described('Address of the sandbox', text(), {
      default: `$PETSTORE_SANDBOX_URL or ${defaultUrl}`,
    }),
  ),
  sandbox: optional(described('Name of one of its sandboxes', text())),
  'control-token': optional(
    described('Token of its control API', bearerToken, {
      default: '$PETSTORE_SANDBOX_CONTROL_TOKEN',
    }),
  ),
  timeout: optional(
    described('Maximum time to wait for its response, such as 5m', withUnit(timeout), {
      default: '30s',
    }),
  ),
  json: offByDefault('Print JSON'),
  quiet: offByDefault('Print only the name or id of what was created'),
})

/** Address of a running sandbox, and the format of output. */
export type RemoteOptions = ReadOf<typeof remoteOptions.properties>

const { quiet: _quiet, ...asking } = remoteOptions.properties

const { json: _json, ...place } = asking

/** Options of a command that changes nothing. */
export const askingOptions = object(asking)

/** Flag that prints lists in full. */
export const allOption = offByDefault('Print long lists in full')

/** Options about reports. */
const reportOptions = {
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
  json: offByDefault('Print JSON, as with --report json'),
  all: allOption,
} as const

const { afterId, ...filters } = requestFilter.properties

/** Options of `requests`. */
export const requestsOptions = object({
  ...asking,
  follow: offByDefault('Print new requests as they arrive'),
  har: offByDefault("Print a HAR file, for a browser's developer tools"),
  all: allOption,
  ...filters,
  'after-id': afterId,
})

/** Options of `gaps`. */
export const gapsOptions = object({
  ...asking,
  all: allOption,
})

export type GapsOptions = ReadOf<typeof gapsOptions.properties>

export type RequestsOptions = ReadOf<typeof requestsOptions.properties>

const resultOptions = {
  'fail-on': withDefault(
    described('Lowest severity of a finding that makes the exit code 4', oneOf(severities)),
    'error',
  ),
  ...reportOptions,
} as const

/** Options of `findings`. */
export const findingsOptions = object({
  ...resultOptions,
  config: optionalPath(
    'JSON file with the exceptions',
    'petstore-sandbox.config.json, if it exists',
  ),
  ...place,
})

export type FindingsOptions = Output<typeof findingsOptions>

const serve = serveOptions.properties

/** Options for the sandbox of each run, as in `exec`. */
export const exploredOptions = object({
  'seed-file': serve['seed-file'],
  pets: serve.pets,
  'random-seed': serve['random-seed'],
  clock: serve.clock,
  frozen: serve.frozen,
  'clock-speed': serve['clock-speed'],
  gap: serve.gap,
  'rate-limits': serve['rate-limits'],
  scenario: serve.scenario,
  limit: serve.limit,
  sandbox: serve.sandbox,
  'auto-create': serve['auto-create'],
  'max-requests': serve['max-requests'],
  config: serve.config,
})

/** Names of all checks: the first run, the failure conditions, the search for hidden assumptions. */
export const checkNames = ['baseline', ...conditionNames, 'assumptions'] as const

/** Name of a check. */
export type CheckName = (typeof checkNames)[number]

const names = textList(oneOf(checkNames))

/** Maximum timeout of a Node timer, in whole days. */
const longestTimeoutMs = 24 * 86_400_000

/** Options of `check` alone. */
export const checkOptions = object({
  full: offByDefault('Also run each failure condition, and search for hidden assumptions'),
  assumptions: offByDefault('Search for hidden assumptions alone'),
  only: optional(described('Checks to run alone; may be repeated', names)),
  skip: withDefault(described('Checks to skip, with --full; may be repeated', names), []),
  from: withDefault(
    described(
      'Folder to report on, the PETSTORE_CHECK_DIR of earlier tests; may be repeated',
      textList(text()),
    ),
    [],
  ),
  'fail-on': resultOptions['fail-on'],
  'min-coverage': optional(
    described(
      'Minimum percentage of documented situations to exercise; below it, the exit code is 4',
      number('a percentage from 0 to 100', { minimum: 0, maximum: 100 }),
    ),
  ),
  baseline: optionalPath('Earlier JSON report; fail only on what is new, or gone'),
  jobs: optional(
    described('Maximum number of runs at a time, up to 64', integer(1, 64), {
      default: 'as many as the processors can carry',
    }),
  ),
  timeout: optional(
    described(
      'Maximum time of a run under a failure condition, such as 60s',
      withUnit(durationFrom(1, longestTimeoutMs)),
      { default: 'three times that of a run without' },
    ),
  ),
  junit: optionalPath(
    'JUnit XML file that the command writes, to report each test; {row} is the number of the run, and without it, runs are sequential',
  ),
  ...reportOptions,
})

export type CheckOptions = Output<typeof checkOptions>

/** Options of `replay`. */
export const replayOptions = object({
  until: optional(described('Number of the last request to replay', integer(0, 1e9))),
  format: optional(described('Print the capture in another form', oneOf(['vitest']))),
  serve: offByDefault('Serve the sandbox as it was after the last request'),
  port: optional(
    described('Port to serve it on; 0 for any free port', integer(0, 65_535), {
      default: 'as for serve',
    }),
  ),
  json: offByDefault('Print JSON'),
})

export type ReplayOptions = ReadOf<typeof replayOptions.properties>

/** Options of `open`. */
export const openOptions = object({
  to: optionalPath('Folder to write the page to, instead of showing it'),
  port: withDefault(described('Port to show it on; 0 for any free port', integer(0, 65_535)), 0),
  browser: withDefault(
    described('Open the browser; --no-browser only prints the address', flag),
    true,
  ),
  json: offByDefault('Print the file and its address as JSON'),
})

/** Options of `calibrate`. */
export const calibrateOptions = object({
  'base-url': optional(
    described('Address of the API, such as https://api.example.com/v1', text(), {
      default: "found from the requests' paths",
    }),
  ),
  ...reportOptions,
  write: optionalPath('Config file to add the confirmed values to'),
  baseline: optionalPath('Earlier JSON report; fail only on changes since'),
})
