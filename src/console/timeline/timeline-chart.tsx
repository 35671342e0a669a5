import { useState } from 'preact/hooks'
import { formatInstant } from '../../input/instant.ts'
import { namesOf } from '../../input/record.ts'
import { countText } from '../../reports/text.ts'
import { linkTo } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { type Axis, type Happening, type Lane, signs } from './timeline.ts'

const laneHeight = 28

/** How many lanes there are before somebody asks for all. */
const mostLanes = 40

interface TimelineChartProps {
  readonly lanes: readonly Lane[]
  readonly axis: Axis
  /** Unix milliseconds on the sandbox's clock; `undefined` for a file. */
  readonly now: number | undefined
}

/** The timeline as a picture: a lane for each key, whose name leads to its requests. */
export function TimelineChart({ lanes, axis, now }: TimelineChartProps) {
  const [isAll, setAll] = useState(false)
  const shown = lanes.slice(0, isAll ? lanes.length : mostLanes).map((lane) => {
    const happenings = [...lane.others, ...lane.requests]
    return { ...lane, drawn: happenings.flatMap((one) => drawnOn(axis, one)) }
  })
  const used = new Set(shown.flatMap(({ drawn }) => drawn.map(({ sign }) => sign)))
  const bottom = shown.length * laneHeight
  const keysOf = (some: readonly Lane[]) => some.filter(({ key }) => key !== undefined).length
  const [from, to] = [axis.from, axis.to].map((at) => formatInstant(Math.round(at)))
  const isNowShown = now !== undefined && axis.by === 'time' && now >= axis.from && now <= axis.to
  const nowAt = percent(axis.placeAt(now ?? 0))
  return (
    <section class="box" aria-label="Timeline">
      <div class="timeline-chart">
        <ul aria-label="Keys">
          {shown.map(({ id, key, requests }) =>
            key === undefined ? (
              <li key={id} class="row hint">
                the sandbox
              </li>
            ) : (
              <li key={id} class="row">
                <a href={linkTo('requests', [], { key })} title={`Requests of ${key}`}>
                  {key}
                </a>
                <span class="hint">{requests.length.toLocaleString('en')}</span>
              </li>
            ),
          )}
        </ul>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the table has links to the same requests */}
        <svg
          role="img"
          aria-label={`Timeline of ${countText(keysOf(shown), 'key')}, from ${from} to ${to}; the table below says the same`}
          height={bottom + 24}
          onClick={({ target }) => {
            const id = target instanceof Element && target.closest('[data-id]')
            if (id instanceof SVGElement) location.assign(linkTo('requests', [id.dataset.id ?? '']))
          }}
        >
          <defs>
            {Object.entries(signs).map(([name, [, path]]) => (
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
          {shown.map(({ id, drawn }, index) => (
            <g key={id} transform={`translate(0 ${index * laneHeight})`}>
              {drawn.map((one, at) => (
                <DrawnSign key={at} {...one} />
              ))}
            </g>
          ))}
          {isNowShown ? (
            <g class="now">
              <line x1={nowAt} x2={nowAt} y2={bottom} />
              <text x={nowAt} y={10} dx={-4} text-anchor="end">
                now
              </text>
            </g>
          ) : null}
        </svg>
      </div>
      {lanes.length === shown.length ? null : (
        <p class="more">
          <Button onClick={() => setAll(true)}>
            Show all {keysOf(lanes).toLocaleString('en')} keys
          </Button>
        </p>
      )}
      <ul class="row legend hint" aria-label="Signs in the picture">
        {namesOf(signs)
          .filter((name) => used.has(name))
          .map((name) => (
            <li key={name} class="group">
              <svg width={20} height={16} aria-hidden="true">
                <use href={`#sign-${name}`} x={10} y={8} class={`sign ${name}`} />
              </svg>
              {signs[name][0]}
            </li>
          ))}
      </ul>
    </section>
  )
}

interface Drawn extends Happening {
  /** Shares of the axis. */
  readonly left: number
  readonly right: number
}

/** What happened with its place, unless there is nothing to see of it. */
function drawnOn(axis: Axis, happening: Happening): readonly Drawn[] {
  const { from, to, sign } = happening
  const left = axis.placeOf(happening)
  const right = from < to ? axis.placeAt(to) : left
  const isEmpty = from < to && left >= right
  // Where each request takes as much room, a minute means nothing.
  const isMeaningless = sign === 'window' && axis.by === 'order'
  if (left > 1 || right < 0 || isEmpty || isMeaningless) return []
  return [{ ...happening, left: Math.max(0, left), right: Math.min(1, right) }]
}

/** A sign at an instant; for a wait a line, and a box for another span. */
function DrawnSign({ sign, text, entry, from, to, left, right }: Drawn) {
  const shared = { class: `sign ${sign}`, 'data-id': entry?.id, children: <title>{text}</title> }
  // Waits are below the requests.
  const y = sign === 'wait' || sign === 'came' || sign === 'early' ? 23 : laneHeight / 2
  if (from === to) return <use {...shared} href={`#sign-${sign}`} x={percent(left)} y={y} />
  if (sign === 'wait') {
    return <line {...shared} x1={percent(left)} x2={percent(right)} y1={y} y2={y} />
  }
  const height = laneHeight - 4
  return <rect {...shared} x={percent(left)} width={percent(right - left)} y={2} height={height} />
}

function percent(share: number): string {
  return `${(share * 100).toFixed(2)}%`
}
