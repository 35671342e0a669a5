import { printable } from '../../terminal/printable.ts'
import { formatTable } from '../../terminal/table.ts'
import { wrap } from '../../terminal/wrap.ts'
import type { Report, ReportGroup, ReportItem } from '../report.ts'

/** How wide a card is, in columns. */
const width = 80

/** How far lines and paragraphs are set in. */
const indent = '  '
const deepIndent = '     '

/** The narrowest column of texts that still reads well. */
const leastText = 30

/** Writes a report for a terminal as a card: what has code stands in paragraphs, the rest in lines without notes. */
export function prettyCard({ title, summary, groups }: Report): string {
  const heading = wrap(`${printable(title)}: ${printable(summary)}`, width).join('\n')
  return [heading, ...groups.map(groupOf)].join('\n\n')
}

function groupOf({ name, summary, items }: ReportGroup): string {
  const paragraphs = items.filter(({ code = '' }) => code !== '').map(paragraphOf)
  const lines = items.filter(({ code = '' }) => code === '')
  const table = lines.length === 0 ? [] : [linesOf(lines)]
  const heading = `${printable(name)}: ${printable(summary)}`
  return [heading, paragraphs.join('\n\n'), ...table].filter((one) => one !== '').join('\n')
}

function paragraphOf({ name, state, text, notes = {}, code = '' }: ReportItem): string {
  const more = Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
  const blocks = [...text.split('\n'), ...more]
    .filter((one) => one !== '')
    .flatMap((one) => wrap(printable(one), width - deepIndent.length))
  // A command stays on one line, so that it can be copied.
  const lines = [...blocks, printable(code)].map((line) => deepIndent + line)
  return [`${indent}${printable(state)} ${printable(name)}`, ...lines].join('\n')
}

function linesOf(items: readonly ReportItem[]): string {
  const cells = items.map(({ name, state }) => [state, name].map(printable))
  const taken = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  const left = width - taken.reduce((sum, one) => sum + one + indent.length, indent.length)
  const rows = items.flatMap(({ text }, index) => {
    const [first = '', ...rest] = text
      .split('\n')
      .flatMap((one) => wrap(printable(one), Math.max(left, leastText)))
    return [[...(cells[index] ?? []), first], ...rest.map((line) => ['', '', line])]
  })
  return formatTable(rows, indent)
}
