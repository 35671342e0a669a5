import { gapSettings } from '../../contract/gap-settings.ts'
import { toJson } from '../../contract/json.ts'
import { captureFile, type earlierRequests, type ReadCapture } from '../../control/reports.ts'
import { minimizeCapture, stepsUntil } from '../../explore/capture/minimize-capture.ts'
import {
  type HowToReplay,
  type ReplayDifference,
  type ReplayResult,
  replayCapture,
} from '../../explore/capture/replay-capture.ts'
import { formatInstant, instant } from '../../input/instant.ts'
import { definedOf } from '../../input/record.ts'
import type { Given } from '../../input/schema.ts'
import { printable } from '../../reports/text.ts'
import { SandboxPool } from '../../sandbox-pool.ts'
import { CliError } from '../cli-error.ts'
import { writeFile } from '../files.ts'
import type { ReplayOptions } from '../options.ts'
import { stopSignal } from '../processes.ts'
import { createLog } from '../serve/log.ts'
import { announce, parentGone } from '../serve/serve.ts'
import { readServeSettings } from '../serve/serve-settings.ts'
import { listen, stopPretenuring } from '../serve/start-serving.ts'
import { settingsFrom } from '../settings.ts'
import { report } from '../terminal.ts'
import { playedSandbox, readCapture } from './captures.ts'
import { vitestForm } from './vitest-form.ts'

/**
 * Replays a file of `capture` and prints the first reply that isn't as it was; or serves it, or prints it as a test.
 *
 * @returns The exit code: 1 where a reply is another one.
 * @throws {@link CliError} for a file that can't be read, or options that exclude each other.
 */
export async function replay(
  file: string,
  options: ReplayOptions,
  stdout: NodeJS.WriteStream,
  version: string,
): Promise<0 | 1> {
  expectFitting(options)
  const { until, gap, as: form, minimize, serve, port } = options
  const choices = gapSettings.read(settingsFrom(gapSettings, gap, 'banStatus=403'))
  const how = { until, other: gap.length === 0 ? undefined : definedOf(choices) }
  const capture = await readCapture(file)
  if (until !== undefined) expectRequest(until, file, capture)
  if (serve) {
    await serveCapture(capture, how, { port, version }, stdout)
    return 0
  }
  if (form !== undefined && !minimize) {
    stdout.write(`${vitestForm(cut(capture, until))}\n`)
    return 0
  }
  const result = await replayCapture(capture, how)
  if (minimize) return await showMinimized(file, capture, { result, how, options }, stdout)
  show(result, options, stdout)
  if (capture.earlier !== undefined) report(earlierText(capture.earlier))
  return result.difference === undefined ? 0 : 1
}

/** Options of which the second makes no sense with the first. */
const exclusive: readonly (readonly [keyof ReplayOptions, keyof ReplayOptions, string])[] = [
  ['serve', 'as', 'it prints nothing'],
  ['serve', 'minimize', 'it compares nothing'],
  ['serve', 'json', 'it prints no result'],
  ['as', 'json', 'it prints no result'],
]

/** @throws {@link CliError} for options that exclude each other. */
function expectFitting(options: ReplayOptions): void {
  const isGiven = (name: keyof ReplayOptions): boolean =>
    options[name] !== undefined && options[name] !== false
  for (const [one, other, why] of exclusive) {
    if (!isGiven(one) || !isGiven(other)) continue
    throw new CliError(`Cannot use --${one} with --${other}: ${why}; use one of them`, 2)
  }
  if (isGiven('as') && options.gap.length > 0 && !options.minimize) {
    throw new CliError(
      'Cannot use --as with --gap: it prints what was captured; add --minimize, or leave out --gap',
      2,
    )
  }
  if (isGiven('port') && !options.serve) {
    throw new CliError('Cannot use --port: nothing is served; add --serve', 2)
  }
}

function requestsOf({ steps }: ReadCapture) {
  return steps.filter((step) => step.do === 'request')
}

/** @throws {@link CliError} if the capture has no such request. */
function expectRequest(until: number, file: string, capture: ReadCapture): void {
  const numbers = requestsOf(capture).map(({ number }) => number)
  if (numbers.includes(until)) return
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)]
  const found = numbers.length === 0 ? 'no request' : `requests ${first} to ${last}`
  throw new CliError(`Cannot replay until request ${until}: ${file} has ${found}`, 1)
}

/** Leaves out what comes after a request, by its number. */
function cut(capture: ReadCapture, until: number | undefined): ReadCapture {
  return until === undefined ? capture : { ...capture, steps: stepsUntil(capture.steps, until) }
}

