import { printable } from '../terminal/printable.ts'
import type { Level, Report, ReportItem } from './report.ts'

/** The workflow command of each level; of what is only information, the job summary tells. */
const commands: Readonly<Partial<Record<Level, string>>> = { error: 'error', warning: 'warning' }

/** Writes a report as workflow commands of GitHub Actions, which show each error and warning beside the run. */
export function githubReport({ title, summary, groups }: Report): string {
  const lines = groups.flatMap(({ items }) => items.flatMap(commandOf))
  return [...lines, `::notice title=${property(title)}::${data(summary)}`].join('\n')
}

function commandOf({ name, level, state, text, notes = {}, code = '' }: ReportItem): string[] {
  const command = commands[level]
  if (command === undefined) return []
  const more = Object.entries(notes).map(([label, note]) => `${label}: ${note}`)
  const said = [text === '' ? state : text, ...more, code].filter((one) => one !== '').join('\n')
  return [`::${command} title=${property(name)}::${data(said)}`]
}

/** Escapes the text of a command, as Actions reads it; what would control a terminal, the log included, is shown. */
function data(text: string): string {
  const lines = text.split('\n').map((line) => printable(line).replaceAll('%', '%25'))
  return lines.join('%0A')
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
