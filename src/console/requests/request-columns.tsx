import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { outcomeText, requestText, whyText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'

/** The columns of the table of exchanges; the widest says why each was answered as it was. */
export function requestColumns(query: URLSearchParams): readonly Column<JournalEntry>[] {
  return [
    {
      name: 'id',
      title: '#',
      isNumber: true,
      isHeader: true,
      cell: (entry) => (
        <a
          class="row-link"
          href={linkTo('requests', [entry.id], query)}
          aria-label={`Request ${entry.id}: ${requestText(entry)}`}
        >
          {entry.id}
        </a>
      ),
    },
    { name: 'time', title: 'Time', cell: ({ at }) => <Instant at={at} /> },
    { name: 'key', title: 'Key', cell: ({ key }) => key ?? '–' },
    {
      name: 'operation',
      title: 'Operation',
      cell: (entry) => (
        <span title={requestText(entry)}>{entry.operation ?? requestText(entry)}</span>
      ),
    },
    { name: 'status', title: 'Status', cell: (entry) => <Badge {...outcomeText(entry)} /> },
    {
      name: 'left',
      title: 'Left',
      isNumber: true,
      cell: ({ quota }) => (
        <span title={`Of the ${quota.limit} requests of a ${quota.window}`}>{quota.remaining}</span>
      ),
    },
    { name: 'why', title: 'Why', cell: whyText },
  ]
}
