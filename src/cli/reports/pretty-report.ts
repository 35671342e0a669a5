import { printable } from '../terminal/printable.ts'
import { formatTable } from '../terminal/table.ts'
import { prettyCard } from './pretty/pretty-card.ts'
import { prettyParagraphs } from './pretty/pretty-paragraphs.ts'
import type { Report, ReportGroup, ReportItem } from './report.ts'

const layouts: Readonly<Record<Report['layout'], (report: Report) => string>> = {
  lines: prettyLines,
  paragraphs: prettyParagraphs,
  card: prettyCard,
}

/** Writes a report for a terminal: in each group what is not as it should be comes first. */
export function prettyReport(report: Report): string {
  return layouts[report.layout](report)
}

function prettyLines({ title, summary, groups }: Report): string {
  const overview = formatTable(
    groups.map((group) => [printable(group.name), printable(group.summary)]),
    '  ',
  )
  const parts = groups.filter(({ items }) => items.length > 0).map(prettyGroup)
  return [`${printable(title)}: ${printable(summary)}`, overview, ...parts].join('\n\n')
}

function prettyGroup({ name, items }: ReportGroup): string {
  const inOrder = [
    ...items.filter(({ level }) => level !== 'ok'),
    ...items.filter(({ level }) => level === 'ok'),
  ]
  return `${printable(name)}\n${formatTable(inOrder.map(rowOf), '  ')}`
}

function rowOf({ name, state, text, notes = {}, code = '' }: ReportItem): string[] {
  const more = Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
  const said = [text, ...more, code].filter((one) => one !== '').join('; ')
  return [name, state, said].map(printable)
}
