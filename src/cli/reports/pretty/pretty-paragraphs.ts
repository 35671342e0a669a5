import { printable } from '../../terminal/printable.ts'
import { wrap } from '../../terminal/wrap.ts'
import type { Report, ReportGroup, ReportItem } from '../report.ts'

/** How wide a paragraph is, in columns. */
const width = 80

/** How far what belongs to a heading is set in. */
const indent = '  '

/** Writes a report for a terminal, with a paragraph for each item that is not as it should be. */
export function prettyParagraphs({ title, summary, groups }: Report): string {
  const heading = `${printable(title)}: ${printable(summary)}`
  return [heading, ...groups.flatMap(partsOf)].join('\n\n')
}

function partsOf({ name, items }: ReportGroup): string[] {
  const paragraphs = items.filter(({ level }) => level !== 'ok').map(paragraphOf)
  const told = items.filter(({ level, text }) => level === 'ok' && text !== '').map(paragraphOf)
  const fine = items.filter(({ level, text }) => level === 'ok' && text === '')
  const rest = fine.length === 0 ? [] : [fineText(name, fine)]
  return [...paragraphs, ...told, ...rest]
}

function paragraphOf({ name, state, text, notes = {}, code = '' }: ReportItem): string {
  const more = Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
  const lines = [...text.split('\n'), ...more].filter((line) => line !== '')
  // In one piece, to be copied.
  const line = code === '' ? [] : [indent + printable(code)]
  return [`${printable(state)}  ${printable(name)}`, ...lines.flatMap(block), ...line].join('\n')
}

/** Says in few words which items are as they should be. */
function fineText(name: string, items: readonly ReportItem[]): string {
  const names = items.map((item) => printable(item.name)).join(', ')
  const [state = ''] = new Set(items.map((item) => item.state))
  return [`${printable(state)}  ${items.length} ${printable(name)}`, ...block(names)].join('\n')
}

/** Breaks a text into lines that are set in. */
function block(text: string): string[] {
  return wrap(printable(text), width - indent.length).map((line) => indent + line)
}
