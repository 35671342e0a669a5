import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from './controls/button.tsx'
import { Boundary } from './display.tsx'

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly title: string
  /** Whether its values are numbers, which stand to the right. */
  readonly isNumber?: boolean
  /** Whether it names the row. */
  readonly isHeader?: boolean
  readonly cell: (row: Row) => ComponentChildren
}

interface TableProps<Row> {
  /** What the table shows; for those who don't see it. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** The key of the row that is shown elsewhere in full. */
  readonly current?: string | number | undefined
  /** Whether that row is shown and scrolled to, once it is there, however far down. */
  readonly seeksCurrent?: boolean
  /** Called when a row is clicked, beside its links and buttons; a link in the row has to do the same. */
  readonly onOpen?: (row: Row) => void
}

/** How many rows are shown at first, and how many more at a click. */
const step = 50

/** A table; a row that can't be shown says so, and the others are as they are. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, keyOf, current, seeksCurrent, onOpen } = props
  const [most, setMost] = useState(step)
  const place = useRef<HTMLTableElement>(null)
  const at = seeksCurrent ? rows.findIndex((row) => keyOf(row) === current) : -1
  const isFound = at >= 0
  useEffect(() => {
    if (at >= most) setMost(at + 1)
  }, [current, isFound])
  useEffect(() => {
    const row = place.current?.querySelector('tr.current')
    const { top = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {}
    // Not at an edge, where what is still to come would push it out.
    if (top < 0 || bottom > innerHeight) row?.scrollIntoView({ block: 'center' })
  }, [current, isFound && at < most])
  const unknown = (
    <tr>
      <td colSpan={columns.length}>Cannot show this row: it is not as the console knows them</td>
    </tr>
  )
  const table = (
    <table ref={place} class="table">
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ name, title, isNumber }) => (
            <th key={name} scope="col" class={cellClass(name, isNumber)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, most).map((row) => {
          const key = keyOf(row)
          const isCurrent = key === current
          return (
            <Boundary key={key} what="the row" instead={unknown}>
              <TableRow {...{ row, columns, isCurrent, onOpen }} />
            </Boundary>
          )
        })}
      </tbody>
    </table>
  )
  if (rows.length <= most) return table
  return (
    <>
      {table}
      <p class="more">
        <Button onClick={() => setMost(most + step)}>{step} more</Button>{' '}
        <span class="hint">
          {most} of {rows.length} shown
        </span>
      </p>
    </>
  )
}

interface RowProps<Row> {
  readonly row: Row
  readonly columns: readonly Column<Row>[]
  readonly isCurrent: boolean
  readonly onOpen: ((row: Row) => void) | undefined
}

function TableRow<Row>({ row, columns, isCurrent, onOpen }: RowProps<Row>) {
  return (
    <tr
      class={isCurrent ? 'current' : ''}
      aria-current={isCurrent ? 'true' : undefined}
      onClick={onOpen && (({ target }) => isPlainClick(target) && onOpen(row))}
    >
      {columns.map(({ name, isNumber, isHeader, cell }) => {
        const [Cell, scope] = isHeader ? (['th', 'row'] as const) : (['td', undefined] as const)
        return (
          <Cell key={name} scope={scope} class={cellClass(name, isNumber)}>
            {cell(row)}
          </Cell>
        )
      })}
    </tr>
  )
}

/** Whether a click is on neither a link nor a button, and ends no selection. */
function isPlainClick(target: EventTarget | null): boolean {
  const isFree = target instanceof Element && target.closest('a, button') === null
  return isFree && (getSelection()?.isCollapsed ?? true)
}

function cellClass(name: string, isNumber: boolean | undefined): string {
  return `cell-${name}${isNumber ? ' number' : ''}`
}
