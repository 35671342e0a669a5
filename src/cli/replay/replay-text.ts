import type { ReplayDifference, ReplayResult } from '../../explore/capture/replay-capture.ts'
import { printable } from '../../reports/text.ts'

/**
 * Says in words what came of a replay.
 *
 * @param choices The other choices that it compared with, such as `banStatus=403`.
 */
export function replayText(
  { exchanges, difference }: ReplayResult,
  choices: readonly string[],
): string {
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
