import type { JournalEntry } from '../../client/connect-sandbox.ts'
import { pathOf } from '../../reports/request-text.ts'
import { outcomeText, reasonOf, requestText } from '../model/entry-text.ts'
import type { KeyOf } from '../model/filter-entries.ts'
import { linkTo } from '../model/route.ts'
import { Badge } from '../parts/badge.tsx'
import type { Column } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'

/** The columns of the table of exchanges: what was asked for, by whom, and why it was answered as it was. */
export function requestColumns(
  query: URLSearchParams,
  keyOf: KeyOf,
): readonly Column<JournalEntry>[] {
  return [
    {
      name: 'status',
      title: 'Status',
      isHeader: true,
      cell: (entry) => {
        const outcome = outcomeText(entry)
        return (
          <a
            href={linkTo('requests', [entry.id], query)}
            aria-label={`Request ${entry.id}: ${outcome.text}, ${requestText(entry)}`}
          >
            <Badge {...outcome} />
          </a>
        )
      },
    },
    { name: 'request', title: 'Request', cell: ({ request }) => <Asked request={request} /> },
    { name: 'key', title: 'Key', cell: (entry) => keyOf(entry) },
    {
      name: 'why',
      title: 'Why',
      cell: (entry) => {
        const { text, tags } = reasonOf(entry, keyOf(entry))
        return (
          <span class={entry.decision?.code === undefined ? 'row why served' : 'row why'}>
            <span class="grow">{text}</span>
            {tags.map((tag) => (
              <span key={tag} class="tag">
                {tag}
              </span>
            ))}
          </span>
        )
      },
    },
    { name: 'time', title: 'Time', cell: ({ at }) => <Instant at={at} /> },
    { name: 'id', title: '#', isNumber: true, cell: ({ id }) => id },
  ]
}

/** What was asked for: the method, the path, and the query. */
export function Asked({ request }: { readonly request: JournalEntry['request'] }) {
  return (
    <code class="asked">
      <b>{request.method}</b> {pathOf(request)}
    </code>
  )
}
