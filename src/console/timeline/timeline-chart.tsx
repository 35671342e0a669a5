import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { grouped, namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import {
  type Axis,
  type Lane,
  markNotes,
  placeCount,
  type Span,
  type Tick,
  type Timeline,
  ticksOf,
  toneTexts,
  waitText,
} from './timeline.ts'

/** The signs of the picture: each its shape, around its place, and what it means. */
const signs = {
  good: ['M0 -7v14', 'served'],
  refused: ['M0 -5l5 9h-10z', 'refused'],
  limited: ['M0 -6l5 6l-5 6l-5 -6z', 'beyond a limit'],
  broken: ['M-4 -4l8 8m0 -8l-8 8', 'broken'],
  faulty: ['M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0', 'hit by a fault'],
  wait: ['M-9 0h16m-4 -4l4 4l-4 4', 'told to wait'],
  came: ['M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0', 'came back in time'],
  early: ['M-6 0l7 -4.5v9z', 'came back too early'],
  ban: ['M-7 -6h14v12h-14z', 'banned'],
  window: ['M-7 -6h14v12h-14z', 'a minute that was counted'],
  clock: ['M-6 -4l6 4l-6 4zM0 -4l6 4l-6 4z', 'clock moved'],
  reset: ['M-4.5 -4.5h9v9h-9z', 'reset'],
  faults: ['M1 -7l-5 8h4l-1 6l5 -8h-4z', 'faults changed'],
  changed: ['M-5 0h10M0 -5v10', 'keys, pets, gaps or limits changed'],
  test: ['M-7 -4h14v8h-14z', 'a test'],
} as const

type Sign = keyof typeof signs

/** The sign of a mark; of kinds that this page doesn't know too. */
function signOf(kind: string): Sign | undefined {
  if (kind.startsWith('test-')) return undefined
  if (kind.startsWith('clock-')) return 'clock'
  if (kind === 'reset' || kind === 'restored') return 'reset'
  return kind === 'faults-changed' ? 'faults' : 'changed'
}

const laneHeight = 28
const middle = laneHeight / 2
/** Where a wait is drawn, below the requests. */
const waitY = 23

/** How many keys have a lane before somebody asks for all. */
const mostLanes = 40

interface TimelineChartProps {
  readonly timeline: Timeline
  readonly axis: Axis
  /** Unix milliseconds on the sandbox's clock; `undefined` for a file. */
  readonly now: number | undefined
}

/** The timeline as a picture: a lane for each key, whose name leads to its requests. */
export function TimelineChart({ timeline, axis, now }: TimelineChartProps) {
  const [isAll, setAll] = useState(false)
  const lanes = isAll ? timeline.lanes : busiest(timeline.lanes, mostLanes)
  const used = new Set<Sign>()
  const sign = (name: Sign, place: number, y: number): ComponentChildren => {
    used.add(name)
    return <use href={`#sign-${name}`} x={percent(place)} y={y} class={`sign ${name}`} />
  }
  const hasMarks = timeline.tests.length > 0 || timeline.marks.some(({ kind }) => signOf(kind))
  const top = hasMarks ? laneHeight : 0
  const bottom = top + lanes.length * laneHeight
  const drawn = lanes.map((lane, index) => (
    <g key={`${lane.caller} ${lane.key}`} transform={`translate(0 ${top + index * laneHeight})`}>
      {laneOf(lane, axis, sign)}
    </g>
  ))
  const marks = hasMarks ? marksOf(timeline, axis, sign) : null
  return (
    <section class="box" aria-label="Timeline">
      <div class="timeline-chart">
        <ul aria-label="Keys">
          {hasMarks ? <li class="hint">the sandbox</li> : null}
          {lanes.map(({ caller, key, moments }) => (
            <li key={`${caller} ${key}`}>
              <a href={linkTo('requests', [], { key })} title={`Requests of ${key}`}>
                {key}
              </a>
              <span class="hint">{moments.length.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table has links to the same requests */}
        <svg
          role="img"
          aria-label={`Timeline of ${countText(lanes.length, 'key')}, from ${formatInstant(Math.round(axis.from))} to ${formatInstant(Math.round(axis.to))}; the table below says the same`}
          height={bottom + 24}
          onClick={({ target }) => {
            const id = target instanceof Element && target.closest('[data-id]')
            if (id instanceof SVGElement) location.assign(linkTo('requests', [id.dataset.id ?? '']))
          }}
        >
          <Shapes />
          {axis.labels.map(({ place, text }) => (
            <g key={text} class="axis">
              <line x1={percent(place)} x2={percent(place)} y2={bottom + 4} />
              <text x={percent(place)} y={bottom + 18}>
                {text}
              </text>
            </g>
          ))}
          {marks}
          {drawn}
          {now === undefined || axis.by === 'order' || now > axis.to || now < axis.from ? null : (
            <g class="now">
              <line x1={percent(axis.placeAt(now))} x2={percent(axis.placeAt(now))} y2={bottom} />
              <text x={percent(axis.placeAt(now))} y={10} dx={-4} text-anchor="end">
                now
              </text>
            </g>
          )}
        </svg>
      </div>
      {timeline.lanes.length > lanes.length ? (
        <p class="more">
          <Button onClick={() => setAll(true)}>
            Show all {timeline.lanes.length.toLocaleString('en')} keys
          </Button>
        </p>
      ) : null}
      <ul class="legend" aria-label="Signs in the picture">
        {namesOf(signs)
          .filter((name) => used.has(name))
          .map((name) => (
            <li key={name}>
              <svg width={20} height={16} aria-hidden="true">
                <use href={`#sign-${name}`} x={10} y={8} class={`sign ${name}`} />
              </svg>
              {signs[name][1]}
            </li>
          ))}
      </ul>
    </section>
  )
}

type DrawSign = (name: Sign, place: number, y: number) => ComponentChildren

/** What a key was used for: its windows, bans, waits and requests. */
function laneOf(lane: Lane, axis: Axis, sign: DrawSign): ComponentChildren {
  const box = (span: Span, name: 'window' | 'ban', about: string) => {
    const [from, to] = [clamped(axis.placeAt(span.from)), clamped(axis.placeAt(span.to))]
    if (from >= to) return null
    sign(name, 0, 0)
    return (
      <rect
        key={`${name} ${span.from}`}
        class={name}
        x={percent(from)}
        width={percent(to - from)}
        y={2}
        height={laneHeight - 4}
      >
        <title>{about}</title>
      </rect>
    )
  }
  return (
    <>
      {axis.by === 'time' ? lane.windows.map((span) => box(span, 'window', 'a minute')) : null}
      {lane.bans.map((span) => box(span, 'ban', 'banned'))}
      {lane.waits.map((wait) => {
        const [from, to] = [clamped(axis.placeAt(wait.from)), clamped(axis.placeAt(wait.to))]
        if (from >= to) return null
        sign('wait', 0, 0)
        const { cameAt } = wait
        return (
          <g key={wait.to} class="wait">
            <title>{waitText(wait)}</title>
            <line x1={percent(from)} x2={percent(to)} y1={waitY} y2={waitY} />
            <use href="#sign-end" x={percent(to)} y={waitY} />
            {cameAt === undefined || axis.placeAt(cameAt) > 1
              ? null
              : sign(cameAt < wait.to ? 'early' : 'came', clamped(axis.placeAt(cameAt)), waitY)}
          </g>
        )
      })}
      {ticksOf(lane, axis).map((tick) => (
        <g key={tick.id} data-id={tick.id}>
          <title>{tickText(tick)}</title>
          {sign(tick.tone, tick.place, middle)}
          {tick.isFaulty ? sign('faulty', tick.place, middle) : null}
        </g>
      ))}
    </>
  )
}

function tickText({ id, count, tone, isFaulty }: Tick): string {
  const which = count === 1 ? `#${id}` : `${countText(count, 'request')} from #${id} on, the worst`
  return `${which} ${toneTexts[tone]}${isFaulty ? ', hit by a fault' : ''}`
}

/** The tests that ran, and what changed in the sandbox. */
function marksOf(timeline: Timeline, axis: Axis, sign: DrawSign): ComponentChildren {
  const shown = timeline.marks.flatMap((mark) => {
    const place = axis.placeAt(Date.parse(mark.at))
    const name = signOf(mark.kind)
    return name === undefined || place < 0 || place > 1 ? [] : { mark, place, name }
  })
  const groups = grouped(shown, ({ place, name }) => `${name} ${Math.floor(place * placeCount)}`)
  return (
    <>
      {timeline.tests.map(({ from, to, name }) => {
        const [left, right] = [clamped(axis.placeAt(from)), clamped(axis.placeAt(to))]
        if (left >= right) return null
        sign('test', 0, 0)
        return (
          <svg key={`${from} ${name}`} x={percent(left)} width={percent(right - left)} height={26}>
            <title>{`test: ${name}`}</title>
            <rect class="test" y={4} width="100%" height={20} rx={3} />
            <text x={6} y={18}>
              {name}
            </text>
          </svg>
        )
      })}
      {[...groups].map(([id, group]) => (
        <g key={id}>
          <title>{markNotes(group.map(({ mark }) => mark)).join(', ')}</title>
          {group[0] === undefined ? null : sign(group[0].name, group[0].place, middle)}
        </g>
      ))}
    </>
  )
}

/** The shapes of all signs, to be used by their names. */
function Shapes() {
  return (
    <defs>
      {Object.entries(signs).map(([name, [path]]) => (
        <path key={name} id={`sign-${name}`} d={path} />
      ))}
      <path id="sign-end" d="M-5 -4l5 4l-5 4M0 -5v10" />
      <pattern id="hatch" class="hatch" width={7} height={7} patternUnits="userSpaceOnUse">
        <rect width={7} height={7} />
        <path d="M-1 8L8 -1M-2 2L2 -2M5 9L9 5" />
      </pattern>
    </defs>
  )
}

/** The lanes that are used most, in their order. */
export function busiest(lanes: readonly Lane[], most: number): readonly Lane[] {
  if (lanes.length <= most) return lanes
  const byUse = lanes.toSorted((one, other) => other.moments.length - one.moments.length)
  const kept = new Set(byUse.slice(0, most))
  return lanes.filter((lane) => kept.has(lane))
}

function clamped(place: number): number {
  return Math.max(0, Math.min(1, place))
}

function percent(place: number): string {
  return `${(place * 100).toFixed(2)}%`
}
