import { useMemo, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { formatInstant } from '../../mock/input/values.ts'
import { useThrottled } from '../live/throttle.ts'
import { outcomeText } from '../model/entry-text.ts'
import type { EntryFilter } from '../model/filter-entries.ts'
import { axisOf, binsOf, tones } from './strip.ts'

interface TimeStripProps {
  readonly entries: readonly RequestView[]
  readonly onChange: (changes: Partial<EntryFilter>) => void
  /** Id of the request whose bar is marked. */
  readonly current: number | undefined
  /** Called with the request at a position that the user clicks. */
  readonly onOpen: (entry: RequestView) => void
}

/** Height of the bars, in pixels. */
const height = 24

/** Smallest part of the strip that is a span of time; less is a click. */
const minSpan = 0.01

/**
 * Chart of requests over time: bars stacked by outcome. A drag selects a span of time, and a click opens a request.
 */
export function TimeStrip({ entries, onChange, current, onOpen }: TimeStripProps) {
  const [brush, setBrush] = useState<readonly [number, number] | undefined>(undefined)
  const place = useRef<SVGSVGElement>(null)
  const shown = useThrottled(entries, 1_000)
  const axis = useMemo(() => axisOf(shown), [shown])
  const bins = useMemo(() => binsOf(shown, axis), [shown, axis])
  // As wide for few requests as for many.
  const width = Math.min(0.8, bins.length / 120)
  // A few requests don't fill the strip.
  const highest = Math.max(
    2,
    ...bins.map(({ counts }) => tones.reduce((sum, tone) => sum + counts[tone], 0)),
  )
  const marked = shown.find(({ id }) => id === current)
  const shareAt = (clientX: number): number => {
    const { left = 0, width = 1 } = place.current?.getBoundingClientRect() ?? {}
    return Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1)
  }
  const finish = (): void => {
    if (brush === undefined) return
    const [first, last] = [Math.min(...brush), Math.max(...brush)]
    setBrush(undefined)
    if (last - first < minSpan) {
      const nearest = nearestTo(first)
      if (nearest !== undefined) onOpen(nearest)
      return
    }
    // Extends the span to whole bars, so that it includes all requests of the first one.
    const from = axis.instantAt(Math.floor(first * bins.length) / bins.length)
    const to = axis.instantAt(Math.ceil(last * bins.length) / bins.length)
    onChange({ from: formatInstant(Math.floor(from)), to: formatInstant(Math.ceil(to)) })
  }
  const nearestTo = (share: number): RequestView | undefined => {
    const distance = (entry: RequestView): number => Math.abs(axis.shareOf(entry) - share)
    return shown.reduce<RequestView | undefined>(
      (best, entry) => (best === undefined || distance(entry) < distance(best) ? entry : best),
      undefined,
    )
  }
  const summary = tones.flatMap((tone) => {
    const count = shown.filter((entry) => outcomeText(entry).tone === tone).length
    return count === 0 ? [] : `${count} ${words[tone]}`
  })
  return (
    <section class="strip-of-time" aria-label="Strip of time">
      <svg
        ref={place}
        role="img"
        aria-label={`${summary.join(', ')}, ${axis.by === 'order' ? 'in their order' : `from ${axis.labels[0]?.text} to ${axis.labels.at(-1)?.text}`}`}
        height={height}
        preserveAspectRatio="none"
        viewBox={`0 0 ${bins.length} ${height}`}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          setBrush([shareAt(event.clientX), shareAt(event.clientX)])
        }}
        onPointerMove={({ clientX }) => brush && setBrush([brush[0], shareAt(clientX)])}
        onPointerUp={finish}
        onPointerCancel={() => setBrush(undefined)}
      >
        {marked === undefined ? null : (
          <rect
            class="marked"
            x={Math.min(bins.length - 1, Math.floor(axis.shareOf(marked) * bins.length))}
            width={1}
            y={0}
            height={height}
          />
        )}
        {bins.map(({ counts }, at) => {
          let y = height
          return tones.map((tone) => {
            if (counts[tone] === 0) return null
            const tall = Math.max(3, (counts[tone] / highest) * (height - 2))
            y -= tall
            return (
              <rect
                key={`${at} ${tone}`}
                class={tone}
                x={at + (1 - width) / 2}
                y={y}
                width={width}
                height={tall}
              />
            )
          })
        })}
        {brush === undefined ? null : (
          <rect
            class="brush"
            x={Math.min(...brush) * bins.length}
            width={Math.abs(brush[0] - brush[1]) * bins.length}
            y={0}
            height={height}
          />
        )}
      </svg>
      <div class="strip-labels hint" aria-hidden="true">
        {axis.labels.map(({ share, text }) => (
          <span key={text} style={{ left: `${100 * share}%` }}>
            {text}
          </span>
        ))}
      </div>
    </section>
  )
}

const words = {
  good: 'succeeded',
  rejected: 'rejected',
  limited: 'rate-limited',
  broken: 'broken',
} as const
