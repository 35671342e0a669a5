import { countText, cut, formatTable, printable, wrap } from '../../checks/reports/text.ts'
import type { ChoiceEffect, Counterfactual, OtherReply } from '../../mock/controls/reports.ts'
import { type GapName, gapDescriptions, gapNames, gaps, valuesText } from '../../mock/spec/gaps.ts'
import { toJson } from '../../mock/spec/json.ts'
import { CliError } from '../cli-error.ts'
import type { GapsOptions } from '../options.ts'
import { earlierText } from '../replay/replay.ts'
import { firstLines } from '../terminal.ts'
import { atSandbox } from './connect.ts'

/**
 * Prints what the interface leaves open; or, if asked, which choices matter to a running sandbox.
 *
 * @throws {@link CliError}
 */
export async function showGaps(options: GapsOptions, stdout: NodeJS.WriteStream): Promise<void> {
  if (options.matter) {
    await showMattering(options, stdout)
    return
  }
  if (options.replies) {
    throw new CliError('Cannot show replies of all gaps: --replies goes with --matter', 2)
  }
  const table = firstLines(gapTable(stdout.columns), options.all)
  stdout.write(`${options.json ? gapJson() : table}\n`)
}

function gapJson(): string {
  const rows = gapNames.map((name) => ({
    gap: name,
    spec: gaps[name].spec,
    choices: valuesText(gaps[name]).split(', '),
    about: gapDescriptions[name].about,
  }))
  return JSON.stringify(rows)
}

/**
 * Lists all gaps, with their choices, the default first.
 *
 * @param width The columns of the terminal; where a row needs more, what is left open is below it.
 */
export function gapTable(width: number = Number.POSITIVE_INFINITY): string {
  const rows = gapNames.map((name) => [
    name,
    gaps[name].spec,
    valuesText(gaps[name]),
    gapDescriptions[name].about,
  ])
  const table = formatTable([
    ['Gap', 'Spec', 'Choices, the default first', 'What is left open'],
    ...rows,
  ])
  if (table.split('\n').every(({ length }) => length <= width)) return table
  return rows
    .flatMap(([name, spec, choices, about]) => [
      name,
      ...[`${choices}`, `${about} Spec ${spec}.`]
        .flatMap((text) => wrap(text, width - indent.length))
        .map((line) => indent + line),
    ])
    .join('\n')
}

/** How far what stands below is set in. */
const indent = '   '

/**
 * Prints which choices would have changed a reply to what a running sandbox was asked.
 *
 * @throws {@link CliError}
 */
async function showMattering(options: GapsOptions, stdout: NodeJS.WriteStream): Promise<void> {
  const { replies, all } = options
  const report = await atSandbox(options, (client) => client.counterfactual({ replies }))
  stdout.write(`${options.json ? toJson(report) : firstLines(matteringText(report), all)}\n`)
}

/** A choice that would have changed a reply. */
interface Mattering {
  readonly gap: GapName
  readonly choice: string
  readonly effect: ChoiceEffect
}

/** Writes which choices matter, each with the first request that shows it. */
export function matteringText(report: Counterfactual): string {
  const { exchanges, earlier } = report
  if (exchanges === 0 && earlier === undefined) {
    return 'The sandbox has received no request since it began'
  }
  const found = matteringIn(report)
  const rest = gapNames.filter((name) => !found.some(({ gap }) => gap === name))
  const asked = countText(exchanges, 'request')
  const parts = [
    found.length === 0
      ? `No other choice would have changed a reply to its ${asked}`
      : `Choices that would have changed a reply (${asked} replayed):\n\n${tableOf(found, report)}`,
    ...found.flatMap(repliesText),
    ...(rest.length === 0 ? [] : [restText(rest)]),
    ...(earlier === undefined ? [] : [earlierText(earlier)]),
  ]
  return parts.join('\n\n')
}

/** How wide the list of the others is, in columns. */
const width = 80

function restText(names: readonly GapName[]): string {
  const lines = wrap(names.join(', '), width - 2).map((line) => `  ${line}`)
  return ['No other choice matters at these gaps:', ...lines].join('\n')
}

function matteringIn({ gaps: effects }: Counterfactual): readonly Mattering[] {
  return gapNames.flatMap((gap) =>
    Object.entries(effects[gap] ?? {})
      .filter(([, { matters }]) => matters)
      .map(([choice, effect]) => ({ gap, choice, effect })),
  )
}

function tableOf(found: readonly Mattering[], { unpromised }: Counterfactual): string {
  const rows = found.map(({ gap, choice, effect }) => [
    `${gap}=${choice}`,
    String(effect.first ?? ''),
    unpromised.includes(gap) ? 'never promised' : gaps[gap].spec,
  ])
  return formatTable([['choice', 'first request', 'left open by clause'], ...rows])
}

function repliesText({ gap, choice, effect }: Mattering): string[] {
  const { first, replies } = effect
  if (replies === undefined) return []
  const { method, url, before, instead } = replies
  return [
    [
      `${gap}=${choice}: request ${first}, ${printable(method)} ${printable(url)}`,
      `  now      ${replyText(before)}`,
      `  instead  ${replyText(instead)}`,
      ...headerChanges(before, instead).map((change) => `           ${change}`),
    ].join('\n'),
  ]
}

const shownBody = 200

function replyText({ kind, status, body = '' }: OtherReply): string {
  if (status === undefined) return kind
  return printable(`${status} ${cut(body, shownBody)}`)
}

/** The headers that differ. */
function headerChanges(before: OtherReply, instead: OtherReply): string[] {
  const [old, other] = [before.headers ?? {}, instead.headers ?? {}]
  const names = [...new Set([...Object.keys(old), ...Object.keys(other)])]
  return names
    .filter((name) => old[name] !== other[name])
    .map((name) => printable(`${name}: ${old[name] ?? 'none'} → ${other[name] ?? 'none'}`))
}
