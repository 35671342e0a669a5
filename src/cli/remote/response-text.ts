import { styleText } from 'node:util'
import { severityCountsText } from '../../checks/reports/findings.ts'
import { cut, formatTable, hanging, printable, wrap } from '../../checks/reports/text.ts'
import { defaultGaps, formatValue, type GapView, gapNames } from '../../mock/api/gaps.ts'
import { toJson } from '../../mock/api/json.ts'
import type { Pet } from '../../mock/api/pet.ts'
import { isRecord } from '../../mock/input/record.ts'
import { formatCount } from '../../mock/input/values.ts'
import type { RequestView } from '../../mock/log/request-view.ts'
import type { Fault } from '../../mock/state/faults.ts'
import type { KeyView } from '../../sandbox/controls/keys.ts'
import type { ScenarioView } from '../../sandbox/controls/scenarios.ts'
import type { Status } from '../../sandbox/controls/status.ts'
import { programLine } from '../program.ts'
import type { Client } from './connect.ts'
import { clockText, keyState, limitsText, settingWords } from './sentences.ts'

/** Context of a command's output. */
export interface OutputContext {
  readonly client: Client
  /** Address of the sandbox's API. */
  readonly api: string
  readonly stream: NodeJS.WriteStream
}

/** Writes scenarios as a table. */
export function scenarioTable(all: readonly ScenarioView[]): string {
  const rows = all.map(({ name, summary, inForce }) => [name, inForce ? 'yes' : 'no', summary])
  return formatTable([['Name', 'In force', 'Effect'], ...rows])
}

/**
 * Writes a response of the control API as a table, with a row for each object.
 *
 * @param none Text if there is no row.
 */
export function resultTable(result: unknown, none: string): string {
  const rows = [result].flat().filter(isRecord)
  if (rows.length === 0) return none
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const cells = rows.map((row) => names.map((name) => textOf(row[name])))
  return formatTable([names.map(headText), ...cells])
}

/** Writes the name of a property as a heading: `Base URL` for `baseUrl`. */
function headText(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.replace(/^./, (letter) => letter.toUpperCase()).replace(/\burl\b/, 'URL')
}

/** Writes pets as a table. */
export function petTable(pets: Pet | readonly Pet[]): string {
  const rows = [pets].flat().map(({ id, name, categoryId, status }) => {
    return { id, name: cut(name), categoryId, status }
  })
  return resultTable(rows, 'No pets')
}

/** Writes faults as a table, with their settings in the form that adds them. */
export function faultTable(faults: readonly Fault[]): string {
  const rows = faults.map(({ id, fault, matched, applied, ...settings }) => {
    return { id, fault, settings: settingWords(settings).join(' '), matched, applied }
  })
  return resultTable(rows, 'No faults')
}

/** Writes the current values of all gaps as a table, with the default if it differs. */
export function gapTable(inForce: GapView): string {
  const rows = gapNames.map((gap) => {
    const [value, defaultValue] = [inForce[gap], formatValue(gap, defaultGaps[gap])]
    return { gap, value, default: value === defaultValue ? '' : defaultValue }
  })
  return resultTable(rows, '')
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return printable(typeof value === 'object' ? toJson(value) : String(value))
}

/** Minimum number of characters of a key, even if there is less room. */
const shortestKey = 12

/**
 * Writes keys as a table, with the requests they have left, by the clock of their sandbox.
 *
 * @param width Number of columns; longer keys are cut. By default, keys aren't cut.
 */
export function keyTable(
  keys: readonly KeyView[],
  now: string,
  width: number = Number.POSITIVE_INFINITY,
): string {
  if (keys.length === 0) return 'No keys'
  const isExpiring = keys.some(willExpire)
  const cells = keys.map((key) => [
    key.plan,
    keyState(key, now),
    `${key.minute.remaining}/${key.minute.limit}`,
    `${key.day.remaining}/${key.day.limit}`,
    ...(isExpiring ? [willExpire(key) ? (key.expiresAt ?? '') : ''] : []),
  ])
  const heads = ['Plan', 'State', 'This minute', 'Today', ...(isExpiring ? ['Expires'] : [])]
  const rest = formatTable([heads, ...cells]).split('\n')
  const room = Math.max(shortestKey, width - Math.max(...rest.map(({ length }) => length)) - 2)
  const names = ['Key', ...keys.map(({ key }) => cut(printable(key), room))]
  const keyWidth = Math.max(...names.map(({ length }) => length))
  return names.map((name, index) => `${name.padEnd(keyWidth)}  ${rest[index]}`).join('\n')
}

function willExpire({ state, expiresAt }: KeyView): boolean {
  return expiresAt !== undefined && state !== 'expired'
}

/** Maximum length of a URL that is shown in full. */
const maxUrlLength = 121

/** Writes a request on a line, with its id; the reason for its response follows below if the terminal is too narrow. */
export function entryLine(
  { id, at, request, outcome, key, quota, why }: RequestView,
  stream: NodeJS.WriteStream,
): string {
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, text, { stream })
  const { method, url } = request
  const time = `#${id}  ${timeText(at)}`
  const target = printable(`${method.padEnd(4)} ${cut(url, maxUrlLength)}`)
  const facts = printable(`${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`)
  const reason = printable(why)
  const width = `${time}  ${target}  ${facts}  ${reason}`.length
  const isNarrow = width > (stream.columns ?? width)
  const lines = isNarrow ? wrap(reason, stream.columns - indent.length) : [reason]
  const shown = lines.map((line) => paint(isGood ? 'green' : 'yellow', line))
  const gap = isNarrow ? `\n${indent}` : '  '
  return `${paint('dim', time)}  ${target}  ${paint('dim', facts)}${gap}${shown.join(`\n${indent}`)}`
}

