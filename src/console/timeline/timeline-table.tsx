import { formatInstant } from '../../input/instant.ts'
import { linkTo } from '../model/route.ts'
import type { TimelineRow } from '../model/timeline/timeline-rows.ts'
import { Badge } from '../parts/badge.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'

/** The timeline as a table; each row leads to its requests. */
export function TimelineTable({ rows }: { readonly rows: readonly TimelineRow[] }) {
  return (
    <div class="box stacked">
      <Table
        caption="The timeline as a table: what each key was used for, and what changed"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
      />
    </div>
  )
}

const columns: readonly Column<TimelineRow>[] = [
  {
    name: 'time',
    title: 'From',
    isHeader: true,
    cell: ({ from, to, key }) =>
      key === undefined ? (
        <Instant at={formatInstant(from)} />
      ) : (
        <a
          class="row-link"
          href={linkTo('requests', [], { from: formatInstant(from), to: formatInstant(to) })}
        >
          <Instant at={formatInstant(from)} />
          <span class="unseen"> requests of {key}</span>
        </a>
      ),
  },
  { name: 'key', title: 'Key', cell: ({ key }) => key ?? 'the sandbox' },
  {
    name: 'requests',
    title: 'Requests',
    cell: ({ counts }) =>
      counts.map(({ tone, text, count }) => (
        <Badge key={tone} tone={tone} text={`${count} ${text}`} />
      )),
  },
  {
    name: 'why',
    title: 'What else',
    cell: ({ notes }) => notes.map((note) => <div key={note}>{note}</div>),
  },
]
