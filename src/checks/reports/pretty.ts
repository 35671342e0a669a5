import {
  linesOf,
  notesOf,
  type Paint,
  type Report,
  type ReportGroup,
  type ReportItem,
} from './report.ts'
import { formatTable, printable, wrap } from './text.ts'

/** How wide cards and paragraphs are, in columns. */
const width = 80

/** How far lines and paragraphs are set in. */
const indent = '  '
const deepIndent = '     '

/** The narrowest column of texts that still reads well. */
const leastText = 30

const layouts: Readonly<Record<Report['layout'], (report: Report, paint: Paint) => string>> = {
  lines: prettyLines,
  paragraphs: prettyParagraphs,
  card: prettyCard,
}

/**
 * Writes a report for a terminal: in each group what is not as it should be comes first.
 *
 * @param paint Colours the states; without it there are no colours.
 */
export function prettyReport(report: Report, paint: Paint = (_level, text) => text): string {
  return layouts[report.layout](report, paint)
}

/** The state of an item, in its colour. */
function stateOf({ level, state }: ReportItem, paint: Paint): string {
  return paint(level, printable(state))
}

/** A line for each item. */
function prettyLines({ title, summary, groups }: Report, paint: Paint): string {
  const overview = formatTable(
    groups.map((group) => [printable(group.name), printable(group.summary)]),
    indent,
  )
  const parts = groups
    .filter(({ items }) => items.length > 0)
    .map((group) => linesGroup(group, paint))
  return [`${printable(title)}: ${printable(summary)}`, overview, ...parts].join('\n\n')
}

function linesGroup({ name, items }: ReportGroup, paint: Paint): string {
  const inOrder = [
    ...items.filter(({ level }) => level !== 'ok'),
    ...items.filter(({ level }) => level === 'ok'),
  ]
  const rows = inOrder.map((item) => [
    printable(item.name),
    stateOf(item, paint),
    printable(linesOf(item).join('; ')),
  ])
  return `${printable(name)}\n${formatTable(rows, indent)}`
}

/** A paragraph for each item that is not as it should be. */
function prettyParagraphs({ title, summary, groups }: Report, paint: Paint): string {
  const heading = `${printable(title)}: ${printable(summary)}`
  return [heading, ...groups.flatMap((group) => paragraphsOf(group, paint))].join('\n\n')
}

function paragraphsOf({ name, items }: ReportGroup, paint: Paint): string[] {
  const paragraph = (item: ReportItem): string =>
    paragraphOf(`${stateOf(item, paint)}  ${printable(item.name)}`, item, indent)
  const wrong = items.filter(({ level }) => level !== 'ok')
  const told = items.filter(({ level, text }) => level === 'ok' && text !== '')
  const fine = items.filter(({ level, text }) => level === 'ok' && text === '')
  const rest = fine.length === 0 ? [] : [fineText(name, fine, paint)]
  return [...wrong.map(paragraph), ...told.map(paragraph), ...rest]
}

/** Says in few words which items are as they should be. */
function fineText(name: string, items: readonly ReportItem[], paint: Paint): string {
  const names = items.map((item) => item.name).join(', ')
  const [state = ''] = new Set(items.map((item) => item.state))
  const heading = `${paint('ok', printable(state))}  ${items.length} ${printable(name)}`
  return [heading, ...block(names, indent)].join('\n')
}

/** A card: what has code stands in paragraphs, the rest, and what is brief, in lines without notes. */
function prettyCard({ title, summary, groups }: Report, paint: Paint): string {
  const heading = wrap(`${printable(title)}: ${printable(summary)}`, width).join('\n')
  return [heading, ...groups.map((group) => cardGroup(group, paint))].join('\n\n')
}

function cardGroup({ name, summary, items, isSummed }: ReportGroup, paint: Paint): string {
  const heading = wrap(`${printable(name)}: ${printable(summary)}`, width).join('\n')
  if (isSummed) return heading
  const isLong = ({ code = '', brief }: ReportItem): boolean => code !== '' && brief === undefined
  const paragraphs = items
    .filter(isLong)
    .map((item) =>
      paragraphOf(`${indent}${stateOf(item, paint)} ${printable(item.name)}`, item, deepIndent),
    )
  const lines = items.filter((item) => !isLong(item))
  const table = lines.length === 0 ? '' : cardLines(lines, paint)
  return [heading, paragraphs.join('\n\n'), table].filter((one) => one !== '').join('\n')
}

function cardLines(items: readonly ReportItem[], paint: Paint): string {
  const cells = items.map(({ name, state }) => [state, name].map(printable))
  const taken = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const left = width - taken.reduce((sum, one) => sum + one + indent.length, indent.length)
  const rows = items.flatMap((item) => {
    const { text, brief = text } = item
    const [first = '', ...rest] = brief
      .split('\n')
      .flatMap((one) => wrap(printable(one), Math.max(left, leastText)))
    return [
      [stateOf(item, paint), printable(item.name), first],
      ...rest.map((line) => ['', '', line]),
    ]
  })
  return formatTable(rows, indent)
}

function paragraphOf(heading: string, item: ReportItem, setIn: string): string {
  const { text, code = '' } = item
  const said = [...text.split('\n'), ...notesOf(item)].filter((line) => line !== '')
  // A line of code stays in one piece, so that it can be copied.
  const line = code === '' ? [] : code.split('\n').map((one) => setIn + printable(one))
  return [heading, ...said.flatMap((one) => block(one, setIn)), ...line].join('\n')
}

/** Breaks a text into lines that are set in. */
function block(text: string, setIn: string): string[] {
  return wrap(printable(text), width - setIn.length).map((line) => setIn + line)
}
