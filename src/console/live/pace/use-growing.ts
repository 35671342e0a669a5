import { useEffect, useRef, useState } from 'preact/hooks'
import { GrowingCount } from './growing-count.ts'
import { whenIdle } from './when-idle.ts'

/** No row is less high than this. */
const leastRowPx = 28

/** Gives those rows of a changing list, the newest first, that are to be drawn now; the others follow in idle time. */
export function useGrowing<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => unknown,
): readonly Row[] {
  const [, redraw] = useState({})
  const counting = useRef<GrowingCount<Row>>(undefined)
  counting.current ??= new GrowingCount(keyOf, Math.ceil(innerHeight / leastRowPx))
  const growing = counting.current
  const count = growing.of(rows)
  useEffect(() => {
    if (count >= rows.length) return
    let stopIdle = (): void => {}
    const more = (): void => {
      growing.grow()
      redraw({})
    }
    const timer = setTimeout(() => {
      stopIdle = whenIdle(more)
    }, growing.restMs)
    return () => {
      clearTimeout(timer)
      stopIdle()
    }
  }, [growing, rows, count])
  return rows.length === count ? rows : rows.slice(0, count)
}
