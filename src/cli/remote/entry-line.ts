import { styleText } from 'node:util'
import type { JournalEntry } from '../../state/journal-entry.ts'
import { cut } from '../terminal/cut.ts'
import { printable } from '../terminal/printable.ts'
import { wrap } from '../terminal/wrap.ts'

/** The longest URL that is shown in full. */
const maxUrlLength = 121

/** Shows an exchange on a line, with the number by which everything names it; where a terminal is too narrow for it, why it was answered so is below. */
export function entryLine(
  { id, at, request, outcome, key, quota, why }: JournalEntry,
  stream: NodeJS.WriteStream,
): string {
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, text, { stream })
  const { method, url } = request
  const time = `#${id}  ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')}`
  const target = printable(`${method.padEnd(4)} ${cut(url, maxUrlLength)}`)
  const facts = printable(`${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`)
  const reason = printable(why)
  const isNarrow =
    `${time}  ${target}  ${facts}  ${reason}`.length > (stream.columns ?? Number.POSITIVE_INFINITY)
  const lines = isNarrow ? wrap(reason, stream.columns - indent.length) : [reason]
  const shown = lines.map((line) => paint(isGood ? 'green' : 'yellow', line))
  const gap = isNarrow ? `\n${indent}` : '  '
  return `${paint('dim', time)}  ${target}  ${paint('dim', facts)}${gap}${shown.join(`\n${indent}`)}`
}

/** How far what stands below is set in. */
const indent = '   '
