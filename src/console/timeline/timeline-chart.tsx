import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { outcomeText } from '../model/entry-text.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import {
  type Axis,
  isFaulty,
  type Lane,
  markText,
  type Span,
  type Timeline,
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
function signOf(kind: string): Sign {
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
  const picture = new Picture(axis)
  const marks = timeline.marks.filter(({ kind }) => !kind.startsWith('test-'))
  const top = timeline.tests.length + marks.length > 0 ? laneHeight : 0
  const bottom = top + lanes.length * laneHeight
  const drawn = [
    ...timeline.tests.map((test) => picture.span('test', test, `test: ${test.name}`)),
    ...marks.map(({ kind, at }) => picture.sign(signOf(kind), Date.parse(at), markText(kind))),
    ...lanes.map((lane, index) => (
      <g key={`${lane.caller} ${lane.key}`} transform={`translate(0 ${top + index * laneHeight})`}>
        {laneOf(lane, picture)}
      </g>
    )),
  ]
  const isNowShown = now !== undefined && axis.by === 'time' && now >= axis.from && now <= axis.to
  return (
    <section class="box" aria-label="Timeline">
      <div class="timeline-chart">
        <ul aria-label="Keys">
          {top === 0 ? null : <li class="row hint">the sandbox</li>}
          {lanes.map(({ caller, key, moments }) => (
            <li key={`${caller} ${key}`} class="row">
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
          <defs>
            {Object.entries(signs).map(([name, [path]]) => (
              <path key={name} id={`sign-${name}`} d={path} />
            ))}
          </defs>
          {axis.labels.map(({ place, text }) => (
            <g key={text} class="axis">
              <line x1={percent(place)} x2={percent(place)} y2={bottom + 4} />
              <text x={percent(place)} y={bottom + 18}>
                {text}
              </text>
            </g>
          ))}
          {drawn}
          {isNowShown ? (
            <g class="now">
              <line x1={percent(axis.placeAt(now))} x2={percent(axis.placeAt(now))} y2={bottom} />
              <text x={percent(axis.placeAt(now))} y={10} dx={-4} text-anchor="end">
                now
              </text>
            </g>
          ) : null}
        </svg>
      </div>
      {timeline.lanes.length > lanes.length ? (
        <p class="more">
          <Button onClick={() => setAll(true)}>
            Show all {timeline.lanes.length.toLocaleString('en')} keys
          </Button>
        </p>
      ) : null}
      <ul class="row legend hint" aria-label="Signs in the picture">
        {namesOf(signs)
          .filter((name) => picture.used.has(name))
          .map((name) => (
            <li key={name} class="group">
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

/** What is drawn on an axis; it remembers which signs there are, for the legend. */
class Picture {
  readonly axis: Axis
  readonly used = new Set<Sign>()

  constructor(axis: Axis) {
    this.axis = axis
  }

  /** A sign at an instant; nothing where that isn't shown. */
  sign(name: Sign, at: number, about: string, y = middle): ComponentChildren {
    return this.signAt(name, this.axis.placeAt(at), about, y)
  }

  signAt(name: Sign, place: number, about: string, y = middle): ComponentChildren {
    if (place < 0 || place > 1) return null
    this.used.add(name)
    return (
      <use href={`#sign-${name}`} x={percent(place)} y={y} class={`sign ${name}`}>
        <title>{about}</title>
      </use>
    )
  }

  /** A box for a span of time, or a line for a wait. */
  span(name: 'window' | 'ban' | 'test' | 'wait', { from, to }: Span, about: string) {
    const [left, right] = [from, to].map((at) => Math.min(1, Math.max(0, this.axis.placeAt(at))))
    if (left === undefined || right === undefined || left >= right) return null
    this.used.add(name)
    const title = <title>{about}</title>
    const place = { class: `sign ${name}`, key: `${name} ${from}` }
    return name === 'wait' ? (
      <line {...place} x1={percent(left)} x2={percent(right)} y1={waitY} y2={waitY}>
        {title}
      </line>
    ) : (
      <rect
        {...place}
        x={percent(left)}
        width={percent(right - left)}
        y={2}
        height={laneHeight - 4}
      >
        {title}
      </rect>
    )
  }
}

/** What a key was used for: its windows, bans, waits and requests. */
function laneOf(lane: Lane, picture: Picture): ComponentChildren {
  const { axis } = picture
  return [
    axis.by === 'time' ? lane.windows.map((one) => picture.span('window', one, 'a minute')) : null,
    lane.bans.map((ban) => picture.span('ban', ban, 'banned')),
    lane.waits.map((wait) => [
      picture.span('wait', wait, waitText(wait)),
      wait.cameAt === undefined
        ? null
        : picture.sign(
            wait.cameAt < wait.to ? 'early' : 'came',
            wait.cameAt,
            waitText(wait),
            waitY,
          ),
    ]),
    lane.moments.map((moment) => {
      const { id } = moment.entry
      const { tone } = outcomeText(moment.entry)
      const place = axis.placeOf(moment)
      const about = `#${id} ${toneTexts[tone]}${isFaulty(moment) ? ', hit by a fault' : ''}`
      return place < 0 || place > 1 ? null : (
        <g key={id} data-id={id}>
          {picture.signAt(tone, place, about)}
          {isFaulty(moment) ? picture.signAt('faulty', place, about) : null}
        </g>
      )
    }),
  ]
}

/** The lanes that are used most, in their order. */
function busiest(lanes: readonly Lane[], most: number): readonly Lane[] {
  if (lanes.length <= most) return lanes
  const byUse = lanes.toSorted((one, other) => other.moments.length - one.moments.length)
  const kept = new Set(byUse.slice(0, most))
  return lanes.filter((lane) => kept.has(lane))
}

function percent(place: number): string {
  return `${(place * 100).toFixed(2)}%`
}
