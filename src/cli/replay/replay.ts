import {
  type HowToReplay,
  minimizeCapture,
  type ReplayDifference,
  type ReplayResult,
  replayCapture,
  stepsUntil,
} from '../../checks/replay/replay-capture.ts'
import { vitestForm } from '../../checks/replay/vitest-form.ts'
import { countText, printable } from '../../checks/reports/text.ts'
import { captureFile, type earlierRequests, type ReadCapture } from '../../mock/controls/reports.ts'
import { definedOf } from '../../mock/input/record.ts'
import type { Input } from '../../mock/input/schema.ts'
import { formatInstant, instant } from '../../mock/input/values.ts'
import { SandboxPool } from '../../mock/sandbox-pool.ts'
import { playedSandbox } from '../../mock/sandbox-runs.ts'
import { gapSettings } from '../../mock/spec/gaps.ts'
import { toJson } from '../../mock/spec/json.ts'
import { CliError } from '../cli-error.ts'
import { writeFile } from '../files.ts'
import type { ReplayOptions } from '../options.ts'
import { programLine } from '../program.ts'
import { createLog } from '../serve/log.ts'
import { announce, toldToStop } from '../serve/serve.ts'
import { readServeSettings, type ServeSettings } from '../serve/serve-settings.ts'
import { listen, stopPretenuring } from '../serve/start-serving.ts'
import { settingsFrom } from '../settings.ts'
import { report } from '../terminal.ts'
import { readCapture } from './captures.ts'

/**
 * Replays a file of `capture` and prints the first reply that differs; or serves it, or prints it as a test.
 *
 * @returns The exit code: 1 where a reply differs.
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
  const choices = gapSettings.parse(settingsFrom(gapSettings, gap, 'banStatus=403'))
  const how = { until, other: gap.length === 0 ? undefined : definedOf(choices) }
  const capture = await readCapture(file)
  if (until !== undefined) expectRequest(until, file, capture)
  const print = (text: string): void => void stdout.write(`${text}\n`)
  if (serve) {
    const given: Record<string, string> = port === undefined ? {} : { port: String(port) }
    await serveCapture(capture, how, await readServeSettings(given, process.env), version)
    return 0
  }
  if (form !== undefined && !minimize) {
    print(vitestForm(cut(capture, until)))
    return 0
  }
  const result = await replayCapture(capture, how)
  const { difference } = result
  if (minimize && difference !== undefined) {
    const small = await minimizeTo(minimizedName(file), capture, difference, how)
    print(form === undefined ? resultText(small.result, options) : vitestForm(small.capture))
    report(small.note)
    return 1
  }
  print(resultText(result, options))
  if (minimize) {
    const hint = gap.length > 0 ? 'try another choice' : 'add --gap to compare with another choice'
    report(`Nothing to minimize: no reply differs; ${hint}`)
  } else if (capture.earlier !== undefined) report(earlierText(capture.earlier))
  return difference === undefined ? 0 : 1
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

function resultText(result: ReplayResult, { json, gap }: ReplayOptions): string {
  return json ? JSON.stringify(result) : replayText(result, gap)
}

function minimizedName(file: string): string {
  return file.replace(/((?:\.petstore)?\.json)?$/, '.min$1')
}

/** Writes the fewest steps that show a difference to a file. */
async function minimizeTo(
  file: string,
  capture: ReadCapture,
  difference: ReplayDifference,
  how: HowToReplay,
) {
  const small = await minimizeCapture(capture, difference, how)
  writeFile(file, `${toJson(captureFile.encode(small.capture))}\n`, 0o644)
  const cutOff = small.isSmallest ? '' : '; there may be fewer, since the search took too long'
  return {
    capture: small.capture,
    result: { exchanges: requestsOf(small.capture).length, difference: small.difference },
    note: `${file} has ${small.capture.steps.length} of ${capture.steps.length} steps${cutOff}`,
  }
}

/**
 * Says in words what came of a replay.
 *
 * @param choices The other choices that it compared with, such as `banStatus=403`.
 */
function replayText({ exchanges, difference }: ReplayResult, choices: readonly string[]): string {
  if (difference !== undefined) return differenceText(difference, choices)
  const match = exchanges === 1 ? 'the only reply matches' : `all ${exchanges} replies match`
  return underChoices(`${match} the capture`, choices)
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
  const request = `${printable(method)} ${printable(url)}`
  const text = underChoices(`request ${number} gets a different reply: ${request}`, choices)
  return [text, ...lines].join('\n')
}

/** Begins a sentence with the other choices under which it is true. */
function underChoices(text: string, choices: readonly string[]): string {
  if (choices.length > 0) return `With ${printable(choices.join(', '))}, ${text}`
  return text.replace(/^./, (first) => first.toUpperCase())
}

function valueText(value: string | undefined): string {
  return value === undefined ? 'none' : printable(value)
}

/** Says that what is known of a sandbox doesn't reach back to its beginning. */
export function earlierText({ exchanges, until }: Input<typeof earlierRequests>): string {
  return `Forgotten: ${countText(exchanges, 'request')} before ${formatInstant(instant.parse(until))}; this begins with what the sandbox held then`
}

/**
 * Serves a sandbox to which was done what a capture has, until the process is told to stop.
 *
 * @throws {@link CliError} when it can't listen.
 */
async function serveCapture(
  capture: ReadCapture,
  how: HowToReplay,
  settings: ServeSettings,
  version: string,
): Promise<void> {
  const stopped = toldToStop()
  stopPretenuring()
  const { sandbox, exchanges } = await playedSandbox(capture, how)
  const pool = new SandboxPool()
  const { stdout } = process
  const log =
    settings.log === 'silent' ? undefined : createLog(settings.log, stdout, { sandbox, pool })
  const server = await listen(settings, { sandbox, pool, onExchange: log?.add })
  announce(server, settings, version)
  if (settings.log === 'pretty') stdout.write(stateText(exchanges))
  await stopped
  await server.close()
  log?.flush()
}

function stateText(exchanges: number): string {
  return `  As it was after ${countText(exchanges, 'request')}. The clock stands still; ${programLine('clock resume')} lets it run.\n\n`
}
