import { countText, cut, formatTable, printable, wrap } from '../checks/reports/text.ts'
import { settingsFrom } from '../client/actions/words.ts'
import { gapNames, gapSettings, gaps } from '../mock/api/gaps.ts'
import { toJson } from '../mock/api/json.ts'
import type {
  ReplayedResponse,
  WhatIf,
  WhatIfOptions,
  WhatIfResult,
} from '../sandbox/controls/reports.ts'
import { playedSandbox } from '../sandbox/sandbox-runs.ts'
import type { ChosenWhatIf } from './options.ts'
import { atSandbox } from './remote/connect.ts'
import { readCapture } from './replay/captures.ts'
import { droppedText } from './replay/replay.ts'
import { firstLines } from './terminal.ts'

/**
 * Prints which responses other gap values would have changed: in a running sandbox, or in a capture.
 *
 * @param words Gap values to try, such as `banAfter=3`; each other value of each gap in turn if there are none.
 * @throws {@link CliError} for a sandbox that can't be reached, a file that can't be read, or a request that doesn't
 * exist.
 */
export async function showWhatIf(
  words: readonly string[],
  options: ChosenWhatIf,
  stdout: NodeJS.WriteStream,
): Promise<void> {
  const { request, from, all, json } = options
  const isOne = words.length > 0
  const wanted: WhatIfOptions = {
    gaps: isOne ? settingsFrom(gapSettings, words, 'banAfter=3') : undefined,
    request,
    responses: options.responses || isOne,
  }
  const report =
    from === undefined
      ? await atSandbox(options, (client) => client.whatIf(wanted))
      : await whatIfIn(from, wanted)
  stdout.write(`${json ? toJson(report) : firstLines(whatIfText(report, isOne), all)}\n`)
}

async function whatIfIn(file: string, options: WhatIfOptions): Promise<WhatIf> {
  const { sandbox } = await playedSandbox(await readCapture(file), {})
  return await sandbox.whatIf(options)
}

/**
 * Writes a report as text.
 *
 * @param isOne Whether it is about given gap values: then the text mentions them even if they change nothing.
 */
export function whatIfText(report: WhatIf, isOne: boolean): string {
  const { requests, dropped, results } = report
  if (requests === 0 && dropped === undefined) return 'The sandbox has received no request yet'
  const parts = isOne ? results.map((one) => oneText(one, requests)) : allTexts(report)
  if (dropped !== undefined) parts.push(droppedText(dropped))
  return parts.join('\n\n')
}

function oneText(result: WhatIfResult, requests: number): string {
  if (result.changesResponse) return responsesText(result).join()
  const same = requests === 1 ? 'the response' : `the responses to all ${requests} requests`
  return `With ${valuesText(result)}, ${same} would be the same`
}

function allTexts(report: WhatIf): string[] {
  const changing = report.results.filter(({ changesResponse }) => changesResponse)
  const names = new Set(changing.flatMap(({ gaps: values }) => Object.keys(values)))
  const rest = gapNames.filter((name) => !names.has(name))
  const replayed = countText(report.requests, 'request')
  return [
    changing.length === 0
      ? `No other gap value would have changed a response (${replayed} replayed)`
      : `Gap values that would have changed a response (${replayed} replayed):\n\n${tableOf(changing, report)}`,
    ...changing.flatMap(responsesText),
    ...(rest.length === 0 ? [] : [restText(rest)]),
  ]
}

/** Width of the list of other gaps, in columns. */
const width = 80

function restText(names: readonly string[]): string {
  const lines = wrap(names.join(', '), width - 2).map((line) => `  ${line}`)
  return ['No other value of these gaps changes a response:', ...lines].join('\n')
}

function tableOf(changing: readonly WhatIfResult[], { unpromised }: WhatIf): string {
  const rows = changing.map((result) => {
    const [gap] = gapNames.filter((name) => name in result.gaps)
    const isPromised = gap !== undefined && !unpromised.includes(gap)
    return [
      valuesText(result),
      String(result.firstRequest ?? ''),
      isPromised ? gaps[gap].spec : 'never promised',
    ]
  })
  return formatTable([['value', 'first request', 'left open by clause'], ...rows])
}

function valuesText({ gaps: values }: WhatIfResult): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}

function responsesText(result: WhatIfResult): string[] {
  const { firstRequest, responses } = result
  if (responses === undefined) return []
  const { method, url, actual, alternative } = responses
  return [
    [
      `With ${valuesText(result)}, request ${firstRequest} gets another response: ${printable(method)} ${printable(url)}`,
      `  now      ${responseText(actual)}`,
      `  instead  ${responseText(alternative)}`,
      ...headerChanges(actual, alternative).map((change) => `           ${change}`),
    ].join('\n'),
  ]
}

/** Maximum length of a printed body, in characters. */
const shownBody = 200

function responseText({ kind, status, body = '' }: ReplayedResponse): string {
  if (status === undefined) return kind
  return printable(`${status} ${cut(body, shownBody)}`)
}

/** Lists the headers that differ. */
function headerChanges(actual: ReplayedResponse, alternative: ReplayedResponse): string[] {
  const [old, other] = [actual.headers ?? {}, alternative.headers ?? {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(other)])]
  return names
    .filter((name) => old[name] !== other[name])
    .map((name) => printable(`${name}: ${old[name] ?? 'none'} → ${other[name] ?? 'none'}`))
}
