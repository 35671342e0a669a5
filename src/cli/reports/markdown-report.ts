import { escapeXml } from './escape-xml.ts'
import type { Report, ReportGroup, ReportItem } from './report.ts'

/** Writes a report as Markdown with tables, as GitHub shows it. */
export function markdownReport({ title, summary, groups }: Report): string {
  const overview = table(
    ['', ''],
    groups.map(({ name, summary: found }) => [plain(name), plain(found)]),
  )
  const parts = groups.filter(({ items }) => items.length > 0).map(partOf)
  return [`## ${plain(title)}`, plain(summary), overview, ...parts].join('\n\n')
}

function partOf({ name, items }: ReportGroup): string {
  return `### ${plain(name)}\n\n${table(['what', 'state', 'more'], items.map(rowOf))}`
}

function rowOf({ name, state, text, notes = {}, code = '' }: ReportItem): string[] {
  const more = Object.entries(notes).map(([label, note]) => `${plain(label)}: ${plain(note)}`)
  const line = code === '' ? '' : `<code>${plain(code)}</code>`
  const lines = text.split('\n').map(plain)
  const said = [...lines, ...more, line].filter((one) => one !== '').join('<br>')
  return [plain(name), plain(state), said]
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

/** Writes a text so that Markdown finds nothing in it: each sign that means something becomes a character reference. */
function plain(text: string): string {
  return escapeXml(text)
    .replaceAll('&#39;', "'")
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]~|@$#]|:(?=\/)|^[-+=]|(?<=^\d+)[.)]/g, referenceTo)
}

function referenceTo(sign: string): string {
  return `&#${sign.charCodeAt(0)};`
}
