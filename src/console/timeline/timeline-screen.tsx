import { useMemo, useState } from 'preact/hooks'
import { namesOf } from '../../input/record.ts'
import { formatInstant } from '../../input/values.ts'
import { countText } from '../../reports/text.ts'
import { useConsole } from '../live/console-context.ts'
import { useCalm } from '../live/throttle.ts'
import { linkTo, type ScreenProps } from '../model/route.ts'
import { Button } from '../parts/controls/button.tsx'
import { usePause } from '../parts/controls/filters.tsx'
import { Badge, Empty } from '../parts/display.tsx'
import { type Column, Table } from '../parts/table.tsx'
import { Instant } from '../parts/time.tsx'
import {
  type Axis,
  type Happening,
  isCrowded,
  type Lane,
  lanesOf,
  orderAxis,
  type Span,
  signs,
  type TimelineRow,
  timeAxis,
  timelineRows,
} from './timeline.ts'

/** What happened when, by the sandbox's clock: a lane for each key. */
export function TimelineScreen({ route: { query } }: ScreenProps) {
  const { store, file, go } = useConsole()
  const entries = store.entries.value
  const marks = store.marks.value
  const live = useMemo(() => ({ entries, marks }), [entries, marks])
  const { shown, pause } = usePause(useCalm(live, 1_000))
  const keyOf = store.keyOf.value
  const { lanes, rows } = useMemo(() => {
    const lanes = lanesOf(shown.entries, shown.marks, keyOf)
    return { lanes, rows: timelineRows(lanes) }
  }, [shown, keyOf])
  if (shown.entries.length === 0) {
    return (
      <Empty
        title="Nothing happened yet"
        text="Each request appears here when it came, with the windows, waits and bans of its key."
      />
    )
  }
  const [from = '', to = '', by = ''] = ['from', 'to', 'by'].map((name) => query.get(name) ?? '')
  const view = spanOf(from, to)
  const end = Date.parse(shown.entries.at(-1)?.at ?? '')
  const now = file === undefined ? (store.time.now.value ?? 0) : end
  const byTime = timeAxis(lanes, now, view)
  const isByOrder = by === '' ? isCrowded(lanes, byTime) : by === 'order'
  const axis = isByOrder ? orderAxis(lanes, view) : byTime
  const show = (changes: Readonly<Record<string, string>>): void =>
    go(linkTo('timeline', [], { from, to, by, ...changes }), 'replace')
  const count = shown.entries.filter(({ at }) => {
    return view === undefined || (Date.parse(at) >= view.from && Date.parse(at) <= view.to)
  }).length
  return (
    <div class="stack wide">
      <div class="row">
        <fieldset class="group">
          <legend class="unseen">Axis</legend>
          {(['time', 'order'] as const).map((one) => (
            <Button key={one} pressed={axis.by === one} onClick={() => show({ by: one })}>
              By {one}
            </Button>
          ))}
        </fieldset>
        <SpanForm
          key={`${from} ${to}`}
          span={view ?? axis}
          onShow={(span) => show(textsOf(span))}
        />
        {view === undefined ? null : (
          <>
            <a class="button primary" href={linkTo('requests', [], textsOf(view))}>
              {countText(count, 'request')}
            </a>
            <Button onClick={() => show({ from: '', to: '' })}>All of it</Button>
          </>
        )}
        {pause}
      </div>
      <TimelineChart lanes={lanes} axis={axis} now={file === undefined ? now : undefined} />
      <div class="box stacked">
        <Table
          caption="The timeline as a table, the latest first: what each key was used for, and what changed"
          columns={columns}
          rows={rows}
          keyOf={({ lane, from }) => `${lane.id} ${from}`}
        />
      </div>
    </div>
  )
}

function spanOf(from: string, to: string): Span | undefined {
  const [fromAt, toAt] = [Date.parse(from), Date.parse(to)]
  return fromAt < toAt ? { from: fromAt, to: toAt } : undefined
}

function textsOf({ from, to }: Span): { readonly from: string; readonly to: string } {
  return { from: formatInstant(Math.round(from)), to: formatInstant(Math.round(to)) }
}

interface SpanFormProps {
  readonly span: Span
  readonly onShow: (span: Span) => void
}

/** Chooses which span of time is shown. */
function SpanForm({ span, onShow }: SpanFormProps) {
  const bounds = [
    ['from', 'From', Math.floor(span.from / 1_000)],
    ['to', 'To', Math.ceil(span.to / 1_000)],
  ] as const
  return (
    <form
      class="group"
      aria-label="Span of time"
      onSubmit={(event) => {
        event.preventDefault()
        const typed = new FormData(event.currentTarget)
        const chosen = spanOf(`${typed.get('from')}Z`, `${typed.get('to')}Z`)
        if (chosen !== undefined) onShow(chosen)
      }}
    >
      {bounds.map(([name, title, seconds]) => (
        <label key={name} class="group hint">
          {title}
          <input
            type="datetime-local"
            step={1}
            required
            name={name}
            defaultValue={new Date(seconds * 1_000).toISOString().slice(0, 19)}
          />
        </label>
      ))}
      <Button type="submit">Show</Button>
    </form>
  )
}

const columns: readonly Column<TimelineRow>[] = [
  {
    name: 'time',
    title: 'From',
    isHeader: true,
    cell: ({ from, to, lane: { key } }) => {
      const instant = <Instant at={formatInstant(from)} />
      if (key === undefined) return instant
      return (
        <a href={linkTo('requests', [], { key, ...textsOf({ from, to }) })}>
          {instant}
          <span class="unseen"> requests of {key}</span>
        </a>
      )
    },
  },
  { name: 'key', title: 'Key', cell: ({ lane }) => lane.key ?? 'the sandbox' },
  {
    name: 'requests',
    title: 'Requests',
    cell: ({ counts }) => (
      <span class="row">
        {counts.map(({ tone, count }) => (
          <Badge key={tone} tone={tone} text={`${count} ${signs[tone][0]}`} />
        ))}
      </span>
    ),
  },
  {
    name: 'why',
    title: 'What else',
    cell: ({ notes }) => notes.map((note) => <div key={note}>{note}</div>),
  },
]

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
function TimelineChart({ lanes, axis, now }: TimelineChartProps) {
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