function show(
  result: ReplayResult,
  { json, gap }: ReplayOptions,
  stdout: NodeJS.WriteStream,
): void {
  stdout.write(`${json ? JSON.stringify(result) : replayText(result, gap)}\n`)
}

/** What was replayed, and what came of it. */
interface Replayed {
  readonly result: ReplayResult
  readonly how: HowToReplay
  readonly options: ReplayOptions
}

async function showMinimized(
  file: string,
  capture: ReadCapture,
  { result, how, options }: Replayed,
  stdout: NodeJS.WriteStream,
): Promise<0 | 1> {
  if (result.difference === undefined) {
    show(result, options, stdout)
    const hint =
      options.gap.length > 0 ? 'try another choice' : 'add --gap to compare with another choice'
    report(`Nothing to minimize: no reply differs; ${hint}`)
    return 0
  }
  const {
    capture: small,
    difference,
    isSmallest,
  } = await minimizeCapture(capture, result.difference, how)
  const target = file.replace(/((?:\.petstore)?\.json)?$/, '.min$1')
  writeFile(target, `${toJson(captureFile.write(small))}\n`, 0o644)
  const { as: form } = options
  if (form === undefined) show({ exchanges: requestsOf(small).length, difference }, options, stdout)
  else stdout.write(`${vitestForm(small)}\n`)
  const cutOff = isSmallest ? '' : '; there may be fewer, since the search took too long'
  report(`${target} has ${small.steps.length} of ${capture.steps.length} steps${cutOff}`)
  return 1
}

/**
 * Says in words what came of a replay.
 *
 * @param choices The other choices that it compared with, such as `banStatus=403`.
 */
function replayText({ exchanges, difference }: ReplayResult, choices: readonly string[]): string {
  if (difference !== undefined) return differenceText(difference, choices)
  const as = choices.length === 0 ? 'as' : `with ${printable(choices.join(', '))} as`
  return exchanges === 1
    ? `Its 1 request is answered ${as} it was`
    : `All ${exchanges} requests are answered ${as} they were`
}

function differenceText(
  { number, method, url, changes }: ReplayDifference,
  choices: readonly string[],
): string {
  const isChosen = choices.length > 0
  const [old, other] = isChosen ? ['without', 'with   '] : ['then', 'now ']
  const lines = changes.flatMap(({ field, expected, found }) => [
    `  ${printable(field)}`,
    `    ${old}  ${valueText(expected)}`,
    `    ${other}  ${valueText(found)}`,
  ])
  const otherwise = isChosen ? `otherwise with ${printable(choices.join(', '))}` : 'otherwise'
  const request = `${printable(method)} ${printable(url)}`
  return [`Request ${number} is answered ${otherwise}: ${request}`, ...lines].join('\n')
}

function valueText(value: string | undefined): string {
  return value === undefined ? 'none' : printable(value)
}

/** Says that what is known of a sandbox doesn't reach back to its beginning. */
export function earlierText({ exchanges, until }: Given<typeof earlierRequests>): string {
  const requests = exchanges === 1 ? '1 request' : `${exchanges} requests`
  return `Forgotten: ${requests} before ${formatInstant(instant.read(until))}; this begins with what the sandbox held then`
}

/** How a capture is served. */
interface HowToServe {
  /** 0 for any free port; otherwise as the command serve, with its variables and its config file. */
  readonly port: number | undefined
  readonly version: string
}

/**
 * Serves a sandbox to which was done what a capture has, until the process is told to stop.
 *
 * @throws {@link CliError} when it can't listen.
 */
async function serveCapture(
  capture: ReadCapture,
  how: HowToReplay,
  { port, version }: HowToServe,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const orphaned = parentGone(process.env)
  stopPretenuring()
  const given: Record<string, string> = port === undefined ? {} : { port: String(port) }
  const settings = await readServeSettings(given, process.env)
  const { sandbox, exchanges } = await playedSandbox(capture, how)
  const pool = new SandboxPool()
  const log =
    settings.log === 'silent' ? undefined : createLog(settings.log, stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, onExchange: log?.add })
  const stopped = Promise.race([stopSignal(), orphaned])
  announce(server, settings, version)
  if (settings.log === 'pretty') stdout.write(stateText(exchanges))
  await stopped
  await server.close()
  log?.flush()
}

function stateText(exchanges: number): string {
  const asked = exchanges === 1 ? 'its 1 request' : `${exchanges} requests`
  return `  As it was after ${asked}. The clock stands still; petstore-sandbox clock resume lets it run.\n\n`
}
