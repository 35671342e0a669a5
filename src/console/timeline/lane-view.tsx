import { countText } from '../model/count-text.ts'
import type { Lane, Span, Wait } from '../model/timeline/lanes.ts'
import { type Tick, type Tone, toneTexts } from '../model/timeline/ticks.ts'
import { drawable, type TimeScale } from '../model/timeline/time-scale.ts'
import { waitText } from '../model/timeline/timeline-rows.ts'
import { labelHeight, laneHeight } from './chart-layout.ts'

/** Where the requests stand that ended alike. */
const rows: Readonly<Record<Tone, number>> = { good: 62, refused: 47, limited: 36, broken: 36 }

const waitY = 25

interface LaneViewProps {
  readonly lane: Lane
  readonly ticks: readonly Tick[]
  readonly scale: TimeScale
  readonly top: number
}

/** What a key was used for: its windows, requests, bans and waits. */
export function LaneView({ lane, ticks, scale, top }: LaneViewProps) {
  const { key, moments, windows, bans, waits } = lane
  return (
    <g transform={`translate(0 ${top})`} class="lane">
      <text class="lane-key" x={0} y={13}>
        {key} <tspan class="lane-count">{countText(moments.length, 'request')}</tspan>
      </text>
      {drawable(windows, scale).map((span) => (
        <rect key={span.from} class="window" {...boxOf(span, scale)} />
      ))}
      {drawable(bans, scale).map((span) => (
        <Ban key={span.from} span={span} scale={scale} />
      ))}
      {drawable(waits, scale).map((wait) => (
        <WaitArrow key={wait.to} wait={wait} scale={scale} />
      ))}
      {ticks.map((tick) => (
        <TickMark key={`${tick.id} ${tick.tone}`} tick={tick} />
      ))}
    </g>
  )
}

function boxOf({ from, to }: Span, { xOf }: TimeScale) {
  const x = xOf(from)
  return {
    x,
    y: labelHeight,
    width: Math.max(1, xOf(to) - x),
    height: laneHeight - labelHeight - 6,
  }
}

function Ban({ span, scale }: { readonly span: Span; readonly scale: TimeScale }) {
  const box = boxOf(span, scale)
  return (
    <g class="ban">
      <title>banned</title>
      <rect {...box} class="ban-ground" />
      <rect {...box} fill="url(#hatch)" />
      {box.width < 56 ? null : (
        <text x={box.x + box.width - 6} y={61} text-anchor="end">
          banned
        </text>
      )}
    </g>
  )
}

function WaitArrow({ wait, scale: { xOf } }: { readonly wait: Wait; readonly scale: TimeScale }) {
  const { from, to, cameAt } = wait
  const end = xOf(to)
  const isEarly = cameAt !== undefined && cameAt < to
  return (
    <g class={`wait ${isEarly ? 'early' : ''}`}>
      <title>{waitText(wait)}</title>
      <path class="way" d={`M${xOf(from)} ${waitY}H${end}`} />
      <path
        d={`M${end - 5} ${waitY - 4}L${end} ${waitY}L${end - 5} ${waitY + 4}M${end} ${waitY - 5}v10`}
      />
      {cameAt === undefined ? null : isEarly ? (
        <path class="came" d={cross(xOf(cameAt), waitY)} />
      ) : (
        <circle class="came" cx={xOf(cameAt)} cy={waitY} r={4} />
      )}
    </g>
  )
}

function TickMark({ tick: { x, tone, count, isFaulty } }: { readonly tick: Tick }) {
  const y = rows[tone]
  const high = Math.min(14, 9 + Math.log2(count))
  return (
    <g class={`tick ${tone}`}>
      <title>{`${countText(count, 'request')} ${toneTexts[tone]}${isFaulty ? ', struck by a fault' : ''}`}</title>
      <path d={tone === 'good' ? `M${x} ${y}v-${high}` : shapes[tone](x, y)} />
      {isFaulty ? <circle class="struck" cx={x} cy={tone === 'good' ? y - high : y} r={8} /> : null}
    </g>
  )
}

/** As badges have them. */
const shapes = {
  refused: (x: number, y: number) => `M${x} ${y - 4}l4.5 8h-9z`,
  limited: (x: number, y: number) => `M${x} ${y - 5}l4.5 5l-4.5 5l-4.5 -5z`,
  broken: cross,
} as const

function cross(x: number, y: number): string {
  return `M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`
}
