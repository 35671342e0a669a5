import { severities } from '../checks/audit/finding.ts'
import { timeout } from '../client/remote.ts'
import { object, optional, type ReadOf, withDefault } from '../mock/input/object.ts'
import { described, type Given, type Read } from '../mock/input/schema.ts'
import {
  bearerToken,
  durationFrom,
  flag,
  number,
  oneOf,
  text,
  whole,
} from '../mock/input/values.ts'
import { journalFilter } from '../mock/log/request-view.ts'
import { gapSettings } from '../mock/spec/gaps.ts'
import { defaultPort } from '../server/server-options.ts'
import { runCheckNames } from './exam/checks.ts'
import { serveOptions } from './serve/serve-settings.ts'
import {
  offByDefault,
  optionalPath,
  settingList,
  settings,
  splitText,
  textList,
} from './settings.ts'
import { reportTargets } from './write-reports.ts'

/** Where a sandbox is served unless it is told otherwise. */
export const defaultUrl = `http://127.0.0.1:${defaultPort}`

/** The options by which a command finds a running sandbox. */
export const remoteOptions = object({
  url: optional(
    described('Where the sandbox is served', text(), {
      format: 'url',
      default: `$PETSTORE_SANDBOX_URL or ${defaultUrl}`,
    }),
  ),
  sandbox: optional(described('Name of one of its sandboxes', text())),
  'control-token': optional(
    described('Token of its control API', bearerToken, {
      format: 'token',
      default: '$PETSTORE_SANDBOX_CONTROL_TOKEN',
    }),
  ),
  timeout: optional(
    described('Maximum time to wait for its response, such as 5m', timeout, {
      format: 'duration',
      default: '30s',
    }),
  ),
  json: offByDefault('Print JSON'),
  quiet: offByDefault('Print only the name or id of what was created'),
})

/** Where a running sandbox is, and how to print its answer. */
export type RemoteOptions = ReadOf<typeof remoteOptions.properties>

const { quiet: _quiet, ...asking } = remoteOptions.properties

const { json: _json, ...place } = asking

/** The options of a command that changes nothing. */
export const askingOptions = object(asking)

/** Asks for the whole of a list. */
export const allOption = offByDefault('Print long lists in full')

/** The reports to write. */
const reportOptions = {
  report: withDefault(reportTargets, [{ format: 'pretty', file: undefined }]),
  json: offByDefault('Print JSON, as with --report json'),
  all: allOption,
} as const

/** The options of `requests`. */
export const requestsOptions = object({
  ...asking,
  follow: offByDefault('Keep printing new requests as they arrive'),
  har: offByDefault("Print HAR 1.2, for a browser's developer tools"),
  all: allOption,
  ...journalFilter.properties,
})

/** The options of `gaps`. */
export const gapsOptions = object({
  ...asking,
  matter: offByDefault('List the choices that would have changed a reply of a running sandbox'),
  replies: offByDefault('With --matter: print the replies, too'),
  all: allOption,
})

export type GapsOptions = ReadOf<typeof gapsOptions.properties>

export type RequestsOptions = ReadOf<typeof requestsOptions.properties>

const verdict = {
  'fail-on': withDefault(
    described('Lowest severity of a finding that makes the exit code 4', oneOf(severities), {
      format: 'severity',
    }),
    'error',
  ),
  'one-client': offByDefault(
    'Judge each key as a single client, even if it has several requests under way at once',
  ),
  ...reportOptions,
} as const

/** The options of `audit`. */
export const auditCommandOptions = object({
  ...verdict,
  config: optionalPath(
    'JSON file with the audit exceptions',
    'petstore-sandbox.config.json, if it exists',
  ),
  ...place,
})

export type AuditCommandOptions = Read<typeof auditCommandOptions>

/** The options that `exec` has beside those of `serve`. */
export const execAuditOptions = object({
  audit: offByDefault('Report the rules of the interface that the command broke'),
  ...verdict,
})

export type ExecAuditOptions = Read<typeof execAuditOptions>

const percentage = optional(number('a percentage from 0 to 100', { minimum: 0, maximum: 100 }))

/** The minimum coverage of each tier, in percent. */
const thresholds = object(
  { outcomes: percentage, values: percentage, situations: percentage, gaps: percentage },
  { title: 'fail-under', example: '{ "outcomes": 100 }' },
)

export type Thresholds = Given<typeof thresholds>

