import {
  headingOf,
  isNumber,
  linesOf,
  notesOf,
  type Paint,
  type Report,
  type ReportGroup,
  type ReportItem,
  shownItems,
} from './report.ts'
import { formatTable, hanging, printable, wrap } from './text.ts'

/** Width of cards and paragraphs, in columns. */
const width = 80

/** Indentation of lines and paragraphs. */
const indent = '  '
const deepIndent = '     '

/** Minimum readable width of a column of texts. */
const minText = 30

const layouts: Readonly<Record<Report['layout'], (report: Report, paint: Paint) => string>> = {
  lines: prettyLines,
  paragraphs: prettyParagraphs,
  card: prettyCard,
}

/**
 * Writes a report for a terminal; in each group, items that aren't `ok` come first.
 *
 * @param paint Colours the states; by default, they are plain.
 */
export function prettyReport(report: Report, paint: Paint = (_level, text) => text): string {
  return layouts[report.layout](report, paint)
}

function stateOf({ level, state }: ReportItem, paint: Paint): string {
  return paint(level, printable(state))
}

/** Writes a line for each item. */
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

/** Writes a paragraph for each item that isn't `ok` or has a text, and one for all others. */
function prettyParagraphs({ title, summary, groups }: Report, paint: Paint): string {
  const heading = `${printable(title)}: ${printable(summary)}`
  return [heading, ...groups.flatMap((group) => paragraphsOf(group, paint))].join('\n\n')
}

function paragraphsOf({ name, items }: ReportGroup, paint: Paint): string[] {
  const paragraph = (item: ReportItem): string =>
    paragraphOf(`${stateOf(item, paint)}  ${printable(item.name)}`, item, indent)
  const wrong = items.filter(({ level }) => level !== 'ok')
  const passed = items.filter(({ level, text }) => level === 'ok' && text !== '')
  const fine = items.filter(({ level, text }) => level === 'ok' && text === '')
  const rest = fine.length === 0 ? [] : [fineText(name, fine, paint)]
  return [...wrong.map(paragraph), ...passed.map(paragraph), ...rest]
}

/** Summarizes the items that are `ok` and have no text. */
function fineText(name: string, items: readonly ReportItem[], paint: Paint): string {
  const names = items.map((item) => item.name).join(', ')
  const [state = ''] = new Set(items.map((item) => item.state))
  const heading = `${paint('ok', printable(state))}  ${items.length} ${printable(name)}`
  return [heading, ...block(names, indent)].join('\n')
}

/**
 * Writes a card: items with code or a number as paragraphs, with `brief` in place of their texts; all others as lines;
 * groups that are summed at the end, a line each.
 */
function prettyCard({ title, summary, groups, next }: Report, paint: Paint): string {
  const heading = wrap(`${printable(title)}: ${printable(summary)}`, width).join('\n')
  const summed = groups.filter(({ isSummed }) => isSummed)
  const whole = groups.filter((group) => !group.isSummed)
  return [
    heading,
    ...whole.map((group) => cardGroup(group, paint)),
    ...(summed.length === 0 ? [] : [summed.map((group) => cardGroup(group, paint)).join('\n')]),
    ...(next === undefined
      ? []
      : [`next: ${printable(next.text)}\n${indent}${printable(next.code)}`]),
  ].join('\n\n')
}

function cardGroup(group: ReportGroup, paint: Paint): string {
  const { name, summary, isSummed } = group
  const heading = wrap(`${printable(name)}: ${printable(summary)}`, width).join('\n')
  if (isSummed) return heading
  const { shown: items, rest } = shownItems(group)
  const isLong = ({ state, code = '', brief }: ReportItem): boolean =>
    isNumber(state) || (brief === undefined && code !== '')
  const paragraphs = items
    .filter(isLong)
    .map((item) =>
      paragraphOf(
        `${indent}${stateOf(item, paint)} ${printable(headingOf(item))}`,
        item,
        deepIndent,
      ),
    )
  const lines = items.filter((item) => !isLong(item))
  const table = lines.length === 0 ? '' : cardLines(lines, paint)
  const others = rest === '' ? '' : block(rest, indent).join('\n')
  return [heading, paragraphs.join('\n'), table, others].filter((one) => one !== '').join('\n')
}

function cardLines(items: readonly ReportItem[], paint: Paint): string {
  const cells = items.map((item) => [item.state, headingOf(item)].map(printable))
  const taken = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const left = width - taken.reduce((sum, one) => sum + one + indent.length, indent.length)
  const rows = items.flatMap((item) => {
    const { text, brief = text } = item
    const [first = '', ...rest] = brief
      .split('\n')
      .flatMap((one) => wrap(printable(one), Math.max(left, minText)))
    return [
      [stateOf(item, paint), printable(headingOf(item)), first],
      ...rest.map((line) => ['', '', line]),
    ]
  })
  return formatTable(rows, indent)
}

function paragraphOf(heading: string, item: ReportItem, setIn: string): string {
  const { brief } = item
  const { text, code = '' } = brief === undefined ? item : { text: brief }
  const notes = brief === undefined ? notesOf(item) : []
  const said = [...text.split('\n'), ...notes].filter((line) => line !== '')
  // A line of code isn't wrapped, so that it can be copied.
  const line = code === '' ? [] : code.split('\n').map((one) => setIn + printable(one))
  const lead = /^ */.exec(heading)?.[0] ?? ''
  const [first = '', ...rest] = hanging(heading.trimStart(), width - lead.length, setIn)
  return [lead + first, ...rest, ...said.flatMap((one) => block(one, setIn)), ...line].join('\n')
}

/** Wraps a text and indents each line. */
function block(text: string, setIn: string): string[] {
  return wrap(printable(text), width - setIn.length).map((line) => setIn + line)
}
