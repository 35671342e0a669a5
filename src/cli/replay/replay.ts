import { countText, printable, printableJson } from '../../checks/reports/text.ts'
import type { Input } from '../../mock/input/schema.ts'
import { formatInstant, instant } from '../../mock/input/values.ts'
import type { droppedRequests, ReadCapture } from '../../sandbox/controls/captures.ts'
import { playedSandbox } from '../../sandbox/played-sandbox.ts'
import {
  type HowToReplay,
  type ReplayDifference,
  type ReplayResult,
  replayCapture,
  stepsUntil,
} from '../../sandbox/replay/replay-capture.ts'
import { vitestForm } from '../../sandbox/replay/vitest-form.ts'
import { SandboxPool } from '../../sandbox/sandbox-pool.ts'
import { CliError } from '../cli-error.ts'
import type { ReplayOptions } from '../options.ts'
import { programLine } from '../program.ts'
import { createLog } from '../serve/log.ts'
import { announce, stopRequested } from '../serve/serve.ts'
import { readServeSettings, type ServeSettings } from '../serve/serve-settings.ts'
import { listen, stopPretenuring } from '../serve/start-serving.ts'
import { report } from '../terminal.ts'
import { readCapture } from './captures.ts'

/**
 * Replays a capture file and prints the first response that differs; or starts a server with it, or prints it as a
 * test.
 *
 * @returns The exit code: 1 if a response differs.
 * @throws {@link CliError} for a file that can't be read, or options that exclude each other.
 */
export async function replay(
  file: string,
  options: ReplayOptions,
  stdout: NodeJS.WriteStream,
  version: string,
): Promise<0 | 1> {
  expectFitting(options)
  const { until, format: form, serve, port } = options
  const how = { until }
  const capture = await readCapture(file)
  if (until !== undefined) expectRequest(until, file, capture)
  const print = (text: string): void => void stdout.write(`${text}\n`)
  if (serve) {
    const given: Record<string, string> = port === undefined ? {} : { port: String(port) }
    await serveCapture(capture, how, await readServeSettings(given, process.env), version)
    return 0
  }
  if (form !== undefined) {
    print(vitestForm(cut(capture, until)))
    return 0
  }
  const result = await replayCapture(capture, how)
  const { difference } = result
  print(options.json ? printableJson(JSON.stringify(result)) : replayText(result))
  if (capture.dropped !== undefined) report(droppedText(capture.dropped))
  return difference === undefined ? 0 : 1
}

/** Pairs of options that exclude each other, with the reason. */
const exclusive: readonly (readonly [keyof ReplayOptions, keyof ReplayOptions, string])[] = [
  ['serve', 'format', 'it prints nothing'],
  ['serve', 'json', 'it prints no result'],
  ['format', 'json', 'it prints no result'],
]

/** @throws {@link CliError} for options that exclude each other. */
function expectFitting(options: ReplayOptions): void {
  const isGiven = (name: keyof ReplayOptions): boolean =>
    options[name] !== undefined && options[name] !== false
  for (const [one, other, why] of exclusive) {
    if (!isGiven(one) || !isGiven(other)) continue
    throw new CliError(`Cannot use --${one} with --${other}: ${why}; use one of them`, 2)
  }
  if (isGiven('port') && !options.serve) {
    throw new CliError('Cannot use --port without --serve; add --serve', 2)
  }
}

function requestsOf({ steps }: ReadCapture) {
  return steps.filter((step) => step.do === 'request')
}

/** @throws {@link CliError} if the capture doesn't have this request. */
function expectRequest(until: number, file: string, capture: ReadCapture): void {
  const numbers = requestsOf(capture).map(({ number }) => number)
  if (numbers.includes(until)) return
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  const found = numbers.length === 0 ? 'no request' : `requests ${first} to ${last}`
  throw new CliError(`Cannot replay until request ${until}: ${file} has ${found}`, 2)
}

/** Removes the steps after a request, by its number. */
function cut(capture: ReadCapture, until: number | undefined): ReadCapture {
  return until === undefined ? capture : { ...capture, steps: stepsUntil(capture.steps, until) }
}

/** Writes the result of a replay as text. */
function replayText({ requests, difference }: ReplayResult): string {
  if (difference !== undefined) return differenceText(difference)
  if (requests === 0) return 'The capture has no requests'
  const match = requests === 1 ? 'The only response matches' : `All ${requests} responses match`
  return `${match} the capture`
}

function differenceText({ number, method, url, changes }: ReplayDifference): string {
  const lines = changes.flatMap(({ field, expected, found }) => [
    `  ${printable(field)}`,
    `    then  ${valueText(expected)}`,
    `    now   ${valueText(found)}`,
  ])
  const request = `${printable(method)} ${printable(url)}`
  return [`Request ${number} gets a different response: ${request}`, ...lines].join('\n')
}

function valueText(value: string | undefined): string {
  return value === undefined ? 'none' : printable(value)
}

/** Writes a note that the log doesn't reach back to the sandbox's beginning. */
export function droppedText({ requests, before }: Input<typeof droppedRequests>): string {
  return `No longer in the log: ${countText(requests, 'request')} before ${formatInstant(instant.parse(before))}; the replay starts from the state at that time`
}

/**
 * Runs a server with the sandbox at the end of a capture, until it is stopped.
 *
 * @throws {@link CliError} if it can't listen.
 */
async function serveCapture(
  capture: ReadCapture,
  how: HowToReplay,
  settings: ServeSettings,
  version: string,
): Promise<void> {
  const stopped = stopRequested()
  stopPretenuring()
  const { sandbox, requests } = await playedSandbox(capture, how)
  const pool = new SandboxPool()
  const { stdout } = process
  const log =
    settings.log === 'silent' ? undefined : createLog(settings.log, stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, onRequest: log?.add })
  announce(server, settings, version)
  if (settings.log === 'pretty') stdout.write(stateText(requests))
  await stopped
  await server.close()
  log?.flush()
}

function stateText(requests: number): string {
  return `  As it was after ${countText(requests, 'request')}. The clock stands still; ${programLine('clock resume')} lets it run.\n\n`
}