/** Thresholds as `tier=percentage`, several with commas. */
const thresholdWords = settings(
  thresholds,
  'Minimum coverage of a tier, as tier=percentage; below it the exit code is 4; may be repeated',
  'outcomes=100',
)

/** The options of `coverage`. */
export const coverageOptions = object({
  'fail-under': withDefault(thresholdWords, {}),
  ...reportOptions,
  ...place,
})

export type CoverageOptions = Read<typeof coverageOptions>

const serve = serveOptions.properties

/** The options that say how the sandbox of each run begins, as with `exec`. */
export const exploredOptions = object({
  'seed-file': serve['seed-file'],
  pets: serve.pets,
  seed: serve.seed,
  clock: serve.clock,
  frozen: serve.frozen,
  scale: serve.scale,
  gap: serve.gap,
  'rate-limit': serve['rate-limit'],
  scenario: serve.scenario,
  limit: serve.limit,
  config: serve.config,
})

/** The options that only `explore` has. */
export const explorerOptions = object({
  strength: withDefault(
    described('How many gaps are tried together in every combination: 2 or 3', whole(2, 3)),
    2,
  ),
  jobs: optional(
    described('How many runs at a time, at most 64', whole(1, 64), {
      default: 'as many as the processors can carry, going by the first runs',
    }),
  ),
  'every-gap': offByDefault(
    'Also try gaps where no reply would change, and those the interface does not guarantee',
  ),
  junit: optionalPath(
    'File to which the command writes JUnit XML, to tell tests apart; {row}, there and in the command, stands for the number of the run; without {row}, one run starts after the other',
  ),
  baseline: optionalPath('Earlier JSON report; fail only on new dependencies'),
  ...reportOptions,
})

export type ExplorerOptions = Read<typeof explorerOptions>

/** The names of all checks; the first one and the last two need no run for them alone, or many. */
export const checkNames = ['manners', ...runCheckNames, 'coverage', 'explore'] as const

/** The name of a check. */
export type CheckName = (typeof checkNames)[number]

const { jobs, junit } = explorerOptions.properties

const names = textList(oneOf(checkNames))

const checkList = { format: 'check,…' } as const

/** How long a run may take at most, which is what a timer of Node can wait for, in whole days. */
const longestPatienceMs = 24 * 86_400_000

/** The options that only `exam` has. */
export const examinerOptions = object({
  only: optional(described('Run these checks alone; may be repeated', names, checkList)),
  skip: withDefault(described('Skip these checks; may be repeated', names, checkList), []),
  jobs,
  patience: optional(
    described(
      'How long a run of a check may take, such as 60s',
      durationFrom(1, longestPatienceMs),
      {
        format: 'duration',
        default: 'three times a baseline run',
      },
    ),
  ),
  junit,
  badge: optionalPath('File to write a badge to, in SVG'),
  ...reportOptions,
})

export type ExaminerOptions = Read<typeof examinerOptions>

const gapWords = settingList(
  gapSettings,
  'Replay under another choice, too, as name=choice, and compare; may be repeated',
)

/** The options of `replay`. */
export const replayOptions = object({
  until: optional(described('Number of the last request to replay', whole(0, 1e9))),
  gap: withDefault(
    { ...gapWords, read: (found) => gapWords.read([found].flat().flatMap(splitText)) },
    [],
  ),
  minimize: offByDefault(
    'Find the fewest steps that show the difference, and write them to a file beside the capture',
  ),
  as: optional(
    described('Print the capture as a Vitest test instead', oneOf(['vitest']), { format: 'form' }),
  ),
  serve: offByDefault('Serve the sandbox as it was after the last request'),
  port: optional(
    described('Port to serve it on; 0 for any free port', whole(0, 65_535), {
      default: 'as for serve',
    }),
  ),
  json: offByDefault('Print JSON'),
})

export type ReplayOptions = ReadOf<typeof replayOptions.properties>

/** The options of `open`. */
export const openOptions = object({
  port: withDefault(described('Port to show it on; 0 for any free port', whole(0, 65_535)), 0),
  browser: withDefault(
    described('Open the browser; --no-browser only prints the address', flag),
    true,
  ),
  json: offByDefault('Print the file and its address as JSON'),
})

/** The options of `calibrate`. */
export const calibrateOptions = object({
  'base-url': optional(
    described('Where the API is, such as https://api.example.com/v1', text(), {
      format: 'url',
      default: "found from the requests' paths",
    }),
  ),
  ...reportOptions,
  write: optionalPath('Config file to which to add the choices found'),
  baseline: optionalPath('Earlier JSON report; fail only on changes since'),
})
