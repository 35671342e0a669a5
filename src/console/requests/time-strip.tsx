import { useMemo, useRef, useState } from 'preact/hooks'
import type { RequestView } from '../../client/connect-sandbox.ts'
import { grouped } from '../../mock/input/record.ts'
import { formatInstant } from '../../mock/input/values.ts'
import { useConsole } from '../live/console-context.ts'
import { useThrottled } from '../live/throttle.ts'
import { outcomeText } from '../model/entry-text.ts'
import type { EntryFilter } from '../model/filter-entries.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/button.tsx'
import { Sign } from '../parts/sign.tsx'
import { axisOf, binsOf, laneOf, tones } from './strip.ts'

interface TimeStripProps {
  readonly entries: readonly RequestView[]
  readonly filter: EntryFilter
  readonly onChange: (changes: Partial<EntryFilter>) => void
}

const height = 72
const laneHeight = 20
const maxLanes = 40

/**
 * Chart of requests over time: bars stacked by outcome, a time span to select with the pointer, and an optional lane
 * for each key.
 */
export function TimeStrip({ entries, filter, onChange }: TimeStripProps) {
  const { store } = useConsole()
  const [hasLanes, setLanes] = useState(false)
  const [brush, setBrush] = useState<readonly [number, number] | undefined>(undefined)
  const place = useRef<SVGSVGElement>(null)
  const shown = useThrottled(entries, 1_000)
  const axis = useMemo(() => axisOf(shown), [shown])
  const bins = useMemo(() => binsOf(shown, axis), [shown, axis])
  // A few requests don't fill the strip.
  const highest = Math.max(
    4,
    ...bins.map(({ counts }) => tones.reduce((sum, tone) => sum + counts[tone], 0)),
  )
  const shareAt = (clientX: number): number => {
    const { left = 0, width = 1 } = place.current?.getBoundingClientRect() ?? {}
    return Math.min(Math.max((clientX - left) / Math.max(width, 1), 0), 1)
  }
  const finish = (): void => {
    if (brush === undefined) return
    const [first, last] = [Math.min(...brush), Math.max(...brush)]
    setBrush(undefined)
    if (last - first < 0.01) return
    // Extends the span to whole bars, so that it includes all requests of the first one.
    const from = axis.instantAt(Math.floor(first * bins.length) / bins.length)
    const to = axis.instantAt(Math.ceil(last * bins.length) / bins.length)
    onChange({ from: formatInstant(Math.floor(from)), to: formatInstant(Math.ceil(to)) })
  }
  const keyOf = store.keyOf.value
  const lanes = useMemo(
    () => (hasLanes ? [...grouped(shown, keyOf)].slice(0, maxLanes) : []),
    [hasLanes, shown, keyOf],
  )
  const summary = tones.flatMap((tone) => {
    const count = shown.filter((entry) => outcomeText(entry).tone === tone).length
    return count === 0 ? [] : `${count} ${words[tone]}`
  })
  return (
    <section class="strip-of-time" aria-label="Strip of time">
      <div class="strip-row">
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
          {bins.map(({ counts }, at) => {
            let y = height
            return tones.map((tone) => {
              if (counts[tone] === 0) return null
              const tall = Math.max(3, (counts[tone] / highest) * (height - 4))
              y -= tall
              return (
                <rect
                  key={`${at} ${tone}`}
                  class={tone}
                  x={at + 0.1}
                  y={y}
                  width={0.8}
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
        <Button
          kind="quiet"
          pressed={hasLanes}
          label="A lane for each key"
          onClick={() => setLanes(!hasLanes)}
        >
          <Sign name="lanes" />
        </Button>
      </div>
      <div class="strip-labels hint" aria-hidden="true">
        {axis.labels.map(({ share, text }) => (
          <span key={text} style={{ left: `${100 * share}%` }}>
            {text}
          </span>
        ))}
      </div>
      {lanes.length === 0 ? null : (
        <ul class="lanes" aria-label="Keys">
          {lanes.map(([key, own]) => (
            <li key={key}>
              <svg height={laneHeight} role="img" aria-label={laneText(own)}>
                {laneOf(own, axis).map(({ kind, from, to, text }, at) => (
                  <rect
                    key={at}
                    class={kind}
                    x={`${from * 100}%`}
                    width={to === undefined ? 3 : `${Math.max(0.2, (to - from) * 100)}%`}
                    y={kind === 'wait' ? laneHeight - 4 : 3}
                    height={kind === 'wait' ? 2 : laneHeight - 8}
                  >
                    <title>{text}</title>
                  </rect>
                ))}
              </svg>
              <a href={linkTo('requests', [], { key })} aria-current={filter.key === key}>
                <bdi>{key}</bdi> <span class="hint">{own.length}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const words = {
  good: 'succeeded',
  rejected: 'rejected',
  limited: 'rate-limited',
  broken: 'broken',
} as const

function laneText(entries: readonly RequestView[]): string {
  const counts = tones.flatMap((tone) => {
    const count = entries.filter((entry) => outcomeText(entry).tone === tone).length
    return count === 0 ? [] : `${count} ${words[tone]}`
  })
  return counts.join(', ')
}
