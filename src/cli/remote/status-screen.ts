import { styleText } from 'node:util'
import type { Status } from '../../control/status.ts'
import { severityCountsText } from '../../reports/findings.ts'
import { cut, printable, wrap } from '../../reports/text.ts'
import { clockText, faultText, keyTable, type Scene } from './answers.ts'
import { apiAddress } from './connect.ts'

/** How many columns there are where no terminal says it. */
const usualWidth = 80

type Style = 'bold' | 'dim' | 'green' | 'yellow'

/** What a part of the screen is made of. */
interface Look {
  readonly status: Status
  readonly place: Scene['place']
  /** Columns. */
  readonly width: number
  paint(style: Style, text: string): string
}

/** The parts of the screen from top to bottom; one without lines is left out. */
const parts: readonly ((look: Look) => string[])[] = [
  factLines,
  keyLines,
  faultLines,
  findingLines,
  requestLines,
]

/** Shows where a sandbox stands, as wide as a terminal is. */
export function statusScreen(status: Status, { place, stream }: Scene): string {
  const look: Look = {
    status,
    place,
    width: stream.columns ?? usualWidth,
    paint: (style, text) => styleText(style, text, { stream }),
  }
  return parts
    .map((linesOf) => linesOf(look))
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')
}

function factLines({ status, place, width, paint }: Look): string[] {
  const { clock, rateLimit, counts, gaps } = status
  const facts: [string, string][] = [
    ['API', apiAddress(place)],
    ['Clock', clockText({ ...clock, now: clock.now.replace(/\.\d+Z$/, 'Z') })],
    ['Limits', rateLimit === 'enforced' ? 'enforced' : 'reported: counted, and nothing is refused'],
    ['Pets', counts.pets.toLocaleString('en')],
    ['Faults', counts.faults === 0 ? 'none' : counts.faults.toLocaleString('en')],
    ...(gaps.length === 0 ? [gapFact('all at their defaults')] : gaps.map(gapText).map(gapFact)),
  ]
  return facts.flatMap(([name, text], index) => {
    const isSame = name === facts[index - 1]?.[0]
    const [first = '', ...rest] = wrap(printable(text), width - nameWidth)
    const start = paint('dim', (isSame ? '' : name).padEnd(nameWidth))
    return [`${start}${first}`, ...rest.map((line) => ' '.repeat(nameWidth) + line)]
  })
}

const nameWidth = 'Limits  '.length

function gapFact(text: string): [string, string] {
  return ['Gaps', text]
}

function gapText({ gap, choice, default: usual }: Status['gaps'][number]): string {
  return `${gap}=${choice} (default ${usual})`
}

function keyLines({ status, width, paint }: Look): string[] {
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

function moreOf(count: number, what: string, paint: Look['paint']): string[] {
  return count > 0 ? [paint('dim', `and ${count} more; petstore-sandbox ${what} lists all`)] : []
}

function faultLines({ status, width, paint }: Look): string[] {
  const { faults, counts } = status
  if (faults.length === 0) return []
  const lines = faults.flatMap((fault) => {
    const { id, struck, seen } = fault
    const text = `${id}: ${faultText(fault)}; ${struckText(struck, seen)}`
    return wrap(text, width - indent).map((line, at) =>
      at === 0 ? line : ' '.repeat(indent) + line,
    )
  })
  return [
    paint('dim', 'Faults'),
    ...lines,
    ...moreOf(counts.faults - faults.length, 'faults', paint),
  ]
}

function struckText(struck: number, seen: number): string {
  if (seen === 0) return 'no request was for it yet'
  return `struck ${struck} of ${seen} matching ${seen === 1 ? 'request' : 'requests'}`
}

/** How far what goes on in a further line is set in. */
const indent = 3

function findingLines({ status, width, paint }: Look): string[] {
  if (status.findings === undefined || status.findings.worst.length === 0) return []
  const { counts, worst } = status.findings
  const total = counts.error + counts.warning + counts.info
  return [
    paint('dim', `Findings: ${severityCountsText(counts)}`),
    ...worst.flatMap(({ severity, rule, verdict, beforeReset }) => {
      const when = beforeReset === true ? ' (before a reset)' : ''
      const text = `${severity} ${rule}: ${printable(verdict)}${when}`
      const style = severity === 'info' ? 'dim' : 'yellow'
      return wrap(text, width - indent).map((line, at) =>
        paint(style, at === 0 ? line : ' '.repeat(indent) + line),
      )
    }),
    paint('dim', `${moreFindings(total - worst.length)}petstore-sandbox audit says what to do`),
  ]
}

function moreFindings(count: number): string {
  return count > 0 ? `and ${count} more; ` : ''
}

function requestLines({ status, width, paint }: Look): string[] {
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
        ...wrap(printable(why), width - indent).map(
          (line) => ' '.repeat(indent) + paint(style, line),
        ),
      ]
    }),
  ]
}

/** A time of day; with its date unless that is today's. */
function timeText(at: string): string {
  const [day, time] = new Date(at).toISOString().slice(0, 19).split('T')
  const today = new Date().toISOString().slice(0, 10)
  return day === today ? `${time}` : `${day} ${time}`
}

/** How many characters of a URL are shown, be there room for them or not. */
const shortestUrl = 20
