import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { axisLabels } from '../model/timeline/axis-labels.ts'
import type { Span } from '../model/timeline/lanes.ts'
import { ticksOfAll } from '../model/timeline/ticks.ts'
import { type TimeScale, timeScale } from '../model/timeline/time-scale.ts'
import { busiest, instantsIn, type Timeline } from '../model/timeline/timeline.ts'
import { durationText } from '../parts/time.tsx'
import { axisHeight, laneHeight, marksHeight } from './chart-layout.ts'
import { LaneView } from './lane-view.tsx'
import { MarksView } from './marks-view.tsx'

/** How many keys have a lane, and about how many ticks are drawn in all. */
export const mostLanes = 12
const mostTicks = 400

/** Room at both ends, so that nothing is cut there. */
const margin = 10

interface TimelineChartProps {
  readonly timeline: Timeline
  /** What is shown of it; `undefined` for all. */
  readonly view: Span | undefined
  readonly selected: Span | undefined
  readonly onSelect: (span: Span) => void
  /** Opens an exchange. */
  readonly onOpen: (id: number) => void
}

/** The timeline as a picture; a span of it can be drawn with a pointer. */
export function TimelineChart({ timeline, view, selected, onSelect, onOpen }: TimelineChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place) - 2 * margin
  const scale = useMemo(
    () => timeScale(instantsIn(timeline, view), Math.max(width, 1)),
    [timeline, view, width],
  )
  const lanes = useMemo(() => {
    const shown = busiest(timeline.lanes, mostLanes)
    const ticks = ticksOfAll(shown, scale, mostTicks)
    return shown.map((lane, index) => ({ lane, ticks: ticks[index] ?? [] }))
  }, [timeline, scale])
  const [drawn, setDrawn] = useState<readonly [number, number] | undefined>(undefined)
  const xOf = ({ clientX }: PointerEvent): number =>
    clientX - margin - (place.current?.getBoundingClientRect().left ?? 0)
  const open = (event: PointerEvent): void => {
    const y = event.clientY - (place.current?.getBoundingClientRect().top ?? 0) - marksHeight
    const ticks = lanes[Math.floor(y / laneHeight)]?.ticks ?? []
    const near = ticks
      .map(({ id, x }) => ({ id, distance: Math.abs(x - xOf(event)) }))
      .sort((one, other) => one.distance - other.distance)[0]
    if (near !== undefined && near.distance < 10) onOpen(near.id)
  }
  const finish = (event: PointerEvent): void => {
    setDrawn(undefined)
    if (drawn === undefined) return
    const [left, right] = [...drawn].sort((one, other) => one - other)
    if (left === undefined || right === undefined || right - left < 4) open(event)
    else onSelect({ from: scale.atOf(left), to: scale.atOf(right) })
  }
  const marked = drawn ?? (selected && [scale.xOf(selected.from), scale.xOf(selected.to)])
  const bottom = marksHeight + lanes.length * laneHeight
  return (
    <div
      ref={place}
      class="timeline-chart"
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        setDrawn([xOf(event), xOf(event)])
      }}
      onPointerMove={(event) => drawn && setDrawn([drawn[0], xOf(event)])}
      onPointerUp={finish}
      onPointerCancel={() => setDrawn(undefined)}
    >
      {width <= 0 ? null : (
        <svg
          role="img"
          aria-label={`Timeline of ${lanes.length} keys, from ${formatInstant(scale.from)} to ${formatInstant(scale.to)}; the table below says the same`}
          width={width + 2 * margin}
          height={bottom + axisHeight}
          viewBox={`${-margin} 0 ${width + 2 * margin} ${bottom + axisHeight}`}
        >
          <pattern id="hatch" class="hatch" width={7} height={7} patternUnits="userSpaceOnUse">
            <path d="M-1 8L8 -1M-2 2L2 -2M5 9L9 5" />
          </pattern>
          <Axis scale={scale} bottom={bottom} />
          <MarksView timeline={timeline} scale={scale} />
          {lanes.map(({ lane, ticks }, index) => (
            <LaneView
              key={`${lane.caller} ${lane.key}`}
              lane={lane}
              ticks={ticks}
              scale={scale}
              top={marksHeight + index * laneHeight}
            />
          ))}
          {marked === undefined ? null : (
            <rect
              class="selected"
              x={Math.min(...marked)}
              y={0}
              width={Math.max(2, Math.abs((marked[1] ?? 0) - (marked[0] ?? 0)))}
              height={bottom}
            />
          )}
        </svg>
      )}
    </div>
  )
}

function Axis({ scale, bottom }: { readonly scale: TimeScale; readonly bottom: number }) {
  return (
    <g class="axis">
      {axisLabels(scale).map(({ x, at, time, date }) => (
        <g key={at}>
          <path d={`M${x} ${marksHeight}V${bottom + (time === '' ? 0 : 4)}`} />
          <text x={x} y={bottom + 16}>
            {time}
          </text>
          <text x={x} y={bottom + 30}>
            {date}
          </text>
        </g>
      ))}
      {scale.pieces
        .filter(({ isFolded }) => isFolded)
        .map(({ from, to, left, right }) => (
          <g key={from} class="fold">
            <title>{`${durationText(to - from)} in which nothing happened`}</title>
            <rect x={left} y={marksHeight} width={right - left} height={bottom - marksHeight} />
            {right - left < 50 ? null : (
              <text x={(left + right) / 2} y={bottom + 30} text-anchor="middle">
                {durationText(to - from)}
              </text>
            )}
          </g>
        ))}
    </g>
  )
}

/** The width that an element has. */
function useWidth(place: { readonly current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0)
  useEffect(() => {
    if (place.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry !== undefined) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return width
}
