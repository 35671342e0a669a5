import { useEffect, useRef } from 'preact/hooks'
import { type Column, Table } from '../parts/table.tsx'
import type { Difference, PartDifferences } from './compare-snapshots.ts'

/** What differs between two snapshots, and what these are called. */
export interface ComparedSnapshots {
  readonly before: string
  readonly after: string
  readonly parts: readonly PartDifferences[]
}

/** Two snapshots side by side, part by part, and only what differs. */
export function Differences({ compared }: { readonly compared: ComparedSnapshots }) {
  const { before, after, parts } = compared
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [compared])
  const title = `${before} compared with ${after}`
  const columns: readonly Column<Difference>[] = [
    { name: 'what', title: 'What', isHeader: true, cell: ({ place }) => place || 'all of it' },
    { name: 'before', title: before, cell: (one) => <Side title={before} text={one.before} /> },
    { name: 'after', title: after, cell: (one) => <Side title={after} text={one.after} /> },
  ]
  return (
    <section class="stack wide differences" aria-label={title}>
      <h2 ref={heading} class="title" tabIndex={-1}>
        {title}
      </h2>
      {parts.length === 0 ? <p>Nothing differs.</p> : null}
      {parts.map(({ part, differences, more }) => (
        <section key={part} class="box stacked" aria-label={part}>
          <h3>
            {part} <span class="count">{differences.length + more}</span>
          </h3>
          <Table
            caption={`${part}: what differs`}
            columns={columns}
            rows={differences}
            keyOf={(row) => differences.indexOf(row)}
          />
          {more === 0 ? null : <p class="hint">and {more} more</p>}
        </section>
      ))}
    </section>
  )
}

function Side({ title, text }: { readonly title: string; readonly text: string | undefined }) {
  return (
    <>
      <span class="narrow-only">{title}: </span>
      {text ?? <span class="hint">not there</span>}
    </>
  )
}