/** Writes a request in full, with its response; its first line is that of {@link entryLine}. */
export function entryText(entry: RequestView, stream: NodeJS.WriteStream): string {
  const { request, outcome, faults, delivery } = entry
  return [
    entryLine(entry, stream),
    ...(faults.length === 0 ? [] : [`Faults applied: ${faults.join(', ')}`]),
    '',
    ...messageLines(`${request.method} ${request.url}`, request),
    '',
    ...('status' in outcome
      ? messageLines(String(outcome.status), outcome)
      : [`No response (${outcome.kind})`]),
    ...(delivery === 'broken' && 'status' in outcome ? ['', 'A fault broke the response'] : []),
    ...(delivery === 'aborted' ? ['', 'The client left before the end'] : []),
  ].join('\n')
}

/** Writes the first line, the headers and the body of a message, as they are in HTTP. */
function messageLines(
  start: string,
  { headers, body }: Pick<RequestView['request'], 'headers' | 'body'>,
): string[] {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [start, ...fields, ...(body === '' ? [] : ['', ...body.split('\n')])].map(printable)
}

/** Indentation of lines below an entry. */
const indent = '   '

/** Input of each part of the screen. */
interface Screen {
  readonly status: Status
  readonly api: string
  /** Number of columns. */
  readonly width: number
  paint(style: 'dim' | 'green' | 'yellow', text: string): string
}

/** Writes the status of a sandbox, in the width of the terminal. */
export function statusScreen(status: Status, { api, stream }: OutputContext): string {
  const screen: Screen = {
    status,
    api,
    // Default if the terminal's width is unknown.
    width: stream.columns ?? 80,
    paint: (style, text) => styleText(style, text, { stream }),
  }
  return [factLines, keyLines, faultLines, findingLines, requestLines]
    .map((linesOf) => linesOf(screen))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function factLines({ status, api, width, paint }: Screen): string[] {
  const { clock, rateLimits, counts, gaps } = status
  const facts = [
    ['API', api],
    ['Clock', clockText({ ...clock, now: clock.now.replace(/\.\d+Z$/, 'Z') })],
    ['Limits', limitsText(rateLimits)],
    ['Pets', formatCount(counts.pets)],
    ['Faults', counts.faults === 0 ? 'none' : formatCount(counts.faults)],
    ...(gaps.length === 0 ? [['Gaps', 'all at their defaults']] : []),
    ...gaps.map(({ gap, value, default: defaultValue }, index) => [
      index === 0 ? 'Gaps' : '',
      `${gap}=${value} (default ${defaultValue})`,
    ]),
  ]
  return facts.flatMap(([name = '', text = '']) => {
    const start = name.padEnd('Limits  '.length)
    const lines = hanging(printable(text), width, ' '.repeat(start.length))
    return lines.map((line, index) => (index === 0 ? paint('dim', start) + line : line))
  })
}

function keyLines({ status, width, paint }: Screen): string[] {
  const { keys, counts, clock } = status
  if (keys.length === 0) return []
  const lines = keyTable(keys, clock.now, width).split('\n')
  return [
    ...lines.map((line, index) => {
      const state = keys[index - 1]?.state
      if (state === undefined) return paint('dim', line)
      return state === 'active' ? line : paint('yellow', line)
    }),
    ...moreOf(counts.keys - keys.length, 'keys', paint),
  ]
}

function moreOf(count: number, what: string, paint: Screen['paint']): string[] {
  return count > 0 ? [paint('dim', `and ${count} more; ${programLine(what)} lists all`)] : []
}

function faultLines({ status: { faults, counts }, paint }: Screen): string[] {
  if (faults.length === 0) return []
  const [head = '', ...lines] = faultTable(faults).split('\n')
  return [paint('dim', head), ...lines, ...moreOf(counts.faults - faults.length, 'faults', paint)]
}

function findingLines({ status, width, paint }: Screen): string[] {
  if (status.findings === undefined || status.findings.worst.length === 0) return []
  const { counts, worst } = status.findings
  const rest = counts.error + counts.warning + counts.info - worst.length
  return [
    paint('dim', `Findings: ${severityCountsText(counts)}`),
    ...worst.flatMap(({ severity, rule, message, beforeReset }) => {
      const when = beforeReset === true ? ' (before a reset)' : ''
      const text = `${severity} ${rule}: ${printable(message)}${when}`
      const style = severity === 'info' ? 'dim' : 'yellow'
      return hanging(text, width, indent).map((line) => paint(style, line))
    }),
    paint(
      'dim',
      `${rest > 0 ? `and ${rest} more; ` : ''}${programLine('findings')} says what to do`,
    ),
  ]
}

function requestLines({ status, width, paint }: Screen): string[] {
  const { requests } = status
  if (requests.length === 0) return []
  return [
    paint('dim', 'Latest requests'),
    ...requests.flatMap((request) => {
      const { id, at, method, url, key, status: code, why } = request
      const time = `#${id} ${timeText(at)}`
      const room = width - time.length - method.length - (key ?? 'no key').length - 4
      const target = cut(printable(url), Math.max(shortestUrl, room))
      const style = typeof code === 'number' && code < 300 ? 'green' : 'yellow'
      return [
        `${paint('dim', time)} ${printable(method)} ${target}  ${paint('dim', printable(key ?? 'no key'))}`,
        ...wrap(printable(why), width - indent.length).map((line) => indent + paint(style, line)),
      ]
    }),
  ]
}

/** Writes an instant without the parts that people don't read. */
function timeText(at: string): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}

/** Minimum number of characters of a URL, even if there is less room. */
const shortestUrl = 20
