import { gapSettings } from '../../contract/gap-settings.ts'
import { toJson } from '../../contract/json.ts'
import { captureFile, type ReadCapture } from '../../control/reports/capture-file.ts'
import { minimizeCapture, stepsUntil } from '../../explore/capture/minimize-capture.ts'
import {
  type HowToReplay,
  type ReplayResult,
  replayCapture,
} from '../../explore/capture/replay-capture.ts'
import { definedOf } from '../../input/record.ts'
import { writeFile } from '../files/write-file.ts'
import { CliError } from '../terminal/cli-error.ts'
import { report } from '../terminal/report.ts'
import { settingsFrom } from '../usage/settings.ts'
import { earlierText } from './earlier-text.ts'
import { readCapture } from './read-capture.ts'
import type { ReplayOptions } from './replay-options.ts'
import { replayText } from './replay-text.ts'
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
    const { serveCapture } = await import('./serve-capture.ts')
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
