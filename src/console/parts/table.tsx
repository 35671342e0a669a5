import type { ComponentChildren } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatCount } from '../../mock/input/values.ts'
import { Button } from './button.tsx'
import { Boundary } from './display.tsx'
import { Sign } from './sign.tsx'

/** A column of a table. */
export interface Column<Row> {
  readonly name: string
  readonly title: string
  /** Whether its values are numbers, which are right-aligned. */
  readonly isNumber?: boolean
  /** Whether its cells are row headers. */
  readonly isHeader?: boolean
  readonly cell: (row: Row) => ComponentChildren
  /** Sort key of a row; a click on the column header sorts by it. */
  readonly sortBy?: (row: Row) => string | number | bigint
}

interface TableProps<Row> {
  /** Description of the table for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Key of the row whose details are open. */
  readonly current?: string | number | undefined
  /** Called when a row is clicked outside its links and buttons; a link in the row must do the same. */
  readonly onOpen?: (row: Row) => void
  /** Rows with a higher key fade in. */
  readonly newAfter?: number
  /** Rows with a higher key are faint. */
  readonly faintAfter?: number | undefined
  /** Called when the user has seen all loaded rows and more should be loaded. */
  readonly onMore?: () => void
  /** Total number of rows, if only the first are loaded. */
  readonly total?: number
}

/** Number of rows shown first, and added by each click. */
const step = 50

/** A table of one-line rows; an error in a row doesn't affect the others. */
export function Table<Row>(props: TableProps<Row>) {
  const {
    caption,
    columns,
    rows,
    keyOf,
    current,
    onOpen,
    newAfter,
    faintAfter = Number.POSITIVE_INFINITY,
  } = props
  const [limit, setLimit] = useState(step)
  const [sorted, setSorted] = useState<{ name: string; isDown: boolean } | undefined>(undefined)
  const place = useRef<HTMLTableElement>(null)
  const sortBy = columns.find(({ name }) => name === sorted?.name)?.sortBy
  const ordered = sortBy === undefined ? rows : sortedBy(rows, sortBy, sorted?.isDown === true)
  const at = current === undefined ? -1 : ordered.findIndex((row) => keyOf(row) === current)
  useEffect(() => {
    if (at >= limit) setLimit(at + 1)
  }, [current, at >= 0])
  useEffect(() => {
    const row = place.current?.querySelector('tr.current')
    const { top = 0, bottom = 0 } = row?.getBoundingClientRect() ?? {}
    if (top < 80 || bottom > innerHeight) row?.scrollIntoView({ block: 'center' })
  }, [current, at >= 0 && at < limit])
  const total = Math.max(props.total ?? 0, rows.length)
  return (
    <>
      <table ref={place} class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ name, title, isNumber, sortBy: sorts }) => (
              <th
                key={name}
                scope="col"
                class={cellClass(name, isNumber)}
                aria-sort={
                  sorted?.name !== name ? undefined : sorted.isDown ? 'descending' : 'ascending'
                }
              >
                {sorts === undefined ? (
                  title
                ) : (
                  <button
                    type="button"
                    class="sort"
                    onClick={() =>
                      setSorted({ name, isDown: sorted?.name === name && !sorted.isDown })
                    }
                  >
                    {title}
                    {sorted?.name === name ? <Sign name="down" /> : null}
                  </button>
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ordered.slice(0, limit).map((row) => {
            const key = keyOf(row)
            const isCurrent = key === current
            const isNew = newAfter !== undefined && Number(key) > newAfter
            return (
              <Boundary key={key} what="the row" instead={<UnknownRow width={columns.length} />}>
                <tr
                  class={
                    isCurrent ? 'current' : isNew ? 'new' : Number(key) > faintAfter ? 'faint' : ''
                  }
                  aria-current={isCurrent ? 'true' : undefined}
                  onClick={onOpen && (({ target }) => isPlainClick(target) && onOpen(row))}
                >
                  <Cells row={row} columns={columns} />
                </tr>
              </Boundary>
            )
          })}
        </tbody>
      </table>
      {total <= Math.min(limit, rows.length) ? null : (
        <p class="more">
          <Button
            onClick={() => {
              setLimit(limit + step)
              if (limit + step > rows.length) props.onMore?.()
            }}
          >
            {step} more
          </Button>{' '}
          <span class="hint">
            {formatCount(Math.min(limit, rows.length))} of {formatCount(total)} shown
          </span>
        </p>
      )}
    </>
  )
}

/** Cells of a row, made again only when the row or the columns change. */
function Cells<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  return useMemo(
    () => (
      <>
        {columns.map(({ name, isNumber, isHeader, cell }) => {
          const [Cell, scope] = isHeader ? (['th', 'row'] as const) : (['td', undefined] as const)
          return (
            <Cell key={name} scope={scope} class={cellClass(name, isNumber)}>
              {cell(row)}
            </Cell>
          )
        })}
      </>
    ),
    [row, columns],
  )
}

function UnknownRow({ width }: { readonly width: number }) {
  return (
    <tr>
      <td colSpan={width}>Cannot show this row: it is not as the console knows them</td>
    </tr>
  )
}

function sortedBy<Row>(
  rows: readonly Row[],
  sortBy: (row: Row) => string | number | bigint,
  isDown: boolean,
): readonly Row[] {
  const sign = isDown ? -1 : 1
  return rows.toSorted((one, other) => {
    const [first, second] = [sortBy(one), sortBy(other)]
    if (first === second) return 0
    return first < second ? -sign : sign
  })
}

/** Returns whether a click is outside of links and controls and doesn't end a text selection. */
function isPlainClick(target: EventTarget | null): boolean {
  const isFree =
    target instanceof Element && target.closest('a, button, input, select, summary') === null
  return isFree && (getSelection()?.isCollapsed ?? true)
}

function cellClass(name: string, isNumber: boolean | undefined): string {
  return `cell-${name}${isNumber ? ' number' : ''}`
}
