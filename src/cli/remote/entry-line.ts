import { styleText } from 'node:util'
import type { JournalEntry } from '../../state/journal/journal-entry.ts'
import { printable } from '../terminal/printable.ts'

/** The longest URL that is shown in full. */
const maxUrlLength = 120

/** Shows an exchange on a line. */
export function entryLine(
  { at, request, outcome, key, quota, why }: JournalEntry,
  stream: NodeJS.WriteStream,
): string {
  const isGood = 'status' in outcome && outcome.status < 300
  const paint = (style: 'dim' | 'green' | 'yellow', text: string): string =>
    styleText(style, printable(text), { stream })
  const { method, url } = request
  const shown = url.length > maxUrlLength ? `${url.slice(0, maxUrlLength)}…` : url
  return [
    paint('dim', new Date(at).toISOString().slice(0, 19).replace('T', ' ')),
    printable(`${method.padEnd(4)} ${shown}`),
    paint('dim', `${key ?? 'no key'}  ${quota.remaining}/${quota.limit} left`),
    paint(isGood ? 'green' : 'yellow', why),
  ].join('  ')
}
